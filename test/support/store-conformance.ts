import type { ExecutionContext, TestFn } from 'ava';
import type { Awaitable } from '../../src/base/awaitable.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Change, Expected, Store, StoreBeginning, Stores } from '../../src/state/store.ts';
import { readStored } from './store-model.ts';

/** Stores of a kind, made for one test and cleared away with it. */
export interface StoresUnderTest {
  readonly stores: Stores;
  /**
   * @returns the same stores as another process sees them, or the same process when it is started
   *   again; where stores end with the process, the same object
   */
  reopen(): Awaitable<Stores>;
}

export type MakeStores = (
  t: ExecutionContext,
  beginning?: StoreBeginning,
) => Awaitable<StoresUnderTest>;

/** Tests what every implementation of `Stores` guarantees; titles begin with its kind. */
export function testStores(test: TestFn, name: string, make: MakeStores): void {
  testResources(test, name, make);
  testOrder(test, name, make);
  testTexts(test, name, make);
  testReplacements(test, name, make);
  testExpectations(test, name, make);
  testNumbers(test, name, make);
  testNames(test, name, make);
  testCopies(test, name, make);
  testBeginnings(test, name, make);
}

export function plant(id: number, name = `plant ${id}`): JsonObject {
  return { id, name };
}

export function put(
  collection: string,
  key: string,
  resource: JsonObject,
  expected: Expected = 'any',
): Change {
  return { collection, key, expected, resource };
}

export function remove(collection: string, key: string, expected: Expected = 'any'): Change {
  return { collection, key, expected, resource: undefined };
}

/** Resources only, of the whole collection. */
export async function listAll(store: Store, collection: string): Promise<readonly JsonObject[]> {
  const listed = await store.list(collection, { offset: 0, limit: 1_000_000 });
  return listed.map(({ resource }) => resource);
}

function testResources(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: a collection that nothing was put into is empty and has no name`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    t.is(await store.get('plants', '1'), undefined);
    t.deepEqual(await store.list('plants', { offset: 0, limit: 10 }), []);
    t.is(await store.count('plants'), 0);
    t.deepEqual(await store.counts(), new Map());
    t.not(
      await store.commit([remove('plants', '1')]),
      undefined,
      'nothing to remove is no conflict',
    );
    t.deepEqual(await store.counts(), new Map());
  });

  test(`${name}: what was put is there, under its key and its collection only`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    const [version] = (await store.commit([put('plants', '1', plant(1))])) ?? [];
    for (const seen of [store, await (await reopen()).open('default')]) {
      const found = await seen.get('plants', '1');
      t.deepEqual(found && readStored(found), {
        key: '1',
        resource: plant(1),
        version: version ?? 0,
      });
      t.is(await seen.get('plants', '2'), undefined);
      t.is(await seen.get('pots', '1'), undefined);
      t.deepEqual(await seen.counts(), new Map([['plants', 1]]));
      t.is(await seen.count('plants'), 1);
      t.is(await seen.count('pots'), 0);
    }
  });

  test(`${name}: what was deleted is gone, and an empty collection has no name`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    await store.commit([put('plants', '1', plant(1)), put('pots', '1', plant(1))]);
    await store.commit([remove('plants', '1')]);
    for (const seen of [store, await (await reopen()).open('default')]) {
      t.is(await seen.get('plants', '1'), undefined);
      t.deepEqual(await listAll(seen, 'plants'), []);
      t.deepEqual(await seen.counts(), new Map([['pots', 1]]));
    }
  });

  test(`${name}: what was read is the reader's own`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const given: JsonObject = { id: 1, tags: ['a'] };
    await store.commit([put('plants', '1', given)]);
    (given['tags'] as string[]).push('b');
    const read = await store.get('plants', '1');
    t.deepEqual(read?.resource, { id: 1, tags: ['a'] });
    if (read !== undefined) read.resource['tags'] = 'c';
    const [listed] = await store.list('plants', { offset: 0, limit: 1 });
    if (listed !== undefined) listed.resource['id'] = 2;
    t.deepEqual((await store.get('plants', '1'))?.resource, { id: 1, tags: ['a'] });
  });
}

