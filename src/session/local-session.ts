import { type Awaitable, after } from '../base/awaitable.ts';
import type { Exchange } from '../journal/exchange.ts';
import { createJournal, type OwnJournal } from '../journal/keep/journal.ts';
import { SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store, Stores } from '../state/store.ts';
import { createSessionClock, type SessionClock } from './clock.ts';
import type { Replay } from './replay.ts';
import {
  type CallNumbers,
  describeMoment,
  type EditableSession,
  MOST_SNAPSHOTS,
  nameCopyStore,
  nameSnapshotStore,
  type Session,
  type SessionBeginning,
  type SessionPart,
  type SessionSnapshot,
  type StateCopy,
  sessionParts,
} from './session.ts';

/** A session of this process alone; where its store outlives the process, its resources do. */
export class LocalSession implements Session, EditableSession {
  readonly id: string;
  readonly clock: SessionClock;
  readonly journal: OwnJournal;
  readonly #beginning: SessionBeginning;
  readonly #stores: Stores;
  readonly #fixtures: SessionFixtures;
  #state: Store;
  #seed: string;
  #calls = 0;
  #exchanges = 0;
  readonly #snapshots = new Map<string, SessionSnapshot>();
  #awaited: Replay | undefined;

  /** @param state the store of its name */
  constructor(id: string, beginning: SessionBeginning, stores: Stores, state: Store) {
    this.id = id;
    this.#beginning = beginning;
    this.#stores = stores;
    this.#seed = beginning.seed;
    this.#state = state;
    this.#fixtures = new SessionFixtures(beginning.fixtures());
    this.clock = createSessionClock(beginning.clock, beginning.clockState);
    this.journal = createJournal(beginning.journal);
    this.#awaited = beginning.replay;
  }

  get seed(): string {
    return this.#seed;
  }

  get calls(): number {
    return this.#calls;
  }

  get state(): Store {
    return this.#state;
  }

  get fixtures(): SessionFixtures {
    this.#fixtures.rebase(this.#beginning.fixtures());
    return this.#fixtures;
  }

  takeNumbers(): CallNumbers {
    return { number: ++this.#exchanges, turn: ++this.#calls };
  }

  takeAwaited(operation: string): Replay | undefined {
    const awaited = this.#awaited;
    if (awaited === undefined) return undefined;
    if (awaited.operation !== undefined && awaited.operation !== operation) return undefined;
    this.#awaited = undefined;
    return awaited;
  }

  takeTurns<Value>(
    _places: () => readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Value {
    return take(this.#fixtures.memory);
  }

  record(exchange: Exchange): void {
    this.journal.record(exchange);
  }

  reseed(seed: string): void {
    this.#seed = seed;
  }

  reset(parts: readonly SessionPart[] = sessionParts): Awaitable<void> {
    if (!parts.includes('state')) {
      this.#resetOthers(parts);
      return;
    }
    return after(this.#stores.drop(this.id), () =>
      after(this.#stores.open(this.id), (state) => {
        this.#state = state;
        this.#resetOthers(parts);
      }),
    );
  }

  get snapshots(): ReadonlyMap<string, SessionSnapshot> {
    return this.#snapshots;
  }

  takeSnapshot(name: string): Awaitable<SessionSnapshot | undefined> {
    if (!this.#snapshots.has(name) && this.#snapshots.size >= MOST_SNAPSHOTS) return undefined;
    return after(this.#stores.copy(this.id, nameSnapshotStore(this.id, name)), () => {
      const snapshot = describeMoment(this);
      this.#snapshots.set(name, snapshot);
      return snapshot;
    });
  }

  /** Knows a snapshot again of which a store has kept the resources, and nothing the rest. */
  resumeSnapshot(name: string): void {
    const { clockState, seed } = this.#beginning;
    const fixtures = new SessionFixtures(this.#beginning.fixtures()).snapshot();
    const takenAt = this.clock.now();
    this.#snapshots.set(name, { fixtures, clock: clockState, seed, calls: 0, takenAt });
  }

  openSnapshot(name: string): Awaitable<Store> {
    return this.#stores.open(nameSnapshotStore(this.id, name));
  }

  forgetSnapshot(name: string): Awaitable<boolean> {
    if (!this.#snapshots.delete(name)) return false;
    return after(this.#stores.drop(nameSnapshotStore(this.id, name)), () => true);
  }

  copyState(): Awaitable<StateCopy> {
    const name = nameCopyStore(this.id);
    return after(this.#stores.copy(this.id, name), () =>
      after(this.#stores.open(name), (state) => ({ state, drop: () => this.#stores.drop(name) })),
    );
  }

  takeOver(source: EditableSession, snapshot?: string): Awaitable<void> {
    if (!(source instanceof LocalSession)) throw new TypeError('the session is of another kind');
    const held = snapshot === undefined ? describeMoment(source) : source.#snapshots.get(snapshot);
    if (held === undefined) throw new TypeError(`there is no snapshot ${snapshot}`);
    const from = snapshot === undefined ? source.id : nameSnapshotStore(source.id, snapshot);
    return after(this.#stores.copy(from, this.id), () =>
      after(this.#stores.open(this.id), (state) => {
        this.#state = state;
        this.#restore(held);
      }),
    );
  }

  save(): boolean {
    return true;
  }

  release(): void {}

  /** Lets go of all that it holds. */
  close(): Awaitable<void> {
    this.journal.close();
    const names = [...this.#snapshots.keys()].map((name) => nameSnapshotStore(this.id, name));
    this.#snapshots.clear();
    let dropped = this.#stores.drop(this.id);
    for (const name of names) dropped = after(dropped, () => this.#stores.drop(name));
    return dropped;
  }

  #restore({ fixtures, clock, seed, calls }: SessionSnapshot): void {
    this.fixtures.restore(fixtures);
    this.clock.restore(clock);
    this.#seed = seed;
    this.#calls = calls;
  }

  #resetOthers(parts: readonly SessionPart[]): void {
    const resets: Readonly<Record<Exclude<SessionPart, 'state'>, () => void>> = {
      fixtures: () => this.#fixtures.reset(),
      scenarios: () => this.#fixtures.resetScenarios(),
      journal: () => this.journal.clear(),
      clock: () => this.clock.restore(this.#beginning.clockState),
      random: () => {
        this.#calls = 0;
        this.#seed = this.#beginning.seed;
        this.#awaited = this.#beginning.replay;
      },
    };
    for (const part of parts) if (part !== 'state') resets[part]();
    // Numbers that the journal still has are not given again.
    if (parts.includes('random') && this.journal.size === 0) this.#exchanges = 0;
  }
}
