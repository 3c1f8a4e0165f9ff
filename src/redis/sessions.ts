import { Problem } from '../base/problem.ts';
import { createUniqueName } from '../base/random.ts';
import type { WireRequest } from '../http/message.ts';
import type { Foresee } from '../resources/foresee.ts';
import {
  DetachedSession,
  type EditableSession,
  type Session,
  type SessionBeginning,
} from '../session/session.ts';
import { DEFAULT_SESSION, isSessionId } from '../session/session-id.ts';
import {
  type EditScope,
  invalidSession,
  type SessionBounds,
  SessionEvents,
  type Sessions,
} from '../session/sessions.ts';
import type { StoreBeginning, StoreLog } from '../state/store.ts';
import type { RedisConnection } from './connection.ts';
import { inspectServer } from './diagnosis.ts';
import { createSharedJournalBudget } from './journal.ts';
import { globalKey } from './keys.ts';
import { RedisStore, readTexts } from './redis-store.ts';
import { createRelay } from './relay.ts';
import { EditedSession } from './session/session-edit.ts';
import { enter, readEntry } from './session/session-entry.ts';
import { type FreshRecord, loadJournal, loadSession } from './session/session-load.ts';
import { readRecord, writeRecord } from './session/session-record.ts';
import { READ, RELIST, TOUCH } from './session/session-scripts.ts';
import { SessionView, SessionVisit } from './session/session-visit.ts';
import { is, unreadable } from './stored-data.ts';
import { locateSession, removeSession, type SharedParts } from './stored-session.ts';
import { RedisStores } from './stores.ts';

export interface SharedSessionsSettings {
  readonly connection: RedisConnection;
  readonly beginning: SessionBeginning;
  readonly bounds: SessionBounds;
  /** The resources in which every store begins. */
  readonly resources: StoreBeginning;
  /** Receives what the operator of the Redis should know. */
  readonly log: StoreLog;
  /** The limit on the resources of all sessions; bytes. Undefined is the limit of Redis itself. */
  readonly stateLimit: number | undefined;
  readonly foresee: Foresee;
}

const MAXIMUM_VIEWS = 1_000;
const MAXIMUM_ATTEMPTS = 50;
/** How often stale sessions are looked for again where those that were found are in use. */
const MAXIMUM_ROUNDS = 10;
/** The precision of the order in which sessions were used. */
const TOUCH_MILLISECONDS = 1_000;

/** The sessions of a namespace of a Redis, shared by all processes that use it. */
export class SharedSessions extends SessionEvents implements Sessions {
  readonly detached: Session;
  readonly relay: ReturnType<typeof createRelay>;
  readonly #parts: SharedParts;
  readonly #bounds: SessionBounds;
  /** The key of the list of all sessions but the default one, by their last use. */
  readonly #list: string;
  /** The one that was used longest ago first. */
  readonly #views = new Map<string, SessionView>();
  /** The last of them. It is not moved: the map would make its table anew after a few moves. */
  #latest: SessionView | undefined;
  readonly #fresh: string;
  readonly #foresee: Foresee;
  /** A prefix for the versions that this process gives. */
  readonly #process = createUniqueName();
  #versions = 0;
  #lastUsed = { id: '', at: 0 };
  /** Sessions that this process is dropping, as they are idle or too many. */
  readonly #dropping = new Set<string>();
  readonly #log: StoreLog;