function testOrder(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: resources are listed in the order in which they were first put`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    for (const id of [10, 9, 2]) await store.commit([put('plants', String(id), plant(id))]);
    await store.commit([1, 33, 4].map((id) => put('plants', String(id), plant(id))));
    await store.commit([put('plants', '2', plant(2, 'another'))]);
    const expected = [plant(10), plant(9), plant(2, 'another'), plant(1), plant(33), plant(4)];
    t.deepEqual(await listAll(store, 'plants'), expected, 'a replaced one keeps its place');
    t.deepEqual(await listAll(await (await reopen()).open('default'), 'plants'), expected);
  });

  test(`${name}: one that was deleted and is put again comes last`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    await store.commit([1, 2, 3].map((id) => put('plants', String(id), plant(id))));
    await store.commit([remove('plants', '1')]);
    await store.commit([put('plants', '1', plant(1))]);
    t.deepEqual(await listAll(store, 'plants'), [plant(2), plant(3), plant(1)]);
    await store.commit([remove('plants', '2'), put('plants', '2', plant(2))]);
    t.deepEqual(await listAll(store, 'plants'), [plant(3), plant(1), plant(2)], 'in one step too');
  });

  test(`${name}: a range of a list is what stands there then`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const ids = Array.from({ length: 3000 }, (_, id) => id);
    await store.commit(ids.map((id) => put('plants', String(id), plant(id))));
    const gone = ids.filter((id) => id % 7 !== 0 || (id > 700 && id < 2000));
    await store.commit(gone.map((id) => remove('plants', String(id))));
    const left = ids.filter((id) => !gone.includes(id));
    t.is(await store.count('plants'), left.length);
    for (const [offset, limit] of [
      [0, 10],
      [95, 20],
      [100, 1],
      [left.length - 3, 10],
      [left.length, 10],
      [5000, 10],
      [0, 0],
      [0, 5000],
    ] as const) {
      const listed = await store.list('plants', { offset, limit });
      t.deepEqual(
        listed.map(({ key }) => key),
        left.slice(offset, offset + limit).map(String),
        `${limit} from ${offset}`,
      );
    }
  });

  test(`${name}: a list that was taken does not change under its reader`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    await store.commit([put('plants', '1', plant(1))]);
    const listed = await store.list('plants', { offset: 0, limit: 10 });
    await store.commit([put('plants', '1', plant(2)), put('plants', '2', plant(2))]);
    await store.replace('all', []);
    t.deepEqual(
      listed.map(({ resource }) => resource),
      [plant(1)],
    );
  });
}

/** Texts that something on the way might take for the same, or for something else. */
const texts = [
  '',
  '1',
  '01',
  '1.0',
  '"1"',
  'a',
  'A',
  '__proto__',
  'constructor',
  'é',
  'e\u0301',
  '🌵',
  'a/b',
  'a:b',
  '{a}',
  '%61',
  '*',
  "'; --",
  ' ',
  '\n',
  'a\nb',
  '\u0000',
  '\u0000a',
  '\ud800',
  '\ufffd',
  'x'.repeat(65_536),
];

function testTexts(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: keys and names compare as text, and any text is one`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    for (const [index, text] of texts.entries()) {
      await store.commit([put(text, text, plant(index)), put('all', text, plant(index))]);
    }
    for (const seen of [store, await (await reopen()).open('default')]) {
      for (const [index, text] of texts.entries()) {
        const [listed] = await seen.list(text, { offset: 0, limit: 2 });
        t.deepEqual([listed?.key, listed?.resource], [text, plant(index)]);
        t.deepEqual((await seen.get(text, text))?.resource, plant(index));
      }
      t.deepEqual([...(await seen.counts()).keys()].sort(), ['all', ...texts].sort());
      const all = await seen.list('all', { offset: 0, limit: 100 });
      t.deepEqual(
        all.map(({ key }) => key),
        texts,
      );
    }
  });

  test(`${name}: values keep every digit, key and order of keys`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    const values = [
      '{"z":9223372036854775807,"a":[1.5,null,{"":true}],"n":{}}',
      '{"small":-9223372036854775808,"pi":3.14159265358979323846264338327950288}',
      '{"a":0.1,"b":1e300,"c":5e-324,"d":-0.5,"e":100000000000000000000}',
      '{"__proto__":{"x":1},"constructor":2,"toString":null}',
      '{"text":"🌵\\ud800\\u0000\\u2028\\"","é":"\\u00ff\\u0100"}',
    ];
    for (const [index, text] of values.entries()) {
      await store.commit([put('plants', String(index), parseJson(text) as JsonObject)]);
    }
    for (const seen of [store, await (await reopen()).open('default')]) {
      for (const [index, text] of values.entries()) {
        const read = await seen.get('plants', String(index));
        t.is(stringifyJson(read?.resource ?? {}), stringifyJson(parseJson(text)));
        t.deepEqual(read?.resource, parseJson(text) as JsonObject);
      }
    }
  });

  test(`${name}: a resource of a mebibyte, and one of a thousand levels, are no trouble`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const large: JsonObject = { text: 'é🌵'.repeat(2 ** 18) };
    let deep: JsonObject = {};
    for (let level = 0; level < 990; level++) deep = { deep };
    await store.commit([put('plants', '1', large), put('plants', '2', deep)]);
    t.true((await store.get('plants', '1'))?.resource['text'] === large['text']);
    t.is(stringifyJson((await store.get('plants', '2'))?.resource ?? {}), stringifyJson(deep));
  });
}

