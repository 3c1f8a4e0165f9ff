import { Problem } from '../base/problem.ts';
import { SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store } from '../state/store.ts';
import { createSessionClock, type SessionClock } from './clock.ts';
import type { CallNumbers, Session, SessionBeginning } from './session.ts';
import { DEFAULT_SESSION } from './session-id.ts';

const NO_NUMBERS: CallNumbers = Object.freeze({ number: 0, turn: 0 });

/** A session for answers where none can be reached: it has no number, and keeps nothing. */
export class DetachedSession implements Session {
  readonly id = DEFAULT_SESSION;
  readonly seed: string;
  readonly clock: SessionClock;
  readonly #beginning: SessionBeginning;

  constructor(beginning: SessionBeginning) {
    this.seed = beginning.seed;
    this.clock = createSessionClock(beginning.clock, beginning.clockState);
    this.#beginning = beginning;
  }

  get fixtures(): SessionFixtures {
    return new SessionFixtures(this.#beginning.fixtures());
  }

  get state(): Store {
    throw new Problem('STORE_UNAVAILABLE', 'no session can be reached');
  }

  takeNumbers(): CallNumbers {
    return NO_NUMBERS;
  }

  takeAwaited(): undefined {
    return undefined;
  }

  takeTurns<Value>(
    _places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Value {
    return take({ counters: new Map(), scenarios: new Map() });
  }

  record(): void {}
}
