import { stateFull } from '../state/state-budget.ts';

/** The share of the limit that a process may store until it measures all stores again. */
const SLACK = 1 / 64;

export type SharedStateBudget = ReturnType<typeof createSharedStateBudget>;

/**
 * Creates the limit on the resources of all sessions together. Each process counts only what it
 * stores, and measures all stores after each sixty-fourth of the limit and before it refuses a
 * change. Several processes may exceed the limit by some sixty-fourths for a moment.
 *
 * @param limit estimated bytes
 * @param measure returns the estimated bytes of all stores
 */
export function createSharedStateBudget(limit: number, measure: () => Promise<number>) {
  let taken = 0;
  /** Bytes that were stored since the last measurement; infinite before the first. */
  let stored = Number.POSITIVE_INFINITY;
  /** Bytes that are being stored: a measurement may include them or not. */
  let held = 0;
  /** A measurement for all that wait. What is stored meanwhile counts in addition. */
  let measuring: Promise<void> | undefined;
  const measureOnce = async (): Promise<void> => {
    const before = stored;
    taken = await measure();
    stored = Number.isFinite(before) ? stored - before : 0;
  };
  const isOver = (): boolean => taken + stored + held > limit;
  return {
    /**
     * Runs a commit that adds at most so many bytes.
     *
     * @param weigh returns how many it adds exactly, for a commit without room: it may free some
     * @throws {Problem} STATE_FULL if there is no room for them
     */
    async hold<Done>(
      bytes: number,
      commit: () => Promise<Done>,
      weigh: () => Promise<number>,
    ): Promise<Done> {
      if (bytes === 0) return await commit();
      let own = bytes;
      held += own;
      try {
        if (stored + held > limit * SLACK || isOver()) {
          measuring ??= measureOnce().finally(() => {
            measuring = undefined;
          });
          await measuring;
        }
        if (isOver()) {
          const exact = await weigh();
          held += exact - own;
          own = exact;
          if (own > 0 && isOver()) throw stateFull(limit, taken);
        }
        const done = await commit();
        stored += own;
        return done;
      } finally {
        held -= own;
      }
    },
  };
}
