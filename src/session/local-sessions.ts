import { type Awaitable, after } from '../base/awaitable.ts';
import type { Store, Stores } from '../state/store.ts';
import { LocalSession } from './local-session.ts';
import { type Session, type SessionBeginning, splitSnapshotStore } from './session.ts';
import { DetachedSession, isTemporaryCopy } from './session-core.ts';
import { DEFAULT_SESSION, isSessionId } from './session-id.ts';
import {
  type DropReason,
  invalidSession,
  type SessionBounds,
  SessionEvents,
  type Sessions,
} from './sessions.ts';

/** The sessions of one process. */
export class LocalSessions extends SessionEvents implements Sessions {
  readonly detached: Session;
  readonly relay = undefined;
  readonly #beginning: SessionBeginning;
  readonly #bounds: SessionBounds;
  readonly #stores: Stores;
  #default: LocalSession | undefined;
  /** All but the default session, the one that was used longest ago first. */
  readonly #sessions = new Map<string, Used>();
  /** Sessions whose store is being opened. */
  readonly #opening = new Map<string, Promise<LocalSession>>();

  constructor(beginning: SessionBeginning, bounds: SessionBounds, stores: Stores) {
    super();
    this.#beginning = beginning;
    this.#bounds = bounds;
    this.#stores = stores;
    this.detached = new DetachedSession(beginning);
  }

  async begin(): Promise<void> {
    for (const name of await this.#stores.names()) {
      const [id, snapshot] = splitSnapshotStore(name);
      // The process ended while this copy was being read.
      if (snapshot !== undefined && isTemporaryCopy(snapshot)) await this.#stores.drop(name);
      else if (snapshot !== undefined) (await this.open(id)).recoverSnapshot(snapshot);
      else if (id !== DEFAULT_SESSION) await this.open(id);
    }
  }

  open(id: string | undefined): Awaitable<LocalSession> {
    if (id === undefined || id === DEFAULT_SESSION) return this.#default ?? this.#openDefault();
    this.#dropIdle();
    const known = this.#sessions.get(id);
    return known === undefined ? this.create(id) : this.#use(id, known);
  }

  edit(id: string | undefined): Awaitable<LocalSession> {
    return this.open(id);
  }

  find(id: string): Awaitable<LocalSession | undefined> {
    if (id === DEFAULT_SESSION) return this.open(id);
    this.#dropIdle();
    return this.#sessions.get(id)?.session;
  }

  create(id: string, seed?: string): Awaitable<LocalSession> {
    if (!isSessionId(id)) throw invalidSession(id);
    this.#dropIdle();
    const created =
      id === DEFAULT_SESSION ? this.open(id) : this.#openOnce(id, (state) => this.#add(id, state));
    return after(created, (session) => {
      if (seed !== undefined) session.reseed(seed);
      return session;
    });
  }

  drop(id: string): Awaitable<boolean> {
    if (id !== DEFAULT_SESSION) return this.#drop(id, 'request');
    return after(this.open(id), (session) => after(session.reset(), () => true));
  }

  dropAll(): Awaitable<void> {
    let dropped: Awaitable<boolean> = true;
    for (const id of [...this.#sessions.keys(), DEFAULT_SESSION]) {
      dropped = after(dropped, () => this.drop(id));
    }
    return after(dropped, () => {});
  }

  count(): number {
    return this.#sessions.size + 1;
  }

  list(limit: number): Awaitable<readonly LocalSession[]> {
    this.#dropIdle();
    const others = [...this.#sessions.values()].reverse().map(({ session }) => session);
    return after(this.open(undefined), (first) => [first, ...others].slice(0, limit));
  }

  check(): Awaitable<void> {
    return this.#stores.check();
  }

  close(): Awaitable<void> {
    return this.#stores.close();
  }

  #openDefault(): Awaitable<LocalSession> {
    return this.#openOnce(DEFAULT_SESSION, (state) => {
      this.#default = new LocalSession(DEFAULT_SESSION, this.#beginning, this.#stores, state);
      return this.#default;
    });
  }

  /** Opens a store once, though several requests may ask for it while it opens. */
  #openOnce(id: string, make: (state: Store) => LocalSession): Awaitable<LocalSession> {
    const opening = this.#opening.get(id);
    if (opening !== undefined) return opening;
    const state = this.#stores.open(id);
    if (!(state instanceof Promise)) return make(state);
    const made = state.then(make).finally(() => this.#opening.delete(id));
    this.#opening.set(id, made);
    return made;
  }

  #add(id: string, state: Store): LocalSession {
    while (this.#sessions.size >= this.#bounds.maximum) this.#dropOldest();
    const session = new LocalSession(id, this.#beginning, this.#stores, state);
    this.#sessions.set(id, { session, usedAt: this.#beginning.clock.monotonic() });
    this.tell({ kind: 'made', id });
    return session;
  }

  #use(id: string, used: Used): LocalSession {
    used.usedAt = this.#beginning.clock.monotonic();
    // A map keeps the order in which its keys were set: the session that was used last is last.
    if (this.#sessions.size > 1) {
      this.#sessions.delete(id);
      this.#sessions.set(id, used);
    }
    return used.session;
  }

  /** Looks at one session more than it drops, as those that were used longest ago come first. */
  #dropIdle(): void {
    const limit = this.#beginning.clock.monotonic() - this.#bounds.idleMilliseconds;
    for (const [id, { usedAt }] of this.#sessions) {
      if (usedAt > limit) return;
      ignoreFailure(this.#drop(id, 'idle'));
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined) ignoreFailure(this.#drop(oldest, 'bound'));
  }

  #drop(id: string, reason: DropReason): Awaitable<boolean> {
    const used = this.#sessions.get(id);
    if (used === undefined) return false;
    this.#sessions.delete(id);
    this.tell({ kind: 'dropped', id, reason });
    return after(used.session.close(), () => true);
  }
}

interface Used {
  readonly session: LocalSession;
  /** By the machine's monotonic clock; milliseconds. */
  usedAt: number;
}

/** A store that cannot be dropped now is found after the next start. */
function ignoreFailure(dropped: Awaitable<boolean>): void {
  if (dropped instanceof Promise) dropped.catch(() => {});
}
