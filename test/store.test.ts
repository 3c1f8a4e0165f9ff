import test from 'ava';
import fc from 'fast-check';
import { createMemoryStore } from '../src/state/memory-store.ts';
import { createStateBudget } from '../src/state/state-budget.ts';
import type { Store } from '../src/state/store.ts';
import { testStore } from './support/store-conformance.ts';

testStore(test, 'memory', () => createMemoryStore());

test('what stores have taken of their budget is given back when all of them are cleared', (t) => {
  const step = fc.tuple(
    fc.constantFrom(
      'put' as const,
      'delete' as const,
      'fork' as const,
      'clear' as const,
      'restore' as const,
    ),
    fc.nat(),
    fc.constantFrom('a', 'b', 'c'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const budget = createStateBudget(1_000_000);
      const stores: [Store, ...Store[]] = [createMemoryStore(budget)];
      for (const [kind, number, key, name] of steps) {
        const store = stores[number % stores.length] ?? stores[0];
        const plants = store.collection('plants');
        const take = {
          put: () => plants.put(key, { name }),
          delete: () => plants.delete(key),
          fork: () => stores.push(store.fork()),
          clear: () => store.clear(),
          restore: () => store.restore(stores[0]),
        };
        take[kind]();
      }
      const holdsSomething = stores.some((store) => store.names().length > 0);
      if (holdsSomething) t.true(budget.taken > 0);
      for (const store of stores) store.clear();
      t.is(budget.taken, 0);
    }),
  );
});

test('a resource for which there is no room is refused, and nothing changes', (t) => {
  const budget = createStateBudget(1000);
  const plants = createMemoryStore(budget).collection('plants');
  plants.put('1', { name: 'Fern' });
  const { taken } = budget;
  t.throws(() => plants.put('1', { name: 'x'.repeat(1000) }), { message: /state-limit/ });
  t.throws(() => plants.put('2', { name: 'x'.repeat(1000) }), { message: /state-limit/ });
  t.deepEqual(plants.list(), [{ name: 'Fern' }]);
  t.is(plants.size, 1);
  t.is(budget.taken, taken);
});
