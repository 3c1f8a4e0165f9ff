import type { ExecutionContext, TestFn } from 'ava';
import type { JsonObject } from '../../src/base/json/value.ts';
import type {
  Change,
  Expected,
  RemovedCollections,
  Stored,
  Stores,
} from '../../src/state/store.ts';
import { fc } from './properties.ts';
import { type MakeStores, plant } from './store-conformance.ts';

interface ModelRecord {
  readonly resource: JsonObject;
  readonly version: number;
}

/** The expected content of a store: maps keep the order of insertion. */
interface Model {
  readonly collections: Map<string, Map<string, ModelRecord>>;
  readonly numbers: Map<string, number>;
}

const storeName = fc.constantFrom('a', 'b', 'a/1');
const collectionName = fc.constantFrom('plants', 'pots', '$touched');
const key = fc.constantFrom('1', '2', '3', '"x"', '__proto__');

const change = fc.record({
  collection: collectionName,
  key,
  /** Whether the change takes for granted nothing, what is so, or what is not so. */
  grants: fc.constantFrom('any' as const, 'true' as const, 'true' as const, 'false' as const),
  number: fc.option(fc.nat({ max: 1000 }), { nil: undefined }),
});

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      name: storeName,
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('number' as const),
      name: storeName,
      of: collectionName,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('copy' as const), name: storeName, to: storeName }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('drop' as const, 'reopen' as const),
      name: storeName,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      name: storeName,
      removed: fc.oneof(fc.constant('all' as const), fc.uniqueArray(collectionName)),
      changes: fc.array(change, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      name: storeName,
      of: collectionName,
      offset: fc.nat({ max: 4 }),
      limit: fc.nat({ max: 4 }),
    }),
  },
);
type DrawnChange = typeof change extends fc.Arbitrary<infer Value> ? Value : never;
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Asserts that stores hold what maps hold after the same random operations. */
export function testStoresByModel(test: TestFn, name: string, make: MakeStores, runs = 100): void {
  test(`${name}: whatever is done to stores, they hold what maps would hold`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const made = await make(t);
        const run = new ModelRun(t, made.stores);
        for (const one of steps) {
          if (one.kind === 'reopen') run.stores = await made.reopen();
          else await run.take(one);
        }
        await run.compare();
        for (const one of await run.stores.names()) await run.stores.drop(one);
      }),
      { numRuns: runs },
    );
  });
}

class ModelRun {
  stores: Stores;
  readonly #t: ExecutionContext;
  readonly #models = new Map<string, Model>();
  /** Of each store. */
  readonly #versions = new Map<string, number>();

