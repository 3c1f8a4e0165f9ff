import { type Awaitable, after, afterEach } from '../base/awaitable.ts';
import type { Exchange } from '../journal/exchange.ts';
import { SessionJournal } from '../journal/keep/session-journal.ts';
import { SessionFixtures } from '../rules/session-fixtures.ts';
import { type LocalStores, type Store, type Stores, splitSnapshotStore } from '../state/store.ts';
import { isReplayOf, type Replay } from './replay.ts';
import {
  type CallNumbers,
  DetachedSession,
  EditableSession,
  type Session,
  type SessionBeginning,
} from './session.ts';
import { DEFAULT_SESSION, isSessionId } from './session-id.ts';
import {
  type DropReason,
  invalidSession,
  type SessionBounds,
  SessionEvents,
  type Sessions,
} from './sessions.ts';

/** The longest time between the uses of a session that its store notes; milliseconds. */
const LONGEST_TOUCH = 1_000;

/**
 * The sessions of one process. Where their stores are in a file, other processes may use the same
 * sessions: each has its own clock, rules and journal for them, and none drops what another uses.
 */
export class LocalSessions extends SessionEvents implements Sessions {
  readonly detached: Session;
  readonly relay = undefined;
  readonly #beginning: SessionBeginning;
  readonly #bounds: SessionBounds;
  readonly #stores: LocalStores;
  /** The time between the uses that the store notes, and between looks at those of others. */
  readonly #touch: number;
  #default: LocalSession | undefined;
  /** All but the default session, the one that was used longest ago first. */
  readonly #sessions = new Map<string, LocalSession>();
  readonly #opening = new Map<string, Promise<LocalSession>>();
  readonly #dropping = new Map<string, Promise<void>>();
  #followedAt = Number.NEGATIVE_INFINITY;
  /** Until then, no session can be idle. */
  #noneIdleUntil = Number.NEGATIVE_INFINITY;

  constructor(beginning: SessionBeginning, bounds: SessionBounds, stores: LocalStores) {
    super();
    this.#beginning = beginning;
    this.#bounds = bounds;
    this.#stores = stores;
    this.#touch = Math.min(LONGEST_TOUCH, bounds.idleMilliseconds / 4);
    this.detached = new DetachedSession(beginning);
  }

