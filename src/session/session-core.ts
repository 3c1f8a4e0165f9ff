import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { createUniqueName } from '../base/random.ts';
import type { Journal } from '../journal/keep/journal.ts';
import { SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { Store, Stores } from '../state/store.ts';
import { createSessionClock, type SessionClock } from './clock.ts';
import {
  type CallNumbers,
  type EditableSession,
  nameSnapshotStore,
  type Session,
  type SessionBeginning,
  type SessionPart,
  type SessionSnapshot,
  type StateCopy,
  sessionParts,
} from './session.ts';
import { DEFAULT_SESSION } from './session-id.ts';

/** How many snapshots a session may have. */
const MAXIMUM_SNAPSHOTS = 100;

/** Seed, clock and rules of a session, as this process has them. */
export class SessionBase {
  readonly clock: SessionClock;
  protected readonly beginning: SessionBeginning;
  readonly #fixtures: SessionFixtures;
  #seed: string;

  constructor(beginning: SessionBeginning) {
    this.beginning = beginning;
    this.#seed = beginning.seed;
    this.#fixtures = new SessionFixtures(beginning.fixtures());
    this.clock = createSessionClock(beginning.clock, beginning.clockState);
  }

  get seed(): string {
    return this.#seed;
  }

  get fixtures(): SessionFixtures {
    this.#fixtures.rebase(this.beginning.fixtures());
    return this.#fixtures;
  }

  reseed(seed: string): void {
    this.#seed = seed;
  }
}

/** The storage of a session: what differs between one process and Redis. */
export interface SessionStorage<Kept extends Journal> {
  /** Where the session and its snapshots have their resources. */
  readonly stores: Pick<Stores, 'open' | 'copy' | 'drop'>;
  /** The open store of the session. */
  readonly state: Store;
  readonly journal: Kept;
}

/** What a session counts besides the turns of its rules. */
export interface SessionNumbers {
  /** Requests since the session began or was reset; a restored snapshot sets it back. */
  calls: number;
  /** The last request number that was given. */
  exchanges: number;
  /** Whether a request has taken the replay that the mock was started with. */
  isReplayClaimed: boolean;
}

/** A session that can be reset, saved as snapshots and forked, wherever it is stored. */
export abstract class SessionCore<Kept extends Journal = Journal>
  extends SessionBase
  implements EditableSession
{
  readonly id: string;
  readonly journal: Kept;
  readonly snapshots = new Map<string, SessionSnapshot>();
  protected readonly stores: SessionStorage<Kept>['stores'];
  protected readonly numbers: SessionNumbers;
  #state: Store;

  constructor(
    id: string,
    beginning: SessionBeginning,
    { stores, state, journal }: SessionStorage<Kept>,
    numbers: SessionNumbers = { calls: 0, exchanges: 0, isReplayClaimed: false },
  ) {
    super(beginning);
    this.id = id;
    this.journal = journal;
    this.stores = stores;
    this.numbers = numbers;
    this.#state = state;
  }

  abstract save(): Awaitable<boolean>;
  abstract release(): void;

  get calls(): number {
    return this.numbers.calls;
  }

  get state(): Store {
    return this.#state;
  }

  reset(parts: readonly SessionPart[] = sessionParts): Awaitable<void> {
    if (!parts.includes('state')) return this.#resetAllButState(parts);
    return after(this.stores.drop(this.id), () =>
      after(this.#reopen(), () => this.#resetAllButState(parts)),
    );
  }

  takeSnapshot(name: string): Awaitable<SessionSnapshot | undefined> {
    if (!this.snapshots.has(name) && this.snapshots.size >= MAXIMUM_SNAPSHOTS) return undefined;
    return after(this.stores.copy(this.id, nameSnapshotStore(this.id, name)), () => {
      const snapshot = createSnapshot(this);
      this.snapshots.set(name, snapshot);
      return snapshot;
    });
  }

  openSnapshot(name: string): Awaitable<Store> {
    return this.stores.open(nameSnapshotStore(this.id, name));
  }

  removeSnapshot(name: string): Awaitable<boolean> {
    if (!this.snapshots.delete(name)) return false;
    return after(this.stores.drop(nameSnapshotStore(this.id, name)), () => true);
  }

  copyState(): Awaitable<StateCopy> {
    const name = nameSnapshotStore(this.id, COPY_PREFIX + createUniqueName());
    return after(this.stores.copy(this.id, name), () =>
      after(this.stores.open(name), (state) => ({ state, drop: () => this.stores.drop(name) })),
    );
  }

  copyFrom(source: EditableSession, snapshot?: string): Awaitable<void> {
    const copied = snapshot === undefined ? createSnapshot(source) : source.snapshots.get(snapshot);
    if (copied === undefined) throw new TypeError(`there is no snapshot ${snapshot}`);
    const from = snapshot === undefined ? source.id : nameSnapshotStore(source.id, snapshot);
    return after(this.stores.copy(from, this.id), () =>
      after(this.#reopen(), () => {
        this.restore(copied);
        this.numbers.calls = copied.calls;
      }),
    );
  }

  protected restore({
    fixtures,
    clock,
    seed,
  }: Pick<SessionSnapshot, 'fixtures' | 'clock' | 'seed'>): void {
    this.fixtures.restore(fixtures);
    this.clock.restore(clock);
    this.reseed(seed);
  }

  #reopen(): Awaitable<void> {
    return after(this.stores.open(this.id), (state) => {
      this.#state = state;
    });
  }

  #resetAllButState(parts: readonly SessionPart[]): void {
    if (parts.includes('fixtures')) this.fixtures.reset();
    if (parts.includes('scenarios')) this.fixtures.resetScenarios();
    if (parts.includes('journal')) this.journal.clear();
    if (parts.includes('clock')) this.clock.restore(this.beginning.clockState);
    if (!parts.includes('random')) return;
    this.reseed(this.beginning.seed);
    this.numbers.calls = 0;
    this.numbers.isReplayClaimed = false;
    // A number that the journal still has is not given again.
    if (this.journal.size === 0) this.numbers.exchanges = 0;
  }
}

/** Begins the name of a copy that exists only while it is read; no snapshot has such a name. */
const COPY_PREFIX = '$copy-';

/** Returns true for the part of a store's name that {@link SessionCore.copyState} gives. */
export function isTemporaryCopy(snapshot: string): boolean {
  return snapshot.startsWith(COPY_PREFIX);
}

/** Returns everything that a session holds now, without its resources and its journal. */
function createSnapshot(session: EditableSession): SessionSnapshot {
  const { fixtures, clock, seed, calls } = session;
  return { fixtures: fixtures.snapshot(), clock: clock.state, seed, calls, takenAt: clock.now() };
}

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
