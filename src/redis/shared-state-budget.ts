import { Problem } from '../base/problem.ts';
import type { Change } from '../state/store.ts';
import { COLLECTION_BYTES, RESOURCE_BYTES } from './store-scripts.ts';

/** A bound on what the resources of all sessions take, whoever stores them. */
export interface SharedStateBudget {
  /** @throws {Problem} STATE_FULL where there is no room for what these changes may add */
  demand(changes: readonly Change[], texts: readonly string[]): Promise<void>;
}

/** So much of the limit may be stored until all is summed up again. */
const SLACK = 1 / 64;

/**
 * Each process counts what it stores itself, and sums up what all have stored after each
 * sixty-fourth of the limit and before it refuses anything: with several processes there may be some
 * sixty-fourths too much for a moment.
 *
 * @param limit bytes, as they are estimated
 * @param measure sums up what all have stored
 */
export function createSharedStateBudget(
  limit: number,
  measure: () => Promise<number>,
): SharedStateBudget {
  let taken = 0;
  /** Since it was summed up; nothing was yet. */
  let noted = Number.POSITIVE_INFINITY;
  return {
    async demand(changes, texts) {
      const added = weigh(changes, texts);
      if (added === 0) return;
      if (noted + added > limit * SLACK || taken + noted + added > limit) {
        taken = await measure();
        noted = 0;
      }
      if (taken + added > limit) {
        throw new Problem(
          'STATE_FULL',
          `the state of all sessions may take ${limit} bytes, of which ${taken} are taken; ` +
            'the setting state-limit allows more, a reset frees all',
        );
      }
      noted += added;
    },
  };
}

/** What is changed where it stands is counted when all is summed up. */
function weigh(changes: readonly Change[], texts: readonly string[]): number {
  let bytes = 0;
  for (const [index, { key, expected, resource }] of changes.entries()) {
    if (resource === undefined || typeof expected === 'number') continue;
    bytes += RESOURCE_BYTES + key.length + (texts[index]?.length ?? 0);
  }
  return bytes === 0 ? 0 : bytes + COLLECTION_BYTES;
}
