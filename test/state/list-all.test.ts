import test from 'ava';
import { listAll, type Range, type Stored, type StoredCollections } from '../../src/state/store.ts';

const COUNT = 45_000;
const EACH = 10;

/** Resources of which others delete some before each part after the first is read. */
function createChanging(count: number, isAsync: boolean): StoredCollections {
  let stored: readonly Stored[] = Array.from({ length: COUNT }, (_, index) => {
    return { key: `k${index}`, resource: { index }, version: index };
  });
  let parts = 0;
  const list = (_: string, { offset, limit }: Range): readonly Stored[] => {
    if (parts++ > 0) {
      const gone = new Set(stored.filter(({ version }) => version % EACH > 0).slice(0, count));
      stored = stored.filter((one) => !gone.has(one));
    }
    return stored.slice(offset, offset + limit);
  };
  return {
    list: (name, range) => (isAsync ? Promise.resolve(list(name, range)) : list(name, range)),
    get: () => undefined,
    count: () => stored.length,
  };
}

for (const count of [0, 1, 2_000]) {
  for (const isAsync of [false, true]) {
    const where = isAsync ? ' in a store elsewhere' : '';
    test(`a list of all has each one that stays, once, while ${count} are deleted before each part${where}`, async (t) => {
      const all = await listAll(createChanging(count, isAsync), 'plants');
      t.deepEqual(
        all.map(({ version }) => version).filter((version) => version % EACH === 0),
        Array.from({ length: COUNT / EACH }, (_, index) => index * EACH),
      );
      t.is(new Set(all.map(({ key }) => key)).size, all.length);
    });
  }
}
