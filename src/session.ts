import type { Clock } from './clock.ts';
import { createRandom, type Random } from './random.ts';
import type { Store } from './state/store.ts';

/** All that requests can change: two sessions share none of it. */
export interface Session {
  readonly state: Store;
  readonly clock: Clock;
  /** The one source of chance; begins again at a reset. */
  readonly random: Random;
  readonly seed: string;
  /** How often each fixture rule has matched, by its name. */
  readonly ruleMatches: Map<string, number>;
  /** @returns the number of the next request, from 1 */
  nextRequest(): number;
  /** Takes everything back to the beginning. */
  reset(): void;
}

/** @param createStore makes the empty state */
export function createSession(options: {
  readonly seed: string;
  readonly clock: Clock;
  readonly createStore: () => Store;
}): Session {
  let requests = 0;
  let random = createRandom(options.seed);
  const state = options.createStore();
  const ruleMatches = new Map<string, number>();
  return {
    state,
    clock: options.clock,
    random: { next: () => random.next() },
    seed: options.seed,
    ruleMatches,
    nextRequest: () => ++requests,
    reset() {
      requests = 0;
      random = createRandom(options.seed);
      ruleMatches.clear();
      state.clear();
    },
  };
}
