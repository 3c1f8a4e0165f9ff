import { Problem } from '../base/problem.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store } from '../state/store.ts';
import type { CallNumbers, Session } from './session.ts';
import { SessionBase } from './session-core.ts';
import { DEFAULT_SESSION } from './session-id.ts';

const NO_NUMBERS: CallNumbers = Object.freeze({ number: 0, turn: 0 });

/** A session for responses where none can be reached: it has no numbers and keeps nothing. */
export class DetachedSession extends SessionBase implements Session {
  readonly id = DEFAULT_SESSION;

  get state(): Store {
    throw new Problem('STORE_UNAVAILABLE', 'no session can be reached');
  }

  takeNumbers(): CallNumbers {
    return NO_NUMBERS;
  }

  claimReplay(): undefined {
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
