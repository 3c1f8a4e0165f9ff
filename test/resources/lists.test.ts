import assert from 'node:assert/strict';
import test from 'ava';
import { toInstant } from '../../src/base/clock.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { Problem } from '../../src/base/problem.ts';
import type { ListRequest, ListStart } from '../../src/resources/list/compile-query.ts';
import { readFieldSelection, selectFields } from '../../src/resources/list/fields.ts';
import { createFilter, type Filter } from '../../src/resources/list/filter.ts';
import type { Comparison } from '../../src/resources/list/list-query.ts';
import { readMoments } from '../../src/resources/list/moment.ts';
import { type Page, readCursor, writeCursor } from '../../src/resources/list/page.ts';
import { readPage } from '../../src/resources/list/read-page.ts';
import { createSearch } from '../../src/resources/list/search.ts';
import {
  compareSortValues,
  readSort,
  type SortOrder,
  toSortValue,
} from '../../src/resources/list/sort.ts';
import { MemoryStores } from '../../src/state/memory-stores.ts';
import type { Range, Store, Stored } from '../../src/state/store.ts';
import { fc, holds } from '../support/properties.ts';

const PLACE = 'plants';
const CREATION_ORDER: SortOrder = { keys: [], isReversed: false };

function read(text: string): JsonObject {
  const value = parseJson(text);
  assert(isJsonObject(value));
  return value;
}

async function openStore(resources: readonly JsonObject[]): Promise<Store> {
  const store = await new MemoryStores().open('a');
  await store.commit(
    resources.map((resource) => ({
      collection: PLACE,
      key: stringifyJson(resource['id'] ?? null),
      expected: 'any',
      resource,
    })),
  );
  return store;
}

/** The same store, as one that is asked over a network answers. */
function remote(store: Store): Store {
  return {
    get: async (collection, key) => store.get(collection, key),
    list: async (collection, range) => store.list(collection, range),
    count: async (collection) => store.count(collection),
    counts: async () => store.counts(),
    commit: async (changes) => store.commit(changes),
    nextNumber: async (name) => store.nextNumber(name),
    replace: async (removed, changes) => store.replace(removed, changes),
  };
}

async function remove(store: Store, keys: readonly string[]): Promise<void> {
  await store.commit(
    keys.map((key) => ({ collection: PLACE, key, expected: 'any', resource: undefined })),
  );
}

function passes(filter: Filter, resource: JsonObject): boolean {
  return filter({ resource }, 0);
}

/** @returns whether a filter finds a resource */
function finds(resource: string, property: string, comparison: Comparison, wanted: JsonValue) {
  return passes(createFilter(property.split('.'), comparison, wanted), read(resource));
}

test('a filter compares numbers exactly', (t) => {
  const plant = '{"id": 9223372036854775807, "price": 1.50}';
  t.true(finds(plant, 'id', 'equal', 9223372036854775807n));
  t.false(finds(plant, 'id', 'equal', 9223372036854775806n));
  t.true(finds(plant, 'id', 'greater', 9223372036854775806n));
  t.true(finds(plant, 'price', 'equal', 1.5));
  t.true(finds(plant, 'price', 'at-most', '1.5'));
  t.false(finds(plant, 'price', 'less', 1.5));
});

test('a string filter finds an equal number or boolean', (t) => {
  t.true(finds('{"id": 7}', 'id', 'equal', '7'));
  t.true(finds('{"isRare": true}', 'isRare', 'equal', 'true'));
  t.true(finds('{"code": "7"}', 'code', 'equal', 7));
  t.false(finds('{"name": null}', 'name', 'equal', 'null'));
});

test('a filter with several values finds resources with one of them', (t) => {
  t.true(finds('{"status": "sold"}', 'status', 'equal', ['new', 'sold']));
  t.false(finds('{"status": "old"}', 'status', 'equal', ['new', 'sold']));
  t.false(finds('{"status": "sold"}', 'status', 'not-equal', ['new', 'sold']));
  t.true(finds('{}', 'status', 'not-equal', 'sold'));
});

test('a filter on a list finds resources with such an item', (t) => {
  t.true(finds('{"tags": ["green", "rare"]}', 'tags', 'equal', 'rare'));
  t.true(finds('{"tags": [{"name": "rare"}]}', 'tags.name', 'equal', 'rare'));
  t.false(finds('{"tags": []}', 'tags', 'equal', 'rare'));
});

