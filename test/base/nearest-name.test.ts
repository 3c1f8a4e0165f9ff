import test from 'ava';
import fc from 'fast-check';
import { findNearestName } from '../../src/base/nearest-name.ts';
import { createMock } from '../../src/index.ts';

test('the name that was meant is found among a thousand', (t) => {
  const names = Array.from({ length: 1_000 }, (_, index) => `/gardens/${index}/plants`);
  t.is(findNearestName('/gardns/371/plants', names), '/gardens/371/plants');
  t.is(findNearestName('/GARDENS/12/palnts', names), '/gardens/12/plants');
  t.is(findNearestName('/invoices', names), undefined);
});

test('swapped characters are one slip, and more than two in five another name', (t) => {
  t.is(findNearestName('dose', ['does']), 'does');
  t.is(findNearestName('port', ['host']), undefined);
  t.is(findNearestName('🌵', ['🌵🌵']), undefined);
});

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'ä', '/'),
  minLength: 1,
  maxLength: 6,
});

/** Counts edits by their definition: insert, remove, replace, or swap two neighbours. */
function countByDefinition(from: string, to: string): number {
  if (from === '' || to === '') return from.length + to.length;
  if (from[0] === to[0]) return countByDefinition(from.slice(1), to.slice(1));
  const isSwap = from.length > 1 && from[0] === to[1] && from[1] === to[0];
  return (
    1 +
    Math.min(
      countByDefinition(from.slice(1), to),
      countByDefinition(from, to.slice(1)),
      countByDefinition(from.slice(1), to.slice(1)),
      isSwap ? countByDefinition(from.slice(2), to.slice(2)) : Number.POSITIVE_INFINITY,
    )
  );
}

test('the nearest name is the first with the fewest edits, of its length two in five', (t) => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (name, names) => {
      const distances = names.map((one) =>
        one === name ? 0 : countByDefinition(name, one) / Math.max(name.length, one.length),
      );
      const least = Math.min(...distances);
      t.is(findNearestName(name, names), least > 0.4 ? undefined : names[distances.indexOf(least)]);
    }),
  );
});

test('of a document with 300 paths, the last one is named, too', async (t) => {
  const operation = { responses: { 204: { description: 'Done' } } };
  const paths = Array.from({ length: 300 }, (_, index) => [`/bed-${index}`, { get: operation }]);
  const mock = await createMock({
    document: {
      openapi: '3.1.0',
      info: { title: 'Beds', version: '1' },
      paths: Object.fromEntries([...paths, ['/watering-cans', { get: operation }]]),
    },
    log: 'silent',
  });
  t.teardown(() => mock.close());
  t.regex(await (await mock.fetch('/watering-can')).text(), /did you mean .{2}\/watering-cans/);
});