  constructor(settings: SharedSessionsSettings) {
    super();
    const { connection, beginning, bounds, resources, log, stateLimit: limit } = settings;
    this.#log = log;
    this.#foresee = settings.foresee;
    const stores = new RedisStores(connection, { beginning: resources, isOwned: true, limit });
    this.#bounds = bounds;
    this.#list = globalKey(connection.namespace, 'sessions');
    this.relay = createRelay(connection, this.#process);
    const { maximumBytes } = beginning.journal;
    const budget = createSharedJournalBudget(connection, maximumBytes, async () => {
      return [DEFAULT_SESSION, ...(await this.#listNewest())];
    });
    this.#parts = { connection, beginning, stores, budget, log };
    this.detached = new DetachedSession(beginning);
    const { seed, clockState: clock } = beginning;
    const fixtures = { added: [], removed: [], switches: new Map() };
    this.#fresh = writeRecord({ seed, clock, validate: undefined, fixtures });
  }

  async begin(): Promise<void> {
    const { connection } = this.#parts;
    await connection.settled;
    connection.onChange((isThere, reason) => {
      if (isThere) this.#log.info(`the Redis at ${connection.place} is there`);
      else this.#log.warn(`the Redis at ${connection.place} is away: ${reason}`);
      if (isThere) this.#greet();
    });
    await this.#greet();
  }

  /** Runs once Redis is there, and again each time that it is back. */
  async #greet(): Promise<void> {
    try {
      await this.#parts.connection.subscribe(this.#channel, this.#refresh);
      await this.relay.begin();
      for (const one of await inspectServer(this.#parts.connection)) this.#log.warn(one);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn(`${reason}; what needs it is refused until it is there`);
    }
  }

  async open(id: string = DEFAULT_SESSION, request?: WireRequest): Promise<Session> {
    refuseInvalid(id);
    const view = this.#viewOf(id);
    const foreseen = request && this.#foresee(request);
    const make = () => enter(view, foreseen, this.#createRecord());
    let entering = view.version === '' ? make() : enter(view, foreseen);
    const touching = this.#touch(id);
    if (touching !== undefined) await Promise.all([entering.reply, touching]);
    let reply = await entering.reply;
    if (reply === null) {
      entering = make();
      reply = await entering.reply;
    }
    const entry = readEntry(reply, entering.at);
    if (entry === undefined) {
      throw unreadable(this.#parts.connection, 'a session', view.stored.keys.main);
    }
    const { numbers, changed, isMade, count, kept } = entry;
    // The first of several requests with one reply follows for all of them.
    if (changed !== null && changed[0] !== view.version) this.#follow(view, changed[0], changed[1]);
    if (isMade) this.tell({ kind: 'made', id });
    const known = foreseen && count >= 0 ? { foreseen, count, kept } : undefined;
    return new SessionVisit(view, numbers, new RedisStore(view.stored.store, known));
  }

  async edit(id: string = DEFAULT_SESSION, scope: EditScope): Promise<EditableSession> {
    refuseInvalid(id);
    await this.#touch(id);
    const session = await this.#load(id, scope, this.#createRecord());
    if (session !== undefined) return session;
    throw new Problem('INTERNAL', `the session ${id} was not made`);
  }

  async find(id: string): Promise<EditableSession | undefined> {
    if (id === DEFAULT_SESSION) return this.edit(id, COUNTS);
    await this.#dropStale();
    return this.#load(id, COUNTS);
  }

  async create(id: string, seed?: string): Promise<EditableSession> {
    const session = await this.edit(id, COUNTS);
    if (seed !== undefined) session.seed = seed;
    return session;
  }

  async drop(id: string): Promise<boolean> {
    if (id === DEFAULT_SESSION) {
      await this.#resetDefault();
      return true;
    }
    const { connection } = this.#parts;
    const wasListed = (await connection.send('ZREM', this.#list, id)) === 1;
    const wasThere = (await this.#clear(id)) === true;
    if (wasListed || wasThere) this.tell({ kind: 'dropped', id, reason: 'request' });
    return wasListed || wasThere;
  }

  async dropAll(): Promise<void> {
    const ids = await this.#listNewest();
    await Promise.all(ids.map((id) => this.drop(id)));
    await this.#resetDefault();
  }

  async count(): Promise<number> {
    return Number(await this.#parts.connection.send('ZCARD', this.#list)) + 1;
  }

  async list(limit: number): Promise<readonly EditableSession[]> {
    await this.#dropStale();
    const ids = await this.#listNewest(limit - 1);
    const first = await this.edit(DEFAULT_SESSION, COUNTS);
    const others = await Promise.all(ids.map((id) => this.#load(id, COUNTS)));
    return [first, ...others.filter((one) => one !== undefined)];
  }

  check(): Promise<void> {
    return this.#parts.connection.check();
  }

  async close(): Promise<void> {
    this.relay.close();
    await this.#parts.connection.close();
  }

  /** The channel for the ids of sessions that have changed. */
  get #channel(): string {
    return globalKey(this.#parts.connection.namespace, 'changed');
  }

  async #load(id: string, scope: EditScope, fresh?: FreshRecord) {
    const stored = locateSession(id, this.#parts);
    const loading = loadSession(stored, fresh);
    const opening = loadJournal(stored, scope);
    const [loaded, open] = await Promise.all([loading, opening]).catch((error: unknown) => {
      // The journal must not stay open where only the session could not be loaded.
      opening.then(({ release }) => release()).catch(() => undefined);
      throw error;
    });
    if (loaded === undefined) {
      open.release();
      return undefined;
    }
    if (loaded.isMade) this.tell({ kind: 'made', id });
    const newVersion = (): string => this.#newVersion();
    const onSaved = (): void => this.#announce(id);
    const { used } = this.#viewOf(id);
    return new EditedSession({ stored, loaded, open, newVersion, used, onSaved });
  }

  #viewOf(id: string): SessionView {
    if (this.#latest?.stored.id === id) return this.#latest;
    const view = this.#views.get(id) ?? new SessionView(locateSession(id, this.#parts));
    // A map keeps the order in which its keys were set: the view that was used last is last.
    this.#views.delete(id);
    this.#views.set(id, view);
    if (this.#views.size > MAXIMUM_VIEWS) {
      const [oldest = id] = this.#views.keys();
      this.#views.delete(oldest);
    }
    this.#latest = view;
    return view;
  }

  /** Returns the record of a session that does not exist yet. */
  #createRecord(): FreshRecord {
    return { text: this.#fresh, version: this.#newVersion() };
  }

  #newVersion(): string {
    this.#versions++;
    return `${this.#process}.${this.#versions}`;
  }

  /** Wakes those who sleep by the clock of a session that another process has advanced. */
  readonly #refresh = async (message: Uint8Array): Promise<void> => {
    const id = Buffer.from(message).toString();
    const view = this.#views.get(id);
    if (view === undefined || !view.clock.hasSleepers) return;
    const { connection } = this.#parts;
    try {
      const reply = await connection.run(READ, [view.stored.keys.main]);
      if (Array.isArray(reply)) this.#follow(view, reply[0], reply[1]);
    } catch (error) {
      // The next request reads the session again, and is refused where that fails.
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn(`the clock of the session ${id} was not read: ${reason}`);
    }
  };

  /** @throws {Problem} STORE_UNAVAILABLE for a record that cannot be read */
  #follow(view: SessionView, version: unknown, text: unknown): void {
    const record = is.text(text) ? readRecord(text) : undefined;
    if (record === undefined || !is.text(version)) {
      throw unreadable(this.#parts.connection, 'a session record', view.stored.keys.main);
    }
    view.follow(version, record);
  }

  #announce(id: string): void {
    this.#parts.connection.send('PUBLISH', this.#channel, id).catch(() => undefined);
  }

  /** Records the use of a session: at once where another one was used last, else once a second. */
  #touch(id: string): Promise<void> | undefined {
    if (id === DEFAULT_SESSION) return undefined;
    const now = this.#parts.beginning.clock.monotonic();
    if (id === this.#lastUsed.id && now - this.#lastUsed.at < TOUCH_MILLISECONDS) return undefined;
    this.#lastUsed = { id, at: now };
    return this.#dropStale(MAXIMUM_ROUNDS, id);
  }

  /**
   * Drops sessions that are idle or too many; those that were used meanwhile stay.
   *
   * @param used a session whose use is recorded first
   */
  async #dropStale(rounds = MAXIMUM_ROUNDS, used = ''): Promise<void> {
    const { connection } = this.#parts;
    const { idleMilliseconds, maximum } = this.#bounds;
    const words = [used, idleMilliseconds * 1_000, maximum];
    const stale = await connection.run(TOUCH, [this.#list], words);
    if (!isStaleReply(stale)) return;
    const mine = stale.filter(([id]) => !this.#dropping.has(id));
    if (mine.length === 0) return;
    for (const [id] of mine) this.#dropping.add(id);
    let isUsed = false;
    try {
      for (const [id, reason, listed] of mine) {
        const removed = await this.#clear(id, listed);
        const lastUse = typeof removed === 'string' ? removed : '';
        if (removed === true) {
          this.tell({ kind: 'dropped', id, reason: reason === 'bound' ? 'bound' : 'idle' });
        }
        await connection.run(RELIST, [this.#list], [id, listed, lastUse]);
        isUsed ||= lastUse !== '';
      }
    } finally {
      for (const [id] of mine) this.#dropping.delete(id);
    }
    // Others are older than those that stay.
    if (isUsed && rounds > 0) await this.#dropStale(rounds - 1);
  }

  /** Returns the sessions that were used last, the latest first; all of them by default. */
  async #listNewest(limit?: number): Promise<readonly string[]> {
    if (limit !== undefined && limit <= 0) return [];
    const last = limit === undefined ? -1 : limit - 1;
    return readTexts(await this.#parts.connection.send('ZRANGE', this.#list, 0, last, 'REV'));
  }

  async #clear(id: string, listed?: string): Promise<boolean | string> {
    const removed = await removeSession(this.#parts, id, listed);
    if (typeof removed !== 'string') {
      this.#views.delete(id);
      this.#latest = undefined;
    }
    return removed;
  }

  async #resetDefault(): Promise<void> {
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      const session = await this.edit(DEFAULT_SESSION, COUNTS);
      await session.reset();
      if (await session.save()) return;
    }
    throw new Problem('STATE_BUSY', 'other requests are changing the default session; try again');
  }
}

const COUNTS: EditScope = { journal: 'counts' };

/** Session, reason and last use as it is listed. */
const isStaleReply = is.list(is.tuple(is.text, is.text, is.text));

function refuseInvalid(id: string): void {
  if (id !== DEFAULT_SESSION && !isSessionId(id)) throw invalidSession(id);
}