test('a filter on an object finds it by its name', (t) => {
  t.true(finds('{"tags": [{"id": 1, "name": "red"}]}', 'tags', 'equal', ['red']));
  t.true(finds('{"category": {"id": 7}}', 'category', 'equal', '7'));
  t.false(finds('{"category": {"id": 7, "note": "8"}}', 'category', 'equal', '8'));
});

test('a filter reaches nested members', (t) => {
  t.true(finds('{"garden": {"id": 3}}', 'garden.id', 'equal', 3));
  t.true(finds('{"price": {"eur": 3}}', 'price', 'equal', { eur: { gte: 2, lt: 4 } }));
  t.false(finds('{"price": {"eur": 4}}', 'price', 'equal', { eur: { gte: 2, lt: 4 } }));
});

test('a filter compares times in any time zone', (t) => {
  const made = '{"at": "2026-03-01T23:30:00.250000001Z"}';
  t.true(finds(made, 'at', 'equal', '2026-03-02T00:30:00.250000001+01:00'));
  t.true(finds(made, 'at', 'greater', '2026-03-01T23:30:00.25Z'));
  t.false(finds(made, 'at', 'greater', '2026-03-02T00:00:00Z'));
});

test('a time means the same however many digits its second has', (t) => {
  const digits = fc.nat({ max: 65 }).map((one) => String(one).padStart(2, '0'));
  const years = fc.constantFrom('0099', '1969', '2024', '2025', '20x4');
  const dates = fc.tuple(years, fc.nat({ max: 13 }), fc.nat({ max: 32 }));
  const times = fc.tuple(digits, digits, digits);
  const fractions = fc.constantFrom('', '.500', '.075', '.x75');
  const property = fc.property(dates, times, fractions, (date, time, fraction) => {
    const [year, ...days] = date.map((one) => String(one).padStart(2, '0'));
    const second = `${[year, ...days].join('-')}T${time.join(':')}`;
    const usual = readMoments(`${second}${fraction}Z`);
    assert.deepEqual(usual, readMoments(`${second}${(fraction || '.').padEnd(6, '0')}Z`));
  });
  holds(t, property, 2000);
});

test('a filter by a date covers the whole day', (t) => {
  const made = '{"at": "2026-03-01T23:30:00Z"}';
  t.true(finds(made, 'at', 'equal', '2026-03-01'));
  t.true(finds(made, 'at', 'at-most', '2026-03-01'));
  t.true(finds(made, 'at', 'at-least', '2026-03-01'));
  t.false(finds(made, 'at', 'greater', '2026-03-01'));
  t.true(finds(made, 'at', 'greater', '2026-02-28'));
  t.true(finds(made, 'at', 'less', '2026-03-02'));
  t.true(finds('{"on": "2026-03-01"}', 'on', 'at-least', '2026-03-01'));
});

test('a filter by part of a string ignores case, one by the whole string does not', (t) => {
  t.true(finds('{"name": "Boston Fern"}', 'name', 'contains', 'fern'));
  t.true(finds('{"name": "Boston Fern"}', 'name', 'starts-with', 'BOST'));
  t.false(finds('{"name": "Boston Fern"}', 'name', 'equal', 'boston fern'));
});

test('a filter ignores inherited members', (t) => {
  t.false(finds('{}', 'constructor.name', 'equal', 'Object'));
  t.true(finds('{"__proto__": 1}', '__proto__', 'equal', 1));
});

test('a search finds each word in some string, ignoring case', (t) => {
  const plant = read('{"id": 12, "name": "Boston Fern", "tags": [{"text": "green"}]}');
  t.true(passes(createSearch('fern GREEN'), plant));
  t.true(passes(createSearch('12'), plant));
  t.false(passes(createSearch('fern blue'), plant));
});

test('fields are selected by name, even nested ones', (t) => {
  const plant = read('{"id": 1, "name": "Fern", "garden": {"id": 2, "name": "North"}}');
  const select = (wanted: JsonValue) =>
    stringifyJson(selectFields(plant, readFieldSelection(wanted), (name) => name === 'id'));
  t.is(select('name'), '{"id":1,"name":"Fern"}');
  t.is(select(['garden.name']), '{"id":1,"garden":{"name":"North"}}');
  t.is(select(''), stringifyJson(plant));
  t.is(select('nothing'), '{"id":1}');
});

