import type { Clock } from '../base/clock.ts';

/**
 * Starts to measure. A clock that is moved on has let so much time pass, one that stands still
 * lets none pass, and what has begun is done all the same.
 *
 * @returns tells the milliseconds since then
 */
export function startStopwatch(clock: Clock): () => number {
  const shown = clock.now();
  const began = clock.monotonic();
  return () => Math.max(clock.monotonic() - began, clock.now() - shown);
}