function testReplacements(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: collections are replaced, and the others stay`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    await store.commit([
      ...[1, 2, 3].map((id) => put('plants', String(id), plant(id))),
      put('pots', '1', plant(1)),
      put('*', '1', plant(1)),
    ]);
    const [before = 0] = (await store.commit([put('beds', '1', plant(1))])) ?? [];
    await stores.copy('default', 'default/copy');
    await store.replace(['plants', 'beds', 'none'], [put('plants', '2', plant(9), 'absent')]);
    for (const seen of [store, await (await reopen()).open('default')]) {
      t.deepEqual(
        new Map([...(await seen.counts())].sort()),
        new Map([
          ['*', 1],
          ['plants', 1],
          ['pots', 1],
        ]),
      );
      t.deepEqual(await listAll(seen, 'plants'), [plant(9)]);
      t.true(((await seen.get('plants', '2'))?.version ?? 0) > before, 'with another version');
    }
    await store.replace(['*'], []);
    t.deepEqual([...(await store.counts()).keys()].sort(), ['plants', 'pots']);
    await store.replace('all', [put('pots', '7', plant(7)), remove('pots', '7')]);
    t.deepEqual(await store.counts(), new Map());
    const copy = await stores.open('default/copy');
    t.deepEqual(await listAll(copy, 'plants'), [plant(1), plant(2), plant(3)]);
    await store.replace('all', [put('plants', '1', plant(1))]);
    t.deepEqual(await listAll(store, 'plants'), [plant(1)]);
  });
}

function testExpectations(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: a change is made only where what it takes for granted holds`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const [first = 0] = (await store.commit([put('plants', '1', plant(1), 'absent')])) ?? [];
    t.is(await store.commit([put('plants', '1', plant(2), 'absent')]), undefined);
    t.is(await store.commit([put('plants', '2', plant(2), first)]), undefined);
    t.is(await store.commit([put('plants', '1', plant(2), first + 1)]), undefined);
    t.is(await store.commit([remove('plants', '1', first + 1)]), undefined);
    t.is(await store.commit([remove('plants', '1', 'absent')]), undefined);
    t.is(await store.commit([remove('plants', '2', first)]), undefined);
    t.deepEqual(await listAll(store, 'plants'), [plant(1)]);
    const [second = 0] = (await store.commit([put('plants', '1', plant(2), first)])) ?? [];
    t.true(second > first);
    t.is(await store.commit([put('plants', '1', plant(3), first)]), undefined);
    t.not(await store.commit([remove('plants', '1', second)]), undefined);
    t.not(await store.commit([remove('plants', '1', 'absent')]), undefined);
    t.not(await store.commit([put('plants', '1', plant(1), 'absent')]), undefined);
  });

  test(`${name}: of several changes all are made or none`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    await store.commit([put('plants', '1', plant(1)), put('plants', '2', plant(2))]);
    const refused = await store.commit([
      put('plants', '1', plant(9)),
      remove('plants', '2'),
      put('pots', '1', plant(9)),
      put('plants', '3', plant(9), 1_000_000),
    ]);
    t.is(refused, undefined);
    t.deepEqual(await listAll(store, 'plants'), [plant(1), plant(2)]);
    t.deepEqual(await store.counts(), new Map([['plants', 2]]));
    t.deepEqual(await store.commit([]), []);
  });

  test(`${name}: all of a commit is held against what was there before it`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const made = await store.commit([
      put('plants', '1', plant(1), 'absent'),
      put('plants', '1', plant(2), 'absent'),
    ]);
    t.is(made?.length, 2);
    t.is((await store.get('plants', '1'))?.version, made?.[1]);
    t.deepEqual(await listAll(store, 'plants'), [plant(2)]);
  });

  test(`${name}: no version is given twice`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    const given: number[] = [];
    const commit = async (to: Store, ...changes: Change[]): Promise<void> => {
      given.push(...((await to.commit(changes)) ?? []));
    };
    await commit(store, put('plants', '1', plant(1)), put('pots', '1', plant(1)));
    await commit(store, remove('plants', '1'));
    await commit(store, put('plants', '1', plant(1)));
    await store.replace('all', []);
    await commit(store, put('plants', '1', plant(1)));
    await commit(await (await reopen()).open('default'), put('plants', '1', plant(2)));
    t.is(given.length, 6);
    t.deepEqual(
      given,
      [...new Set(given)].sort((a, b) => a - b),
    );
  });

  test(`${name}: of a hundred who count up one number at once none is lost`, async (t) => {
    const { stores, reopen } = await make(t);
    const one = await stores.open('default');
    const other = await (await reopen()).open('default');
    await one.commit([put('counters', 'a', { count: 0 })]);
    const countUp = async (store: Store): Promise<void> => {
      for (;;) {
        const read = await store.get('counters', 'a');
        const count = Number(read?.resource['count']) + 1;
        const made = await store.commit([put('counters', 'a', { count }, read?.version ?? 0)]);
        if (made !== undefined) return;
      }
    };
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => countUp(index % 2 === 0 ? one : other)),
    );
    t.deepEqual((await one.get('counters', 'a'))?.resource, { count: 100 });
  });

  test(`${name}: of many who create the same one does`, async (t) => {
    const { stores, reopen } = await make(t);
    const both = [await stores.open('default'), await (await reopen()).open('default')];
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        both[index % 2]?.commit([
          put('plants', '1', plant(1, `by ${index}`), 'absent'),
          put('plants', `of ${index}`, plant(index)),
        ]),
      ),
    );
    t.is(made.filter((versions) => versions !== undefined).length, 1);
    t.is(await both[0]?.count('plants'), 2);
  });

  test(`${name}: of changes at the same time, each holds or fails by itself`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const before = (await store.commit([put('plants', '1', plant(1))]))?.[0] ?? 0;
    const commits = await Promise.all([
      store.commit([put('plants', '2', plant(2), 'absent')]),
      store.commit([put('plants', '2', plant(9), 'absent')]),
      store.commit([put('plants', '1', plant(9), before + 7)]),
      store.commit([remove('plants', '1', before)]),
      store.commit([put('pots', '1', plant(3), 'absent')]),
      store.commit([remove('plants', 'missing', 'absent')]),
    ]);
    t.deepEqual(
      commits.map((versions) => versions?.length),
      [1, undefined, undefined, 1, 1, 1],
    );
    const versions = commits.flatMap((made) => made ?? []);
    t.deepEqual(
      [...new Set(versions)].sort((a, b) => a - b),
      versions,
    );
    t.true(versions.every((version) => version > before));
    t.deepEqual(await listAll(store, 'plants'), [plant(2)]);
    t.deepEqual(await listAll(store, 'pots'), [plant(3)]);
    t.deepEqual(Object.fromEntries(await store.counts()), { plants: 1, pots: 1 });
  });
}