const NAMES = ['id', 'name', 'createdAt', 'owner'];

test('a list of thousands of resources is filtered by thousands of values at once', (t) => {
  const plants = Array.from({ length: 10_000 }, (_, id): JsonObject => {
    return { id, name: `plant ${id}`, planted: '2026-01-01T00:00:00Z' };
  });
  const ids = Array.from({ length: 4000 }, (_, id) => String(id + 5000));
  const names = ids.map((id) => `plant ${id}`);
  const days = Array.from({ length: 1500 }, (_, day) => toInstant(day * 86_400_000).slice(0, 10));
  const started = performance.now();
  const countOf = (filter: Filter) => plants.filter((plant) => passes(filter, plant)).length;
  t.is(countOf(createFilter(['id'], 'equal', ids)), 4000);
  t.is(countOf(createFilter(['name'], 'not-equal', names)), 6000);
  t.is(countOf(createFilter(['planted'], 'equal', days)), 0);
  t.true(performance.now() - started < 3000);
});

test('a comparison with too many values, and a search for too many words, is refused', (t) => {
  const many = Array.from({ length: 101 }, (_, index) => `w${index}`);
  const isRefused = { instanceOf: Problem, message: /at most 100 .* at once, not by 101$/ };
  t.throws(() => createFilter(['name'], 'less', many), isRefused);
  t.throws(() => createFilter(['size'], 'equal', { lt: many.slice(1), gt: 'w' }), isRefused);
  t.throws(() => createSearch(many.join(' ')), isRefused);
  const found = createSearch([...many.slice(1), 'w1'].join(' '));
  t.true(passes(found, { text: many.join(' ') }));
});

test('fields are selected however deep and however many', (t) => {
  const names = Array.from({ length: 8000 }, (_, index) => `n${index}`);
  const started = performance.now();
  t.truthy(readFieldSelection(names.join(',')));
  t.truthy(readFieldSelection(names.join('.')));
  t.true(performance.now() - started < 1000);
});

test('every common notation of an order works', (t) => {
  const descending = [{ property: ['name'], isDescending: true }];
  for (const wish of ['-name', 'name:desc', 'name desc', 'name_desc', 'NAME.DESC', 'name|desc']) {
    t.deepEqual(readSort(wish, undefined, NAMES).keys, descending, wish);
  }
  t.deepEqual(readSort('name', 'desc', NAMES).keys, descending);
  t.deepEqual(readSort('name', undefined, NAMES).keys[0]?.isDescending, false);
  t.deepEqual(readSort('created', undefined, NAMES).keys[0]?.property, ['createdAt']);
  t.deepEqual(readSort('created_at', undefined, NAMES).keys[0]?.property, ['createdAt']);
  t.deepEqual(readSort('owner.name', undefined, NAMES).keys[0]?.property, ['owner', 'name']);
  t.deepEqual(
    readSort('name,-id', undefined, NAMES).keys.map(({ property }) => property[0]),
    ['name', 'id'],
  );
});

test('an order by an unknown property has no effect', (t) => {
  t.deepEqual(readSort('colour', undefined, NAMES), CREATION_ORDER);
  t.deepEqual(readSort(undefined, 'desc', NAMES), { keys: [], isReversed: true });
  t.deepEqual(readSort('desc', undefined, NAMES), { keys: [], isReversed: true });
});

const scalars = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<JsonValue>(
    true,
    false,
    9223372036854775807n,
    'Fern',
    'fern',
    'Moss',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.5+01:00',
  ),
);

function compareValues(left: JsonValue, right: JsonValue): number {
  return compareSortValues(toSortValue(left), toSortValue(right));
}

test('values of all types have one order', (t) => {
  const property = fc.property(scalars, scalars, scalars, (a, b, c) => {
    assert.equal(Math.sign(compareValues(a, b)), -Math.sign(compareValues(b, a)) + 0);
    if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) assert(compareValues(a, c) <= 0);
  });
  holds(t, property, 2000);
});

test('a cursor is decoded, and other text is not a cursor', (t) => {
  const cursor = {
    direction: 'after' as const,
    seen: '"a/b ü"',
    beyond: undefined,
    values: ['Fern', 9223372036854775807n],
    index: 7,
    count: 12,
  };
  t.deepEqual(readCursor(writeCursor(cursor)), cursor);
  t.regex(writeCursor(cursor), /^[\w-]+$/);
  const property = fc.property(fc.string(), (text) => {
    const found = readCursor(text);
    assert(found === undefined || writeCursor(found) !== '');
  });
  holds(t, property);
});

