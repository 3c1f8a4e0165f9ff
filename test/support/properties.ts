import type { ExecutionContext } from 'ava';
import fc from 'fast-check';

const seed = process.env['PROPERTY_SEED'];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

/** fast-check, with the seed that `PROPERTY_SEED` sets. */
export { fc };

/**
 * Asserts a property on many values. The property itself uses `node:assert`, so that the smallest
 * counterexample is found and reported, not the first.
 */
export function holds<Values>(
  t: ExecutionContext,
  property: fc.IRawProperty<Values, false>,
  numRuns = 500,
): void {
  t.notThrows(() => {
    fc.assert(property, { numRuns });
  });
}
