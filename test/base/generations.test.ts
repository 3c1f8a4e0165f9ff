import test from 'ava';
import fc from 'fast-check';
import { Generations } from '../../src/base/generations.ts';

test('what was used last stays up to its size, and no more than twice as much is kept', (t) => {
  const most = 10;
  const use = fc.record({
    key: fc.integer({ min: 0, max: 30 }),
    size: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 200 }), (uses) => {
      const kept = new Generations<number, number>(most);
      for (const { key, size } of uses) {
        kept.makeRoom(size);
        kept.recent.set(key, size);
      }
      const last = uses.reverse();
      const within = last.findIndex(
        (_, index) => last.slice(0, index + 1).reduce((sum, { size }) => sum + size, 0) > most,
      );
      const used = within < 0 ? last : last.slice(0, within);
      const all = [...kept.recent.values(), ...kept.older.values()];
      return (
        used.every(({ key }) => kept.recent.has(key) || kept.older.has(key)) &&
        all.reduce((sum, size) => sum + size, 0) <= 2 * most
      );
    }),
  );
  t.pass();
});