const START: ListStart = { kind: 'offset', offset: 0 };

function request(more: Partial<ListRequest>): ListRequest {
  return {
    filters: [],
    sort: CREATION_ORDER,
    limit: undefined,
    start: START,
    fields: undefined,
    hasCursors: true,
    ...more,
  };
}

const plants = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 25 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .record({ name: fc.constantFrom('Aloe', 'fern', 'Moss', null), size: fc.nat(3) })
          .map((plant): JsonObject => ({ id, ...plant })),
      ),
    ),
  );

const sorts = fc.constantFrom<SortOrder>(
  CREATION_ORDER,
  { keys: [], isReversed: true },
  { keys: [{ property: ['name'], isDescending: false }], isReversed: false },
  {
    keys: [
      { property: ['size'], isDescending: true },
      { property: ['name'], isDescending: false },
    ],
    isReversed: false,
  },
);

const filters = fc.constantFrom<ListRequest['filters']>(
  [],
  [createFilter(['size'], 'at-least', 2)],
  [createFilter(['name'], 'equal', ['Aloe', 'Moss'])],
);

const wishes = fc.record({ sort: sorts, filters, limit: fc.integer({ min: 1, max: 7 }) });

function idsOf(page: Pick<Page, 'items'>): readonly string[] {
  return page.items.map(({ key }) => key);
}

/** Follows the cursors that pages have. */
async function walk(
  store: Store,
  wish: Partial<ListRequest>,
  direction: 'next' | 'previous',
  start: ListStart = START,
  between: (page: Page) => Promise<void> = async () => {},
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let from: ListStart | undefined = start;
  while (from !== undefined) {
    const page: Page = await readPage(store, PLACE, request({ ...wish, start: from }));
    pages.push(page);
    assert(pages.length < 100);
    await between(page);
    const cursor = page[direction];
    const kind = direction === 'next' ? 'after' : 'before';
    from = cursor && { kind, cursor: writeCursor(cursor) };
  }
  return pages;
}

test('a list that is asked for again has what was written since', async (t) => {
  const kept = fc.record({
    name: fc.constantFrom<JsonValue>('Aloe', 'fern', ['Moss', 'fern'], null, 7),
    at: fc.constantFrom<JsonValue>('2026-01-01', '2026-01-02T00:00:00.0001Z', '2026-01-03', 'x', 3),
  });
  const change = fc.tuple(fc.nat(9), fc.option(kept, { nil: undefined }));
  const wanted = fc.constantFrom<() => ListRequest['filters']>(
    () => [],
    () => [createFilter(['name'], 'contains', 'E')],
    () => [createFilter(['at'], 'greater', '2026-01-01')],
    () => [createFilter(['at'], 'at-most', '2026-01-02')],
    () => [createFilter(['name'], 'not-equal', 'fern')],
    () => [createSearch('fern'), createSearch('3')],
  );
  const wish = fc.record({ wanted, sort: fc.constantFrom(undefined, 'name', '-at') });
  const property = fc.asyncProperty(
    fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 5 }),
    fc.array(wish, { minLength: 1, maxLength: 4 }),
    async (turns, wishes) => {
      const store = await openStore([]);
      for (const changes of turns) {
        for (const [id, plant] of changes) {
          const key = String(id);
          const resource = plant && { id, ...plant };
          await store.commit([{ collection: PLACE, key, expected: 'any', resource }]);
        }
        const all = await store.list(PLACE, { offset: 0, limit: 100 });
        const fresh = await openStore(all.map(({ resource }) => resource));
        for (const one of wishes) {
          const sort = readSort(one.sort, undefined, ['name', 'at']);
          const read = async (from: Store) =>
            idsOf(await readPage(from, PLACE, request({ sort, filters: one.wanted() })));
          assert.deepEqual(await read(store), await read(fresh));
        }
      }
    },
  );
  await t.notThrowsAsync(async () => fc.assert(property, { numRuns: 300 }));
});

