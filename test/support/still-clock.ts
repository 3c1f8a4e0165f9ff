import type { Clock } from '../../src/index.ts';

/** A clock on which nobody waits: a sleep is over at once, and moves the time on. */
export interface StillClock extends Clock {
  /** Milliseconds slept so far. */
  readonly slept: number;
}

export function createStillClock(): StillClock {
  let slept = 0;
  return {
    get slept() {
      return slept;
    },
    now: () => 1_700_000_000_000 + slept,
    monotonic: () => slept,
    sleep: (milliseconds) => {
      slept += milliseconds;
      return Promise.resolve();
    },
  };
}
