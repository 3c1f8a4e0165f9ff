import { Problem } from '../base/problem.ts';

/** The limit on the memory that the state of all sessions takes together. */
export interface StateBudget {
  /** Estimated bytes. */
  readonly taken: number;
  /** Returns true when there is room for so many bytes more. */
  hasRoom(bytes: number): boolean;
  /** @throws {Problem} STATE_FULL where there is no room for so many bytes more */
  demand(bytes: number): void;
  /** @param bytes added; negative where they are freed */
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
      throw stateFull(limit, taken);
    },
    take(bytes) {
      taken += bytes;
    },
  };
}

/** Returns the refusal of a change for which there is no room. */
export function stateFull(limit: number, taken: number): Problem {
  return new Problem(
    'STATE_FULL',
    `the state of all sessions may take ${limit} bytes, of which ${taken} are taken; ` +
      'the setting state-limit allows more, a reset frees all',
  );
}