test('the pages of a list have each resource once, in order', async (t) => {
  const property = fc.asyncProperty(
    plants,
    wishes,
    fc.boolean(),
    async (resources, wish, isFar) => {
      const near = await openStore(resources);
      const store = isFar ? remote(near) : near;
      const whole = await readPage(store, PLACE, request({ ...wish, limit: undefined }));
      const expected = idsOf(whole);
      const matching = resources.filter((one) =>
        wish.filters.every((filter) => passes(filter, one)),
      );
      assert.equal(expected.length, matching.length);
      const byCursor = await walk(store, wish, 'next');
      assert.deepEqual(byCursor.flatMap(idsOf), expected);
      let offset = 0;
      for (const page of byCursor) {
        assert.equal(page.offset, offset);
        assert.equal(page.total, expected.length);
        const byOffset = await readPage(
          store,
          PLACE,
          request({ ...wish, start: { kind: 'offset', offset } }),
        );
        assert.deepEqual(idsOf(byOffset), idsOf(page));
        offset += wish.limit;
      }
      const last = byCursor.at(-1)?.previous;
      if (last === undefined) return;
      const start = { kind: 'before' as const, cursor: writeCursor(last) };
      const backward = await walk(store, wish, 'previous', start);
      const before = [...backward].reverse().flatMap(idsOf);
      assert.deepEqual([...before, ...idsOf(byCursor.at(-1) ?? { items: [] })], expected);
    },
  );
  await t.notThrowsAsync(async () => fc.assert(property, { numRuns: 300 }));
});

test('a page can start after the key of the last seen resource', async (t) => {
  const property = fc.asyncProperty(plants, wishes, fc.nat(), async (resources, wish, choice) => {
    const store = await openStore(resources);
    const expected = idsOf(await readPage(store, PLACE, request({ ...wish, limit: undefined })));
    const at = choice % Math.max(1, expected.length);
    const key = expected[at];
    if (key === undefined) return;
    const page = await readPage(
      store,
      PLACE,
      request({ ...wish, start: { kind: 'after', cursor: key } }),
    );
    assert.deepEqual(idsOf(page), expected.slice(at + 1, at + 1 + wish.limit));
    const before = await readPage(
      store,
      PLACE,
      request({ ...wish, start: { kind: 'before', cursor: key } }),
    );
    assert.deepEqual(idsOf(before), expected.slice(Math.max(0, at - wish.limit), at));
  });
  await t.notThrowsAsync(async () => fc.assert(property, { numRuns: 300 }));
});

test('cursors stay complete while resources are created and deleted', async (t) => {
  const property = fc.asyncProperty(
    plants,
    wishes,
    fc.infiniteStream(fc.record({ victim: fc.nat(), isMade: fc.boolean() })),
    async (resources, wish, chances) => {
      const store = await openStore(resources);
      const list = async () =>
        idsOf(await readPage(store, PLACE, request({ ...wish, limit: undefined })));
      const before = await list();
      let made = 100;
      const pages = await walk(store, wish, 'next', START, async () => {
        const { value } = chances.next();
        const there = await list();
        const victim = there[value.victim % Math.max(1, there.length)];
        if (victim !== undefined) await remove(store, [victim]);
        if (!value.isMade || made > 110) return;
        const plant = { id: made++, name: 'fern', size: 2 };
        await store.commit([
          { collection: PLACE, key: String(plant.id), expected: 'any', resource: plant },
        ]);
      });
      const seen = pages.flatMap(idsOf);
      assert.equal(new Set(seen).size, seen.length, 'twice');
      const after = new Set(await list());
      for (const key of before) if (after.has(key)) assert(seen.includes(key), key);
    },
  );
  await t.notThrowsAsync(async () => fc.assert(property, { numRuns: 300 }));
});

test('deleting each seen page leaves no resource unseen', async (t) => {
  const resources = Array.from({ length: 23 }, (_, id): JsonObject => ({ id, name: 'Fern' }));
  for (const sort of [CREATION_ORDER, { keys: [], isReversed: true }]) {
    const store = await openStore(resources);
    const pages = await walk(store, { sort, limit: 5 }, 'next', START, async (page) =>
      remove(store, idsOf(page)),
    );
    t.is(new Set(pages.flatMap(idsOf)).size, 23);
  }
});

