import type { Exchange } from '../journal/exchange.ts';
import { SessionJournal } from '../journal/keep/session-journal.ts';
import { SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store, Stores } from '../state/store.ts';
import { isReplayOf, type Replay } from './replay.ts';
import type { CallNumbers, Session, SessionBeginning } from './session.ts';
import { EditableSession } from './session-core.ts';

/** A session of one process. Its resources outlive the process where the store is a file. */
export class LocalSession extends EditableSession<SessionJournal> implements Session {
  /** @param state the open store of this session */
  constructor(id: string, beginning: SessionBeginning, stores: Stores, state: Store) {
    super(id, beginning, { stores, state, journal: new SessionJournal(beginning.journal) });
  }

  takeNumbers(): CallNumbers {
    return { number: ++this.numbers.exchanges, turn: ++this.numbers.calls };
  }

  claimReplay(operation: string): Replay | undefined {
    const { replay } = this.beginning;
    if (this.numbers.isReplayClaimed || !isReplayOf(replay, operation)) return undefined;
    this.numbers.isReplayClaimed = true;
    return replay;
  }

  takeTurns<Value>(
    _places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Value {
    return take(this.fixtures.memory);
  }

  record(exchange: Exchange): void {
    this.journal.record(exchange);
  }

  /** Adds a snapshot whose resources another process has stored; it has no more of it. */
  recoverSnapshot(name: string): void {
    if (this.savedSnapshots.has(name)) return;
    const { clockState, seed } = this.beginning;
    const fixtures = new SessionFixtures(this.beginning.fixtures()).snapshot();
    const takenAt = this.clock.now();
    this.savedSnapshots.set(name, { fixtures, clock: clockState, seed, calls: 0, takenAt });
  }

  save(): boolean {
    return true;
  }

  release(): void {}
}
