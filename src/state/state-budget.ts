import { Problem } from '../base/problem.ts';

/** The memory that the state of all sessions may take together. */
export interface StateBudget {
  /** Bytes, as they are estimated. */
  readonly taken: number;
  /** @returns true when so many bytes more may be taken */
  hasRoom(bytes: number): boolean;
  /** @throws {Problem} STATE_FULL where there is no room for so many bytes more */
  demand(bytes: number): void;
  /** @param bytes more than before; fewer give some back */
  take(bytes: number): void;
}

/** @param limit bytes */
export function createStateBudget(limit: number): StateBudget {
  let taken = 0;
  const hasRoom = (bytes: number): boolean => bytes <= 0 || taken + bytes <= limit;
  return {
    get taken() {
      return taken;
    },
    hasRoom,
    demand(bytes) {
      if (hasRoom(bytes)) return;
      throw new Problem(
        'STATE_FULL',
        `the state of all sessions may take ${limit} bytes, of which ${taken} are taken; ` +
          'the setting state-limit allows more, a reset frees all',
      );
    },
    take(bytes) {
      taken += bytes;
    },
  };
}