test('no resource is skipped when both neighbors of a position are deleted', async (t) => {
  const resources = Array.from({ length: 20 }, (_, id): JsonObject => ({ id }));
  const store = await openStore(resources);
  const { next } = await readPage(store, PLACE, request({ limit: 8 }));
  assert(next !== undefined);
  await remove(store, ['0', '1', '7', '8']);
  const start = { kind: 'after' as const, cursor: writeCursor(next) };
  const seen = idsOf(await readPage(store, PLACE, request({ start })));
  for (let id = 9; id < 20; id++) t.true(seen.includes(String(id)), String(id));
});

test('a long list is sorted like a short one', async (t) => {
  const resources = Array.from(
    { length: 9000 },
    (_, id): JsonObject => ({
      id,
      size: (id * 7919) % 4001,
    }),
  );
  const store = await openStore(resources);
  const sort = { keys: [{ property: ['size'], isDescending: true }], isReversed: false };
  const size = ({ resource }: Stored): number => Number(resource['size']);
  const expected = resources.map((one) => Number(one['size'])).sort((a, b) => b - a);
  let start: ListStart = { kind: 'offset', offset: 0 };
  for (let from = 0; from < 120; from += 40) {
    const page: Page = await readPage(store, PLACE, request({ sort, limit: 40, start }));
    t.deepEqual(page.items.map(size), expected.slice(from, from + 40));
    assert(page.next !== undefined);
    start = { kind: 'after', cursor: writeCursor(page.next) };
  }
  const last: Page = await readPage(
    store,
    PLACE,
    request({ sort, limit: 40, start: { kind: 'offset', offset: 8980 } }),
  );
  t.deepEqual(last.items.map(size), expected.slice(8980));
  assert(last.previous !== undefined);
  const before = { kind: 'before' as const, cursor: writeCursor(last.previous) };
  const page = await readPage(store, PLACE, request({ sort, limit: 40, start: before }));
  t.deepEqual(page.items.map(size), expected.slice(8940, 8980));
});

test('text that is neither cursor nor key is refused', async (t) => {
  const store = await openStore([{ id: 1 }]);
  for (const cursor of ['nonsense', '2', '!', '']) {
    const error = await t.throwsAsync(async () =>
      readPage(store, PLACE, request({ start: { kind: 'after', cursor } })),
    );
    t.true(error instanceof Problem && error.problem === 'INVALID_CURSOR');
  }
});

/** Counts what is asked of a store. */
function watch(store: Store): { readonly store: Store; readonly seen: () => number } {
  let seen = 0;
  const list = (collection: string, range: Range): readonly Stored[] => {
    const found = store.list(collection, range);
    assert(!(found instanceof Promise));
    seen += found.length;
    return found;
  };
  const watched: Store = {
    get: (collection, key) => store.get(collection, key),
    list,
    count: (collection) => store.count(collection),
    counts: () => store.counts(),
    commit: (changes) => store.commit(changes),
    nextNumber: (name) => store.nextNumber(name),
    replace: (removed, changes) => store.replace(removed, changes),
  };
  return { store: watched, seen: () => seen };
}

test('the cost of a page depends on its size, not on that of the collection', async (t) => {
  const many = Array.from({ length: 5000 }, (_, id): JsonObject => ({ id }));
  const { store, seen } = watch(await openStore(many));
  for (const sort of [CREATION_ORDER, { keys: [], isReversed: true }]) {
    const before = seen();
    const page = await readPage(
      store,
      PLACE,
      request({ sort, limit: 10, start: { kind: 'offset', offset: 2500 } }),
    );
    const cursor = page.next;
    assert(cursor !== undefined);
    await readPage(
      store,
      PLACE,
      request({ sort, limit: 10, start: { kind: 'after', cursor: writeCursor(cursor) } }),
    );
    t.true(seen() - before <= 26, String(seen() - before));
  }
});

test('a deletion while a long list is read hides no other resource', async (t) => {
  const many = Array.from({ length: 3500 }, (_, id): JsonObject => ({ id, size: id % 2 }));
  const store = await openStore(many);
  let isFirst = true;
  const { store: watched } = watch(store);
  const slow: Store = {
    ...watched,
    list: async (collection, range) => {
      const found = await store.list(collection, range);
      if (isFirst) await remove(store, ['10', '20', '30']);
      isFirst = false;
      return found;
    },
  };
  const page = await readPage(
    slow,
    PLACE,
    request({ filters: [createFilter(['size'], 'equal', 1)], limit: 2000 }),
  );
  t.is(page.items.length, 1750);
});
