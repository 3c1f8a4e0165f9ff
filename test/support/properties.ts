import type { ExecutionContext } from 'ava';
import fc from 'fast-check';

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
