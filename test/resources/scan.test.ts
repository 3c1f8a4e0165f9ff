import test from 'ava';
import { scan } from '../../src/resources/list/scan.ts';
import type { Range, Stored, StoredCollections } from '../../src/state/store.ts';

const COUNT = 6_000;
const EACH = 10;

/** Resources that others change before each part of them is read. */
class ChangingStore implements StoredCollections {
  #version = 0;
  stored: readonly Stored[] = Array.from({ length: COUNT }, (_, index) => this.#create(index));
  readonly #change: (store: ChangingStore) => void;
  readonly #isAsync: boolean;
  /** How often a part was read. */
  parts = 0;

  constructor(change: (store: ChangingStore) => void, isAsync: boolean) {
    this.#change = change;
    this.#isAsync = isAsync;
  }

  #create(index: number): Stored {
    return { key: `k${index}`, resource: { index }, version: ++this.#version };
  }

  /** Deletes the first ones of which the index is not kept. */
  delete(count: number): readonly number[] {
    const gone = this.stored.filter(({ resource }) => !isKept(Number(resource['index'])));
    const first = new Set(gone.slice(0, count));
    this.stored = this.stored.filter((one) => !first.has(one));
    return [...first].map(({ resource }) => Number(resource['index']));
  }

  add(indexes: readonly number[]): void {
    this.stored = [...this.stored, ...indexes.map((index) => this.#create(index))];
  }

  replaceAll(): void {
    this.stored = this.stored.map((one) => ({ ...one, version: ++this.#version }));
  }

  list(_: string, { offset, limit }: Range) {
    if (this.parts++ > 0) this.#change(this);
    const found = this.stored.slice(offset, offset + limit);
    return this.#isAsync ? Promise.resolve(found) : found;
  }

  get() {
    return undefined;
  }

  count() {
    return this.stored.length;
  }
}

function isKept(index: number): boolean {
  return index % EACH === 0;
}

const CHANGES: readonly (readonly [string, (store: ChangingStore) => void])[] = [
  ['nothing changes', () => {}],
  ['one is deleted before each part', (store) => void store.delete(1)],
  ['many are deleted before each part', (store) => void store.delete(300)],
  ['one after the other is deleted and created again', (store) => store.add(store.delete(20))],
  ['more than a part is deleted each time, at first', (store) => void store.delete(1_500)],
  [
    'all are replaced, and some deleted, in the beginning',
    (store) => {
      if (store.parts > 12) return;
      store.delete(10);
      store.replaceAll();
    },
  ],
];

for (const [what, change] of CHANGES) {
  for (const isAsync of [false, true]) {
    test(`a scan visits all that stay, each once, while ${what}${isAsync ? ', in a store elsewhere' : ''}`, async (t) => {
      const store = new ChangingStore(change, isAsync);
      const begin = () => {
        const keys: string[] = [];
        return { keys, visit: ({ key }: Stored) => keys.push(key) > 0 };
      };
      const { keys } = await scan(store, 'plants', begin);
      const kept = keys.filter((key) => isKept(Number(key.slice(1))));
      const wanted = Array.from({ length: COUNT / EACH }, (_, index) => `k${index * EACH}`);
      t.deepEqual(kept, wanted);
    });
  }
}