  constructor(t: ExecutionContext, stores: Stores) {
    this.#t = t;
    this.stores = stores;
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'drop') {
      await this.stores.drop(one.name);
      this.#models.delete(one.name);
      this.#versions.delete(one.name);
      return;
    }
    const store = await this.stores.open(one.name);
    const model = this.#modelOf(one.name);
    switch (one.kind) {
      case 'commit':
        return this.#commit(one.name, one.changes);
      case 'number': {
        const number = (model.numbers.get(one.of) ?? 0) + 1;
        model.numbers.set(one.of, number);
        this.#t.is(await store.nextNumber(one.of), number);
        return;
      }
      case 'copy':
        await this.stores.copy(one.name, one.to);
        this.#models.set(one.to, copyModel(model));
        return;
      case 'replace':
        return this.#replace(one.name, one.removed, one.changes);
      case 'list': {
        const { offset, limit } = one;
        const expected = recordsOf(model, one.of).slice(offset, offset + limit);
        this.#t.deepEqual(readAll(await store.list(one.of, { offset, limit })), expected);
        const scanned = await store.list(one.of, { offset, limit, isScan: true });
        this.#t.deepEqual(readAll(scanned), expected);
        return;
      }
      case 'reopen':
    }
  }

  async compare(): Promise<void> {
    this.#t.deepEqual([...(await this.stores.names())].sort(), [...this.#models.keys()].sort());
    for (const [name, model] of this.#models) {
      const store = await this.stores.open(name);
      const sizes = [...model.collections].map(([of, { size }]) => [of, size] as const);
      this.#t.deepEqual(
        new Map([...(await store.counts())].sort()),
        new Map(sizes.filter(([, size]) => size > 0).sort()),
      );
      for (const [of, records] of model.collections) {
        for (const isScan of [true, false]) {
          const listed = await store.list(of, { offset: 0, limit: 100, isScan });
          this.#t.deepEqual(readAll(listed), recordsOf(model, of));
        }
        for (const [one, record] of records) {
          const found = await store.get(of, one);
          this.#t.deepEqual(found && readStored(found), { key: one, ...record });
        }
      }
    }
  }

  async #commit(name: string, drawn: readonly DrawnChange[]): Promise<void> {
    const model = this.#modelOf(name);
    const store = await this.stores.open(name);
    const changes = drawn.map((one) => changeOf(model, one));
    const versions = await store.commit(changes);
    if (drawn.some(({ grants }) => grants === 'false')) {
      this.#t.is(versions, undefined);
      return;
    }
    this.#t.is(versions?.length, changes.length);
    for (const [index, { collection, key, resource }] of changes.entries()) {
      const version = versions?.[index] ?? 0;
      this.#t.true(version > (this.#versions.get(name) ?? 0), 'versions grow');
      this.#versions.set(name, version);
      const records = model.collections.get(collection) ?? new Map<string, ModelRecord>();
      model.collections.set(collection, records);
      if (resource === undefined) records.delete(key);
      else records.set(key, { resource, version });
    }
  }

  /** Learns the versions of what it puts from the store. */
  async #replace(
    name: string,
    removed: RemovedCollections,
    drawn: readonly DrawnChange[],
  ): Promise<void> {
    const model = this.#modelOf(name);
    const store = await this.stores.open(name);
    const changes = drawn.map((one) => changeOf(model, one));
    await store.replace(removed, changes);
    for (const of of removed === 'all' ? [...model.collections.keys()] : removed) {
      model.collections.delete(of);
    }
    for (const { collection, key, resource } of changes) {
      const records = model.collections.get(collection) ?? new Map<string, ModelRecord>();
      model.collections.set(collection, records);
      if (resource === undefined) {
        records.delete(key);
        continue;
      }
      records.set(key, { resource, version: (await store.get(collection, key))?.version ?? 0 });
    }
    const last = this.#versions.get(name) ?? 0;
    const versions = changes.flatMap(
      ({ collection, key }) => model.collections.get(collection)?.get(key)?.version ?? [],
    );
    this.#t.true(
      versions.every((version) => version > last),
      'versions grow',
    );
    this.#versions.set(name, Math.max(last, ...versions));
  }

  #modelOf(name: string): Model {
    const known = this.#models.get(name);
    if (known !== undefined) return known;
    const model: Model = { collections: new Map(), numbers: new Map() };
    this.#models.set(name, model);
    return model;
  }
}

function changeOf(model: Model, { collection, key, grants, number }: DrawnChange): Change {
  const version = model.collections.get(collection)?.get(key)?.version;
  const so: Expected = version ?? 'absent';
  const notSo: Expected = version === undefined ? 1 : 'absent';
  const expected = grants === 'any' ? 'any' : grants === 'true' ? so : notSo;
  return { collection, key, expected, resource: number === undefined ? undefined : plant(number) };
}

function readAll(listed: readonly Stored[]): readonly Stored[] {
  return listed.map(readStored);
}

/** Returns what every store has of a resource. */
export function readStored({ key, resource, version }: Stored): Stored {
  return { key, resource, version };
}

function recordsOf(
  model: Model,
  collection: string,
): { key: string; resource: JsonObject; version: number }[] {
  return [...(model.collections.get(collection) ?? [])].map(([key, record]) => ({
    key,
    ...record,
  }));
}

function copyModel({ collections, numbers }: Model): Model {
  return {
    collections: new Map([...collections].map(([name, records]) => [name, new Map(records)])),
    numbers: new Map(numbers),
  };
}
