import { type Awaitable, after } from '../base/awaitable.ts';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/problem.ts';
import type { ItemPace } from '../delivery/transmission.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { Journal } from '../journal/keep/journal.ts';
import type { JournalSettings } from '../journal/keep/session-journal.ts';
import type { ValidationLevel } from '../request/validate.ts';
import type { FixtureSet } from '../rules/fixture-set.ts';
import { type FixturesSnapshot, SessionFixtures } from '../rules/session-fixtures.ts';
import type { TurnKeeper } from '../rules/turn/turn.ts';
import { nameSnapshotStore, type Store, type StoreCopy, type Stores } from '../state/store.ts';
import { type ClockState, SessionClock } from './clock.ts';
import type { Replay } from './replay.ts';
import { DEFAULT_SESSION } from './session-id.ts';
import { UsedItems } from './used-items.ts';

/** The parts of a session that can be reset, each by itself. */
export const sessionParts = [
  'state',
  'fixtures',
  'scenarios',
  'journal',
  'clock',
  'random',
  'validation',
] as const;
export type SessionPart = (typeof sessionParts)[number];

export interface CallNumbers {
  /** From 1, in the order of arrival. The journal and the client use it. */
  readonly number: number;
  /** The number of its random stream: equal to `number` until a snapshot is restored. */
  readonly turn: number;
}

/**
 * Everything that requests can change, as one request uses it. Two sessions share none of it. A
 * session of one process returns values; one that several processes share returns promises.
 */
export interface Session extends TurnKeeper {
  readonly id: string;
  /** Whether other processes read its journal. */
  readonly isShared: boolean;
  readonly seed: string;
  readonly clock: SessionClock;
  /** How strictly its requests are held to the document; undefined for the mock's setting. */
  readonly validate: ValidationLevel | undefined;
  /** The rules: those of the fixture files as they are now, with the session's changes. */
  readonly fixtures: SessionFixtures;
  readonly state: Store;
  /** What its requests have used of the document, for coverage. */
  readonly used: UsedItems;
  takeNumbers(): CallNumbers;
  /** Returns the number of a request that the mock sends. It takes no random numbers from others. */
  takeNumber(): Awaitable<number>;
  /** Returns the replay that the mock was started with, to the first request of its operation. */
  claimReplay(operation: string): Awaitable<Replay | undefined>;
  record(exchange: Exchange): Awaitable<void>;
  /** Adds to a recorded exchange that the client left now, before it had the whole response. */
  leave(number: number): void;
  /** Adds to a recorded exchange how its stream was sent, now that it has ended. */
  finishStream(number: number, stream: ItemPace): void;
}

/** A saved copy of a session, without its journal; a store has its resources. */
export interface SessionSnapshot {
  readonly fixtures: FixturesSnapshot;
  readonly clock: ClockState;
  readonly seed: string;
  readonly validate: ValidationLevel | undefined;
  readonly calls: number;
  /** When the snapshot was taken, by the session's clock; milliseconds since 1970. */
  readonly takenAt: number;
}

export interface SessionBeginning {
  readonly seed: string;
  readonly clock: Clock;
  readonly clockState: ClockState;
  readonly fixtures: () => FixtureSet;
  readonly journal: JournalSettings;
  /** The failure that the first call of its operation repeats. */
  readonly replay: Replay | undefined;
}

const MAXIMUM_SNAPSHOTS = 100;

/** Seed, clock and rules of a session, as this process has them. */
export class SessionBase {
  readonly clock: SessionClock;
  readonly used = new UsedItems();
  protected readonly beginning: SessionBeginning;
  readonly #fixtures: SessionFixtures;
  seed: string;
  validate: ValidationLevel | undefined;

  constructor(beginning: SessionBeginning) {
    this.beginning = beginning;
    this.seed = beginning.seed;
    this.#fixtures = new SessionFixtures(beginning.fixtures());
    this.clock = new SessionClock(beginning.clock, beginning.clockState);
  }

  get fixtures(): SessionFixtures {
    this.#fixtures.rebase(this.beginning.fixtures());
    return this.#fixtures;
  }
}

/** The storage of a session: what differs between one process and Redis. */
export interface SessionStorage<Kept extends Journal> {
  /** Where the session and its snapshots have their resources. */
  readonly stores: Pick<Stores, 'read' | 'copy' | 'drop'>;
  readonly open: Stores['open'];
  readonly state: Store;
  readonly journal: Kept;
}

/** The counts of a session besides those of its rules. */
export interface SessionNumbers {
  /** Requests since the session began or was reset; a restored snapshot sets it back. */
  calls: number;
  exchanges: number;
  /** Whether a request has taken the replay that the mock was started with. */
  isReplayClaimed: boolean;
}

/** A session for the control API, which can see and change all of it. */
export abstract class EditableSession<Kept extends Journal = Journal> extends SessionBase {
  readonly id: string;
  readonly journal: Kept;
  readonly snapshots = new Map<string, SessionSnapshot>();
  protected readonly numbers: SessionNumbers;
  /** The open store of the session: another one after a reset. */
  state: Store;
  readonly #storage: SessionStorage<Kept>;