function testNumbers(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: numbers are counted by name, and none is given twice`, async (t) => {
    const { stores, reopen } = await make(t);
    const store = await stores.open('default');
    t.is(await store.nextNumber('plants'), 1);
    t.is(await store.nextNumber('plants'), 2);
    t.is(await store.nextNumber('pots'), 1);
    t.is(await store.nextNumber('__proto__'), 1);
    const other = await (await reopen()).open('default');
    const numbers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? store : other).nextNumber('plants'),
      ),
    );
    t.deepEqual(
      numbers.sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, index) => index + 3),
    );
  });

  test(`${name}: a store without its collections is empty, and its numbers go on`, async (t) => {
    const { stores, reopen } = await make(t, () => [put('plants', '1', plant(1))]);
    const store = await stores.open('default');
    await store.nextNumber('plants');
    await store.commit([put('pots', '1', plant(1))]);
    await store.replace('all', []);
    for (const seen of [store, await (await reopen()).open('default')]) {
      t.deepEqual(await seen.counts(), new Map());
      t.deepEqual(await listAll(seen, 'plants'), []);
    }
    t.is(await store.nextNumber('plants'), 2);
    await store.commit([put('plants', '2', plant(2))]);
    t.deepEqual(await listAll(store, 'plants'), [plant(2)]);
  });
}

function testNames(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: stores of other names share nothing`, async (t) => {
    const { stores } = await make(t);
    const [first, second] = [await stores.open('first'), await stores.open('second')];
    await first.commit([put('plants', '1', plant(1))]);
    t.is(await second.count('plants'), 0);
    await second.replace('all', []);
    t.is(await first.count('plants'), 1);
    t.is(await first.nextNumber('plants'), 1);
    t.is(await second.nextNumber('plants'), 1);
  });

  test(`${name}: a store is known by its name from when it was opened until it is dropped`, async (t) => {
    const { stores, reopen } = await make(t);
    t.false(await stores.has('first'));
    t.deepEqual(await stores.names(), []);
    const first = await stores.open('first');
    await first.commit([put('plants', '1', plant(1))]);
    await stores.open('first/a snapshot');
    t.deepEqual([...(await (await reopen()).names())].sort(), ['first', 'first/a snapshot']);
    t.true(await stores.has('first'));
    t.deepEqual(await listAll(await stores.open('first'), 'plants'), [plant(1)], 'opened again');
    await stores.drop('first');
    await stores.drop('never');
    t.false(await stores.has('first'));
    t.deepEqual(await (await reopen()).names(), ['first/a snapshot']);
    const anew = await stores.open('first');
    t.deepEqual(await anew.counts(), new Map());
    t.is(await anew.nextNumber('plants'), 1);
  });

  test(`${name}: names of stores are any text`, async (t) => {
    const { stores, reopen } = await make(t);
    for (const [index, text] of texts.entries()) {
      await (await stores.open(text)).commit([put('plants', '1', plant(index))]);
    }
    const seen = await reopen();
    t.deepEqual([...(await seen.names())].sort(), [...texts].sort());
    for (const [index, text] of texts.entries()) {
      t.deepEqual(await listAll(await seen.open(text), 'plants'), [plant(index)]);
    }
  });

  test(`${name}: stores that can be reached say so`, async (t) => {
    const { stores } = await make(t);
    await t.notThrowsAsync(async () => stores.check());
  });
}