  async begin(): Promise<void> {
    for (const name of await this.#stores.names()) await this.#learn(name);
  }

  open(id: string | undefined): Awaitable<LocalSession> {
    if (id === undefined || id === DEFAULT_SESSION) {
      return this.#default ?? this.#openOnce(DEFAULT_SESSION, true);
    }
    const now = this.#beginning.clock.monotonic();
    if (now - this.#followedAt >= this.#touch) this.#follow(now);
    this.#dropIdle(now);
    const known = this.#sessions.get(id);
    return known === undefined ? this.create(id) : this.#use(known, now);
  }

  edit(id: string | undefined): Awaitable<LocalSession> {
    return after(this.open(id), (session) => this.#followSnapshots(session));
  }

  find(id: string): Awaitable<LocalSession | undefined> {
    if (id === DEFAULT_SESSION) return this.edit(id);
    this.#look();
    const found = this.#stores.has(id) ? this.#sessions.get(id) : undefined;
    return found && this.#followSnapshots(found);
  }

  create(id: string, seed?: string): Awaitable<LocalSession> {
    if (!isSessionId(id)) throw invalidSession(id);
    this.#look();
    const created = id === DEFAULT_SESSION ? this.open(id) : this.#openOnce(id, true);
    return after(created, (session) => {
      if (seed !== undefined) session.seed = seed;
      return session;
    });
  }

  drop(id: string): Awaitable<boolean> {
    this.#look();
    if (id !== DEFAULT_SESSION) return this.#drop(id, 'request');
    return after(this.open(id), (session) => after(session.reset(), () => true));
  }

  dropAll(): Awaitable<void> {
    this.#look();
    const ids = [...this.#sessions.keys(), DEFAULT_SESSION];
    return after(
      afterEach(ids, (id) => this.drop(id)),
      () => {},
    );
  }

  count(): number {
    return (this.#stores.countSessions?.() ?? this.#sessions.size) + 1;
  }

  list(limit: number): Awaitable<readonly LocalSession[]> {
    this.#look();
    const others = [...this.#sessions.values()].reverse().slice(0, limit - 1);
    const listed = others.filter(({ id }) => this.#stores.has(id));
    return after(this.open(undefined), (first) =>
      [first, ...listed].slice(0, limit).map((one) => this.#followSnapshots(one)),
    );
  }

  check(): Awaitable<void> {
    return this.#stores.check();
  }

  close(): Awaitable<void> {
    return this.#stores.close();
  }

  /** Opens a store once, though several requests may ask for it while it opens. */
  #openOnce(id: string, isUse: boolean): Awaitable<LocalSession> {
    const opening = this.#opening.get(id);
    if (opening !== undefined) return opening;
    const state = after(this.#dropping.get(id), () => this.#stores.open(id));
    if (!(state instanceof Promise)) return this.#add(id, state, isUse);
    const made = state
      .then((opened) => this.#add(id, opened, isUse))
      .finally(() => this.#opening.delete(id));
    this.#opening.set(id, made);
    return made;
  }

  #add(id: string, state: Store, isUse: boolean): LocalSession {
    const session = new LocalSession(id, this.#beginning, this.#stores, state);
    if (id === DEFAULT_SESSION) {
      this.#default = session;
      return session;
    }
    this.#keepBound();
    session.usedAt = this.#beginning.clock.monotonic();
    if (isUse) session.notedAt = session.usedAt;
    this.#sessions.set(id, session);
    this.tell({ kind: 'made', id });
    return session;
  }

  #use(session: LocalSession, now: number): LocalSession {
    if (now - session.notedAt >= this.#touch) {
      session.notedAt = now;
      this.#stores.use?.(session.id);
    }
    return this.#moveLast(session, now);
  }

  #moveLast(session: LocalSession, usedAt: number): LocalSession {
    session.usedAt = usedAt;
    // A map keeps the order in which its keys were set: the session that was used last is last.
    if (this.#sessions.size === 1) return session;
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    return session;
  }

  /** Learns what other processes have done, and drops idle sessions. */
  #look(): void {
    const now = this.#beginning.clock.monotonic();
    this.#follow(now);
    this.#dropIdle(now);
  }

  #follow(now: number): void {
    this.#followedAt = now;
    for (const name of this.#stores.usedByOthers?.() ?? []) {
      const session = this.#sessions.get(name);
      if (session === undefined) ignoreFailure(this.#learn(name));
      // The other process may have used it since, without a note of it.
      else this.#moveLast(session, now + this.#touch);
    }
  }

  /** Adds a session or a snapshot that another process has stored. */
  #learn(name: string): Awaitable<void> {
    const [id, snapshot] = splitSnapshotStore(name);
    if (name === DEFAULT_SESSION) return undefined;
    const known = id === DEFAULT_SESSION ? this.#default : this.#sessions.get(id);
    return after(known ?? this.#openOnce(id, false), (session) => {
      if (snapshot !== undefined) session.recoverSnapshot(snapshot);
    });
  }

  /** Returns a session with the snapshots that it has now: other processes take and remove some. */
  #followSnapshots(session: LocalSession): LocalSession {
    const stored = this.#stores.snapshotsOf?.(session.id);
    if (stored === undefined) return session;
    for (const name of session.snapshots.keys()) {
      if (!stored.includes(name)) session.snapshots.delete(name);
    }
    for (const name of stored) session.recoverSnapshot(name);
    return session;
  }

  /**
   * Looks at one session more than it drops, as those that were used longest ago come first. Not
   * for each request: a map has gaps where its first keys were, and a visit passes all of them.
   */
  #dropIdle(now: number): void {
    if (now < this.#noneIdleUntil) return;
    const { idleMilliseconds } = this.#bounds;
    this.#noneIdleUntil = now + idleMilliseconds;
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt + idleMilliseconds > now) {
        this.#noneIdleUntil = usedAt + idleMilliseconds;
        return;
      }
      ignoreFailure(this.#drop(id, 'idle'));
    }
  }

  /** Drops the sessions that were used longest ago, of all processes, to have room for one. */
  #keepBound(): void {
    const shared = this.#stores.countSessions?.();
    const count = shared === undefined ? this.#sessions.size + 1 : shared - this.#dropping.size;
    let excess = count - this.#bounds.maximum;
    if (excess <= 0) return;
    for (const id of this.#sessions.keys()) {
      if (this.#stores.has(id)) excess--;
      ignoreFailure(this.#drop(id, 'bound'));
      if (excess <= 0) return;
    }
  }

  #drop(id: string, reason: DropReason): Awaitable<boolean> {
    const session = this.#sessions.get(id);
    if (session === undefined) return false;
    this.#sessions.delete(id);
    this.tell({ kind: 'dropped', id, reason });
    session.journal.close();
    const dropped = this.#stores.dropSession(id, session.snapshots.keys(), reason !== 'request');
    if (!(dropped instanceof Promise)) return true;
    const settled = dropped.catch(() => {}).finally(() => this.#dropping.delete(id));
    this.#dropping.set(id, settled);
    return dropped.then(() => true);
  }
}

/** A store that cannot be dropped now is found after the next start. */
function ignoreFailure(dropped: Awaitable<unknown>): void {
  if (dropped instanceof Promise) dropped.catch(() => {});
}

/** A session of one process. Its resources outlive the process where the store is a file. */
class LocalSession extends EditableSession<SessionJournal> implements Session {
  readonly isShared = false;
  /** By the machine's monotonic clock; milliseconds. */
  usedAt = 0;
  /** When its store noted a use of it. */
  notedAt = Number.NEGATIVE_INFINITY;

  constructor(id: string, beginning: SessionBeginning, stores: Stores, state: Store) {
    const journal = new SessionJournal(id, beginning.journal);
    super(id, beginning, { stores, open: (name) => stores.open(name), state, journal });
  }

  takeNumbers(): CallNumbers {
    return { number: ++this.numbers.exchanges, turn: ++this.numbers.calls };
  }

  takeNumber(): number {
    return ++this.numbers.exchanges;
  }

  claimReplay(operation: string): Replay | undefined {
    const { replay } = this.beginning;
    if (this.numbers.isReplayClaimed || !isReplayOf(replay, operation)) return undefined;
    this.numbers.isReplayClaimed = true;
    return replay;
  }

  readonly takeTurns: Session['takeTurns'] = (_places, take) => take(this.fixtures.memory);

  record(exchange: Exchange): void {
    this.journal.record(exchange);
  }

  leave(number: number): void {
    this.journal.leave(number, this.clock.now());
  }

  /** Does nothing: the journal has the stream itself, not a copy. */
  finishStream(): void {}

  /** Adds a snapshot whose resources another process has stored; it has no more of it. */
  recoverSnapshot(name: string): void {
    if (this.snapshots.has(name)) return;
    const { clockState, seed } = this.beginning;
    const fixtures = new SessionFixtures(this.beginning.fixtures()).snapshot();
    const takenAt = this.clock.now();
    const numbers = { seed, calls: 0, takenAt };
    this.snapshots.set(name, { fixtures, clock: clockState, validate: undefined, ...numbers });
  }

  save(): boolean {
    return true;
  }

  release(): void {}
}