  constructor(
    id: string,
    beginning: SessionBeginning,
    storage: SessionStorage<Kept>,
    numbers: SessionNumbers = { calls: 0, exchanges: 0, isReplayClaimed: false },
  ) {
    super(beginning);
    this.id = id;
    this.journal = storage.journal;
    this.state = storage.state;
    this.numbers = numbers;
    this.#storage = storage;
  }

  /**
   * Saves the changes.
   *
   * @returns false when another process has changed the session in the meantime: nothing is saved,
   *   and the caller repeats the edit on a session that it has opened again
   */
  abstract save(): Awaitable<boolean>;

  /** Ends the edit: the journal is no longer updated. */
  abstract release(): void;

  /** The number of requests since the session began or was reset. */
  get calls(): number {
    return this.numbers.calls;
  }

  /** Resets these parts; all of them by default. */
  reset(parts: readonly SessionPart[] = sessionParts): Awaitable<void> {
    if (!parts.includes('state')) return this.#resetAllButState(parts);
    return after(this.#storage.stores.drop(this.id), () =>
      after(this.#reopen(), () => this.#resetAllButState(parts)),
    );
  }

  /** Saves a snapshot and returns it; undefined when there are too many already. */
  takeSnapshot(name: string): Awaitable<SessionSnapshot | undefined> {
    const { size } = this.snapshots;
    if (!this.snapshots.has(name) && size >= MAXIMUM_SNAPSHOTS) return undefined;
    return after(this.#storage.stores.copy(this.id, nameSnapshotStore(this.id, name)), () => {
      const snapshot = this.#createSnapshot();
      this.snapshots.set(name, snapshot);
      return snapshot;
    });
  }

  openSnapshot(name: string): Awaitable<Store> {
    return this.#storage.open(nameSnapshotStore(this.id, name));
  }

  /** Returns false when there is no snapshot of this name. */
  removeSnapshot(name: string): Awaitable<boolean> {
    if (!this.snapshots.delete(name)) return false;
    return after(this.#storage.stores.drop(nameSnapshotStore(this.id, name)), () => true);
  }

  /** Returns a copy of the resources that no request changes. The caller drops it. */
  copyState(): Awaitable<StoreCopy> {
    return this.#storage.stores.read(this.id);
  }

  /** Replaces everything but the journal by a copy of a session, or of one of its snapshots. */
  copyFrom(source: EditableSession, snapshot?: string): Awaitable<void> {
    const copied =
      snapshot === undefined ? source.#createSnapshot() : source.snapshots.get(snapshot);
    if (copied === undefined) throw new TypeError(`there is no snapshot ${snapshot}`);
    const from = snapshot === undefined ? source.id : nameSnapshotStore(source.id, snapshot);
    return after(this.#storage.stores.copy(from, this.id), () =>
      after(this.#reopen(), () => {
        this.restore(copied);
        this.numbers.calls = copied.calls;
      }),
    );
  }

  protected restore(
    saved: Pick<SessionSnapshot, 'fixtures' | 'clock' | 'seed' | 'validate'>,
  ): void {
    this.fixtures.restore(saved.fixtures);
    this.clock.state = saved.clock;
    this.seed = saved.seed;
    this.validate = saved.validate;
  }

  #createSnapshot(): SessionSnapshot {
    const { fixtures, clock, seed, validate, calls } = this;
    const takenAt = clock.now();
    return { fixtures: fixtures.snapshot(), clock: clock.state, seed, validate, calls, takenAt };
  }

  #reopen(): Awaitable<void> {
    return after(this.#storage.open(this.id), (state) => {
      this.state = state;
    });
  }

  #resetAllButState(parts: readonly SessionPart[]): void {
    if (parts.includes('fixtures')) this.fixtures.reset();
    if (parts.includes('scenarios')) this.fixtures.resetScenarios();
    if (parts.includes('journal')) {
      this.journal.clear();
      this.used.clear();
    }
    if (parts.includes('clock')) this.clock.state = this.beginning.clockState;
    if (parts.includes('validation')) this.validate = undefined;
    if (!parts.includes('random')) return;
    this.seed = this.beginning.seed;
    this.numbers.calls = 0;
    this.numbers.isReplayClaimed = false;
    // A number that the journal still has is not given again.
    if (this.journal.size === 0) this.numbers.exchanges = 0;
  }
}

const NO_NUMBERS: CallNumbers = Object.freeze({ number: 0, turn: 0 });

/** A session for responses where none can be reached: it has no numbers and keeps nothing. */
export class DetachedSession extends SessionBase implements Session {
  readonly id = DEFAULT_SESSION;
  readonly isShared = false;

  get state(): Store {
    throw new Problem('STORE_UNAVAILABLE', 'no session can be reached');
  }

  takeNumbers(): CallNumbers {
    return NO_NUMBERS;
  }

  takeNumber(): number {
    return NO_NUMBERS.number;
  }

  claimReplay(): undefined {
    return undefined;
  }

  readonly takeTurns: Session['takeTurns'] = (_places, take) =>
    take({ counters: new Map(), scenarios: new Map() });

  record(): void {}

  leave(): void {}

  finishStream(): void {}
}
