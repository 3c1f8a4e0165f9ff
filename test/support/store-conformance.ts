import type { TestFn } from 'ava';
import fc from 'fast-check';
import type { JsonObject } from '../../src/json/value.ts';
import type { Store } from '../../src/state/store.ts';

/** What every Store must keep, whatever it keeps it in. Names the tests by the store. */
export function testStore(test: TestFn, name: string, createStore: () => Store): void {
  testCollections(test, name, createStore);
  testOrder(test, name, createStore);
  testKeys(test, name, createStore);
  testRemoval(test, name, createStore);
  testForks(test, name, createStore);
}

function plant(id: number, name = `plant ${id}`): JsonObject {
  return { id, name };
}

function testCollections(test: TestFn, name: string, createStore: () => Store): void {
  test(`${name}: a collection that nothing was put into is empty and has no name`, (t) => {
    const store = createStore();
    const plants = store.collection('plants');
    t.is(plants.size, 0);
    t.deepEqual(plants.list(), []);
    t.is(plants.get('1'), undefined);
    t.false(plants.has('1'));
    t.false(plants.delete('1'));
    t.deepEqual(store.names(), []);
  });

  test(`${name}: what was put is there, under its key and its collection only`, (t) => {
    const store = createStore();
    store.collection('plants').put('1', plant(1));
    t.true(store.collection('plants').has('1'));
    t.deepEqual(store.collection('plants').get('1'), plant(1));
    t.is(store.collection('plants').size, 1);
    t.false(store.collection('plants').has('2'));
    t.false(store.collection('pots').has('1'));
    t.deepEqual(store.names(), ['plants']);
  });

  test(`${name}: a collection that is asked for twice is the same`, (t) => {
    const store = createStore();
    const early = store.collection('plants');
    store.collection('plants').put('1', plant(1));
    t.is(early.size, 1);
    t.deepEqual(early.list(), [plant(1)]);
  });

  test(`${name}: two stores share nothing`, (t) => {
    const [first, second] = [createStore(), createStore()];
    first.collection('plants').put('1', plant(1));
    t.is(second.collection('plants').size, 0);
    second.clear();
    t.is(first.collection('plants').size, 1);
  });
}

function testOrder(test: TestFn, name: string, createStore: () => Store): void {
  test(`${name}: resources are listed in the order in which they were first put`, (t) => {
    const plants = createStore().collection('plants');
    for (const id of [10, 9, 2, 1]) plants.put(String(id), plant(id));
    t.deepEqual(
      plants.list(),
      [10, 9, 2, 1].map((id) => plant(id)),
    );
  });

  test(`${name}: one that is put again is replaced in its place`, (t) => {
    const plants = createStore().collection('plants');
    for (const id of [3, 2, 1]) plants.put(String(id), plant(id));
    plants.put('2', plant(2, 'another'));
    t.is(plants.size, 3);
    t.deepEqual(plants.list(), [plant(3), plant(2, 'another'), plant(1)]);
  });

  test(`${name}: one that was deleted and is put again comes last`, (t) => {
    const plants = createStore().collection('plants');
    for (const id of [1, 2]) plants.put(String(id), plant(id));
    plants.delete('1');
    plants.put('1', plant(1));
    t.deepEqual(plants.list(), [plant(2), plant(1)]);
  });
}

function testKeys(test: TestFn, name: string, createStore: () => Store): void {
  test(`${name}: keys and names compare as text, and any text is one`, (t) => {
    const store = createStore();
    const texts = [
      '',
      '1',
      '01',
      '1.0',
      'a',
      'A',
      '__proto__',
      'constructor',
      'é',
      'e\u0301',
      '🌵',
      'a/b',
      ' ',
      '\u0000',
    ];
    for (const [index, text] of texts.entries()) store.collection(text).put(text, plant(index));
    for (const [index, text] of texts.entries()) {
      t.deepEqual(store.collection(text).list(), [plant(index)], JSON.stringify(text));
      t.deepEqual(store.collection(text).get(text), plant(index));
    }
    t.deepEqual([...store.names()].sort(), [...texts].sort());
    for (const text of texts) store.collection('all').put(text, plant(0));
    t.is(store.collection('all').size, texts.length);
  });

  test(`${name}: values keep every digit, key and order of keys`, (t) => {
    const value: JsonObject = {
      z: 9223372036854775807n,
      a: [1.5, null, { '': true }],
      ['10']: 'text',
      ['2']: '🌵\ud800',
    };
    const plants = createStore().collection('plants');
    plants.put('1', value);
    t.deepEqual(plants.get('1'), value);
    t.deepEqual(Object.keys(plants.get('1') ?? {}), Object.keys(value));
  });
}

