import test from 'ava';
import { MemoryStores } from '../../src/state/memory-stores.ts';
import { StateBudget } from '../../src/state/state-budget.ts';
import type { Store, Stores } from '../../src/state/store.ts';
import { fc } from '../support/properties.ts';
import {
  listAll,
  type MakeStores,
  plant,
  put,
  remove,
  testStores,
} from '../support/store-conformance.ts';
import { testStoresByModel } from '../support/store-model.ts';

const make: MakeStores = (_, beginning) => {
  const stores = new MemoryStores(beginning === undefined ? {} : { beginning });
  return { stores, reopen: () => stores };
};

testStores(test, 'memory', make);
testStoresByModel(test, 'memory', make, 500);

/** Memory answers at once: what would be a promise is a fault. */
function open(stores: Stores, name: string): Store {
  const store = stores.open(name);
  if (store instanceof Promise) throw new TypeError('a memory store is there at once');
  return store;
}

type Step = readonly ['put' | 'delete' | 'copy' | 'replace', string, number, string];

async function take(stores: Stores, [kind, name, number, text]: Step): Promise<void> {
  const store = open(stores, name);
  const keys = Array.from({ length: number }, (_, index) => `${text.slice(0, 1)}${index}`);
  // Long ones are kept in another way.
  const repeats = number % 5 === 0 ? 500 : 1;
  const steps = {
    put: () => store.commit(keys.map((key) => put('plants', key, { text: text.repeat(repeats) }))),
    delete: () => store.commit(keys.map((key) => remove('plants', key))),
    copy: () => stores.copy(name, text === '' ? 'a' : 'd'),
    replace: () => store.replace(text === '' ? 'all' : ['plants'], [put('plants', 'a', {})]),
  };
  await steps[kind]();
}

test('dropped stores free their memory', async (t) => {
  const step = fc.tuple(
    fc.constantFrom(
      'put' as const,
      'put' as const,
      'delete' as const,
      'copy' as const,
      'replace' as const,
    ),
    fc.constantFrom('a', 'b', 'c'),
    fc.nat({ max: 400 }),
    fc.string({ unit: 'grapheme' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
      const budget = new StateBudget(100_000_000);
      const stores = new MemoryStores({ budget });
      for (const one of steps) await take(stores, one);
      let count = 0;
      for (const name of await stores.names()) count += await open(stores, name).count('plants');
      t.is(budget.taken > 0, count > 0);
      for (const name of await stores.names()) await stores.drop(name);
      t.is(budget.taken, 0);
    }),
  );
});

test('a resource without room is refused, and nothing changes', async (t) => {
  const budget = new StateBudget(2000);
  const store = open(new MemoryStores({ budget }), 'default');
  await store.commit([put('plants', '1', plant(1))]);
  const { taken } = budget;
  const refused = { message: /state-limit/ };
  const large = { name: 'x'.repeat(2000) };
  t.throws(() => store.commit([put('plants', '1', large)]), refused);
  t.throws(() => store.commit([put('plants', '2', plant(2)), put('plants', '3', large)]), refused);
  t.deepEqual(await listAll(store, 'plants'), [plant(1)]);
  t.is(budget.taken, taken);
});

test('a resource can be replaced by one of its size without room for both', async (t) => {
  const budget = new StateBudget(2000);
  const stores = new MemoryStores({ budget });
  const store = open(stores, 'default');
  await store.commit([put('plants', '1', { name: 'x'.repeat(1000) })]);
  await store.commit([put('plants', '1', { name: 'y'.repeat(1000) })]);
  t.deepEqual(await listAll(store, 'plants'), [{ name: 'y'.repeat(1000) }]);
  await stores.copy('default', 'default/copy');
  const replace = () => store.commit([put('plants', '1', { name: 'z'.repeat(1000) })]);
  t.throws(replace, { message: /state-limit/ }, 'while a copy has it still');
  await stores.drop('default/copy');
  t.notThrows(replace);
});