function testCopies(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: a copy holds what the store holds, and neither sees what the other does next`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    await store.commit([put('plants', '1', plant(1)), put('plants', '2', plant(2))]);
    await store.nextNumber('plants');
    await stores.copy('default', 'default/copy');
    const copy = await stores.open('default/copy');
    await store.commit([put('plants', '1', plant(1, 'changed'))]);
    await copy.commit([remove('plants', '1'), put('plants', '3', plant(3))]);
    t.deepEqual(await listAll(store, 'plants'), [plant(1, 'changed'), plant(2)]);
    t.deepEqual(await listAll(copy, 'plants'), [plant(2), plant(3)]);
    t.is(await copy.nextNumber('plants'), 2);
    t.is(await store.nextNumber('plants'), 2);
    await stores.drop('default');
    t.is(await copy.count('plants'), 2);
  });

  test(`${name}: a store that is copied onto holds what the other held, and nothing else`, async (t) => {
    const { stores } = await make(t);
    const store = await stores.open('default');
    const [old] = (await store.commit([put('plants', '1', plant(1))])) ?? [];
    await stores.copy('default', 'default/snapshot');
    const [later = 0] = (await store.commit([put('plants', '1', plant(1, 'later'))])) ?? [];
    await store.commit([put('pots', '1', plant(1)), put('plants', '2', plant(2))]);
    await stores.copy('default/snapshot', 'default');
    const restored = await stores.open('default');
    const found = await restored.get('plants', '1');
    t.deepEqual(found && readStored(found), {
      key: '1',
      resource: plant(1),
      version: old ?? 0,
    });
    t.deepEqual(await restored.counts(), new Map([['plants', 1]]));
    const [next = 0] = (await restored.commit([put('plants', '1', plant(1, 'next'))])) ?? [];
    t.true(next > later, 'a version that was given before the copy is not given again');
    const snapshot = await stores.open('default/snapshot');
    t.deepEqual(await listAll(snapshot, 'plants'), [plant(1)]);
    await stores.copy('default', 'default');
    t.deepEqual(await listAll(await stores.open('default'), 'plants'), [plant(1, 'next')]);
  });
}

function testBeginnings(test: TestFn, name: string, make: MakeStores): void {
  test(`${name}: a store begins with the beginning, each with its own`, async (t) => {
    const beginning = [put('plants', '1', plant(1)), put('plants', '2', plant(2))];
    const { stores, reopen } = await make(t, () => beginning);
    const [first, second] = [await stores.open('first'), await stores.open('second')];
    t.deepEqual(await listAll(first, 'plants'), [plant(1), plant(2)]);
    await first.commit([remove('plants', '1'), put('plants', '3', plant(3))]);
    t.deepEqual(await listAll(second, 'plants'), [plant(1), plant(2)]);
    const again = await (await reopen()).open('first');
    t.deepEqual(await listAll(again, 'plants'), [plant(2), plant(3)], 'it does not begin twice');
    await stores.drop('first');
    const anew = await stores.open('first');
    t.deepEqual(await listAll(anew, 'plants'), [plant(1), plant(2)]);
    t.is((await anew.get('plants', '1'))?.version, (await second.get('plants', '1'))?.version);
  });

  test(`${name}: a beginning that is on its way is waited for, and counts as it is then`, async (t) => {
    let changes = [put('plants', '1', plant(1))];
    const { stores } = await make(t, async () => changes);
    const opened = await Promise.all([stores.open('first'), stores.open('first')]);
    await opened[0].commit([put('plants', '2', plant(2))]);
    t.deepEqual(await listAll(opened[1], 'plants'), [plant(1), plant(2)]);
    changes = [put('plants', '9', plant(9))];
    t.deepEqual(await listAll(await stores.open('second'), 'plants'), [plant(9)]);
    t.deepEqual(await listAll(opened[0], 'plants'), [plant(1), plant(2)]);
  });
}