function testRemoval(test: TestFn, name: string, createStore: () => Store): void {
  test(`${name}: what was deleted is gone, once`, (t) => {
    const store = createStore();
    const plants = store.collection('plants');
    plants.put('1', plant(1));
    plants.put('2', plant(2));
    t.true(plants.delete('1'));
    t.false(plants.delete('1'));
    t.false(plants.has('1'));
    t.deepEqual(plants.list(), [plant(2)]);
    plants.delete('2');
    t.deepEqual(store.names(), [], 'an empty collection has no name');
  });

  test(`${name}: a collection that is cleared leaves the others`, (t) => {
    const store = createStore();
    store.collection('plants').put('1', plant(1));
    store.collection('pots').put('1', plant(1));
    store.collection('plants').clear();
    t.is(store.collection('plants').size, 0);
    t.deepEqual(store.names(), ['pots']);
  });

  test(`${name}: a store that is cleared is as it was in the beginning`, (t) => {
    const store = createStore();
    const held = store.collection('plants');
    held.put('1', plant(1));
    store.clear();
    t.deepEqual(store.names(), []);
    t.is(store.collection('plants').size, 0);
    t.is(held.size, 0, 'also for one who holds the collection');
    held.put('2', plant(2));
    t.deepEqual(store.collection('plants').list(), [plant(2)], 'and it is the same still');
  });

  test(`${name}: a list that was taken does not change under its reader`, (t) => {
    const plants = createStore().collection('plants');
    plants.put('1', plant(1));
    const list = plants.list();
    plants.put('2', plant(2));
    plants.clear();
    t.deepEqual(list, [plant(1)]);
  });

  test(`${name}: a hundred thousand resources are no trouble`, (t) => {
    const plants = createStore().collection('plants');
    for (let id = 0; id < 100_000; id++) plants.put(String(id), plant(id));
    t.is(plants.size, 100_000);
    for (let id = 0; id < 100_000; id += 2) plants.delete(String(id));
    t.is(plants.list().length, 50_000);
    t.deepEqual(plants.get('99999'), plant(99_999));
  });
}

function testForks(test: TestFn, name: string, createStore: () => Store): void {
  test(`${name}: a fork holds what the store holds, and neither sees what the other does next`, (t) => {
    const store = createStore();
    store.collection('plants').put('1', plant(1));
    store.collection('plants').put('2', plant(2));
    const fork = store.fork();
    store.collection('plants').put('1', plant(1, 'changed'));
    fork.collection('plants').delete('1');
    fork.collection('plants').put('3', plant(3));
    t.deepEqual(store.collection('plants').list(), [plant(1, 'changed'), plant(2)]);
    t.deepEqual(fork.collection('plants').list(), [plant(2), plant(3)]);
    store.clear();
    t.is(fork.collection('plants').size, 2);
  });

  test(`${name}: a store that is restored holds what the other holds then, and nothing else`, (t) => {
    const store = createStore();
    store.collection('plants').put('1', plant(1));
    const plants = store.collection('plants');
    const snapshot = store.fork();
    plants.put('2', plant(2));
    store.collection('pots').put('1', plant(1));
    store.restore(snapshot);
    t.deepEqual(plants.list(), [plant(1)]);
    t.deepEqual(store.names(), ['plants']);
    plants.delete('1');
    t.deepEqual(snapshot.collection('plants').list(), [plant(1)]);
  });

  test(`${name}: forks of forks answer as copies would, whatever is done to them`, (t) => {
    const step = fc.tuple(
      fc.constantFrom('put' as const, 'delete' as const, 'clear' as const, 'fork' as const),
      fc.nat(),
      fc.constantFrom('a', 'b', 'c', 'd'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const first: Twins = { store: createStore(), model: new Map() };
        const twins: Twins[] = [first];
        for (const [kind, number, key] of steps) {
          const { store, model } = twins[number % twins.length] ?? first;
          const plants = store.collection('plants');
          const take = {
            put: () => [plants.put(key, plant(number)), model.set(key, plant(number))],
            delete: () => t.is(plants.delete(key), model.delete(key)),
            clear: () => [store.clear(), model.clear()],
            fork: () => twins.push({ store: store.fork(), model: new Map(model) }),
          };
          take[kind]();
        }
        for (const { store, model } of twins) {
          t.deepEqual(store.collection('plants').list(), [...model.values()]);
          t.is(store.collection('plants').size, model.size);
        }
      }),
    );
  });
}

/** A store, and a map that is done the same to. */
interface Twins {
  readonly store: Store;
  readonly model: Map<string, JsonObject>;
}
