import { Problem } from '../problem.ts';

/** The memory that the state of all sessions may take together. */
export interface StateBudget {
  /** Bytes, as they are estimated. */
  readonly taken: number;
  /**
   * @param bytes more than before; fewer give some back
   * @throws {Problem} STATE_FULL, and nothing is taken
   */
  take(bytes: number): void;
}

/** @param limit bytes */
export function createStateBudget(limit: number): StateBudget {
  let taken = 0;
  return {
    get taken() {
      return taken;
    },
    take(bytes) {
      if (bytes > 0 && taken + bytes > limit) {
        throw new Problem(
          'STATE_FULL',
          `the state of all sessions may take ${limit} bytes, of which ${taken} are taken; ` +
            'the setting state-limit allows more, a reset frees all',
        );
      }
      taken += bytes;
    },
  };
}