test('what is removed makes room for what replaces it, unless a copy has it still', async (t) => {
  const budget = new StateBudget(4000);
  const stores = new MemoryStores({ budget });
  const store = open(stores, 'default');
  const fill = (text: string) => [0, 1].map((id) => put('plants', `${id}`, { text }));
  await store.commit(fill('x'.repeat(800)));
  await store.commit([put('pots', '1', { text: 'p'.repeat(500) })]);
  await store.replace(['plants'], fill('y'.repeat(900)));
  await store.replace('all', fill('z'.repeat(1100)));
  t.throws(() => store.replace('all', fill('w'.repeat(2000))), { message: /state-limit/ });
  t.deepEqual(
    await listAll(store, 'plants'),
    [0, 1].map(() => ({ text: 'z'.repeat(1100) })),
  );
  await stores.copy('default', 'default/copy');
  t.throws(() => store.replace('all', fill('v'.repeat(1100))), { message: /state-limit/ });
  await store.replace('all', []);
  await stores.drop('default/copy');
  t.is(budget.taken, 0);
});

test('a resource can be deleted, with a note of it, where there is no more room', async (t) => {
  const budget = new StateBudget(2_000);
  const store = open(new MemoryStores({ budget }), 'default');
  for (let id = 0; budget.hasRoom(200); id++) {
    await store.commit([put('plants', `${id}`, plant(id))]);
  }
  const size = await store.count('plants');
  t.throws(() => store.commit([put('pots', '1', plant(1))]), { message: /state-limit/ });
  await store.commit([remove('plants', '0'), put('$deleted', 'plants 0', {})]);
  t.is(await store.count('plants'), size - 1);
});

test('a change to a store that was dropped meanwhile uses no memory', async (t) => {
  const budget = new StateBudget(Number.POSITIVE_INFINITY);
  const stores = new MemoryStores({ budget });
  const store = open(stores, 'default');
  await store.commit([put('plants', '1', plant(1))]);
  await stores.drop('default');
  await store.commit([put('plants', '1', plant(1))]);
  t.is(budget.taken, 0);
  t.deepEqual(await open(stores, 'default').counts(), new Map());
});

test('a copy uses no memory, whatever its size', async (t) => {
  const budget = new StateBudget(Number.POSITIVE_INFINITY);
  const stores = new MemoryStores({ budget });
  const store = open(stores, 'default');
  const ids = Array.from({ length: 10_000 }, (_, id) => id);
  await store.commit(ids.map((id) => put('plants', String(id), plant(id))));
  const { taken } = budget;
  for (let copy = 0; copy < 100; copy++) await stores.copy('default', `default/${copy}`);
  t.is(budget.taken, taken);
  await store.commit([put('plants', '5000', plant(1))]);
  t.true(budget.taken < taken + 20_000, 'and a change takes room for itself alone');
});

test('stores that start with the same resources share them', async (t) => {
  const budget = new StateBudget(Number.POSITIVE_INFINITY);
  const beginning = Array.from({ length: 1000 }, (_, id) => put('plants', String(id), plant(id)));
  const stores = new MemoryStores({ budget, beginning: () => beginning });
  await stores.open('first');
  const { taken } = budget;
  for (let number = 0; number < 100; number++) await stores.open(`session ${number}`);
  t.is(budget.taken, taken);
});

test('a hundred thousand resources are created, read, listed and deleted', async (t) => {
  const store = open(new MemoryStores(), 'default');
  for (let id = 0; id < 100_000; id++) await store.commit([put('plants', String(id), plant(id))]);
  t.is(await store.count('plants'), 100_000);
  for (let id = 0; id < 100_000; id += 2) await store.commit([remove('plants', String(id))]);
  t.is((await listAll(store, 'plants')).length, 50_000);
  t.deepEqual((await store.get('plants', '99999'))?.resource, plant(99_999));
  const [last] = await store.list('plants', { offset: 49_999, limit: 1 });
  t.is(last?.key, '99999');
});
