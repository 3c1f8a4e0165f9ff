import { type Awaitable, after } from '../base/awaitable.ts';
import type { Exchange } from '../journal/exchange.ts';
import { SessionJournal } from '../journal/keep/session-journal.ts';
import { SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store, Stores } from '../state/store.ts';
import { isReplayOf, type Replay } from './replay.ts';
import {
  type CallNumbers,
  nameSnapshotStore,
  type Session,
  type SessionBeginning,
} from './session.ts';
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

  /** Adds a snapshot whose resources an earlier process has stored; the rest of it is lost. */
  recoverSnapshot(name: string): void {
    const { clockState, seed } = this.beginning;
    const fixtures = new SessionFixtures(this.beginning.fixtures()).snapshot();
    const takenAt = this.clock.now();
    this.savedSnapshots.set(name, { fixtures, clock: clockState, seed, calls: 0, takenAt });
  }

  save(): boolean {
    return true;
  }

  release(): void {}

  /** Drops everything that the session holds. */
  close(): Awaitable<void> {
    this.journal.close();
    const names = [...this.snapshots.keys()].map((name) => nameSnapshotStore(this.id, name));
    this.savedSnapshots.clear();
    let dropped = this.stores.drop(this.id);
    for (const name of names) dropped = after(dropped, () => this.stores.drop(name));
    return dropped;
  }
}
