import { Problem } from '../base/problem.ts';
import { createUniqueName } from '../base/random.ts';
import {
  type Change,
  nameSnapshotStore,
  type Store,
  type StoreBeginning,
  type StoreCopy,
  type Stores,
} from '../state/store.ts';
import type { RedisConnection } from './connection.ts';
import {
  escapeName,
  globalKey,
  keysOf,
  keysOfStore,
  metaOf,
  nameOfStore,
  unescapeName,
} from './keys.ts';
import { RedisStore, type RedisStoreParts, readTexts, writeChanges } from './redis-store.ts';
import { SeenRecords } from './seen-records.ts';
import { SharedScript } from './shared-script.ts';
import { createSharedStateBudget, type SharedStateBudget } from './shared-state-budget.ts';
import {
  ADOPT,
  BEGIN,
  COMMIT_EACH,
  COPY,
  DROP,
  DUMP,
  EXISTS,
  REGISTER,
  STAGE,
} from './store-scripts.ts';
import { unreadable } from './stored-data.ts';

export interface RedisStoresSettings {
  /** The resources in which every store begins; none by default. */
  readonly beginning?: StoreBeginning;
  /** True lets a store begin only while its session exists: a late request brings nothing back. */
  readonly isOwned?: boolean;
  /** The limit on the resources of all sessions; bytes. Undefined is the limit of Redis itself. */
  readonly limit?: number | undefined;
}

/** More changes are sent in parts, so that other commands do not wait long. */
const CHANGES_AT_ONCE = 2_000;
/** Begins the name of a copy that exists only while it is read; no snapshot has such a name. */
const COPY_PREFIX = '$copy-';
/** Redis removes what was staged by a process that ended; milliseconds. */
const STAGED_FOR = 3_600_000;

/** The stores of a namespace of a Redis, shared by all processes that use it. */
export class RedisStores implements Stores {
  readonly #connection: RedisConnection;
  readonly #beginning: StoreBeginning;
  readonly #isOwned: boolean;
  readonly #budget: SharedStateBudget | undefined;
  readonly #seen = new SeenRecords();

  /** @param connection stays open when the stores are closed */
  constructor(connection: RedisConnection, settings: RedisStoresSettings = {}) {
    const { beginning = () => [], isOwned = false, limit } = settings;
    this.#connection = connection;
    this.#beginning = beginning;
    this.#isOwned = isOwned;
    this.#budget =
      limit === undefined ? undefined : createSharedStateBudget(limit, () => this.#measure());
  }

  /** Returns a store without asking Redis. One that does not exist begins when it is first used. */
  use(name: string): RedisStore {
    return new RedisStore(this.partsOf(name));
  }

  partsOf(name: string): RedisStoreParts {
    const { meta } = this.#locate(name);
    return {
      connection: this.#connection,
      meta,
      commits: new SharedScript(this.#connection, COMMIT_EACH, [meta]),
      begin: () => this.#begin(name),
      budget: this.#budget,
      seen: this.#seen,
    };
  }

  async open(name: string): Promise<Store> {
    if (!(await this.has(name))) await this.#begin(name);
    return this.use(name);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#connection.run(EXISTS, [this.#locate(name).meta])) === 1;
  }

  async read(name: string): Promise<StoreCopy> {
    const { session } = this.#locate(name);
    const copy = nameSnapshotStore(session, COPY_PREFIX + createUniqueName());
    try {
      await this.#copy(name, copy);
    } catch (error) {
      if (!(error instanceof Problem) || error.problem !== 'STATE_FULL') throw error;
      // There is no room for a copy.
      return { state: await this.use(name).pin(), drop: () => undefined };
    }
    return { state: this.use(copy), drop: () => this.drop(copy) };
  }

  async copy(from: string, to: string): Promise<void> {
    const make = (): Promise<void> => this.#copy(from, to);
    if (this.#budget === undefined) return await make();
    const bytes = await this.#bytesOf(from);
    await this.#budget.hold(bytes, make, async () => bytes - (await this.#bytesOf(to)));
  }

  async #copy(from: string, to: string): Promise<void> {
    const [source, target] = [this.#locate(from), this.#locate(to)];
    if (this.#connection.isCluster && source.session !== target.session) {
      return await this.#transfer(from, to);
    }
    const keys = [source.meta, target.meta, target.stores];
    await this.#register(target.session);
    if ((await this.#connection.run(COPY, keys, [target.part])) !== null) return;
    await this.#begin(from);
    await this.#connection.run(COPY, keys, [target.part]);
  }

  async drop(name: string): Promise<void> {
    const { session, part, meta, stores } = this.#locate(name);
    const left = await this.#connection.run(DROP, [meta, stores], [part]);
    if (left === 0) await this.forget(session);
  }

  /** Removes a session that has no stores any more from the list of those that have. */
  async forget(session: string): Promise<void> {
    await this.#connection.send('SREM', this.#allSessions, escapeName(session));
  }

  async names(): Promise<readonly string[]> {
    const names = (await this.#members(this.#allSessions)).map(async (escaped) => {
      const session = this.#decode(unescapeName(escaped), this.#allSessions);
      const { stores } = keysOf(this.#connection.namespace, session);
      const parts = await this.#members(stores);
      return parts.map((part) => this.#decode(nameOfStore(session, part), stores));
    });
    return (await Promise.all(names)).flat();
  }

  check(): Promise<void> {
    return this.#connection.check();
  }

  close(): void {}

  async #measure(): Promise<number> {
    const taken = await Promise.all((await this.names()).map((name) => this.#bytesOf(name)));
    return taken.reduce((sum, bytes) => sum + bytes, 0);
  }

  async #bytesOf(name: string): Promise<number> {
    return Number((await this.#connection.send('HGET', this.#locate(name).meta, 'b')) ?? 0);
  }

  get #allSessions(): string {
    return globalKey(this.#connection.namespace, 'stores');
  }

  #locate(name: string) {
    return keysOfStore(this.#connection.namespace, name);
  }

  async #members(key: string): Promise<readonly string[]> {
    return readTexts(await this.#connection.send('SMEMBERS', key));
  }

  /** @throws {Problem} STORE_UNAVAILABLE for a name that Coldframe never gives */
  #decode(name: string | undefined, key: string): string {
    if (name === undefined) throw unreadable(this.#connection, 'the name of a store', key);
    return name;
  }

  /** Lists the session first: a session that is listed and has no store does no harm. */
  async #register(session: string): Promise<void> {
    await this.#connection.run(REGISTER, [this.#allSessions], [escapeName(session)]);
  }

  async #begin(name: string): Promise<void> {
    const changes = await this.#beginning();
    const { session, part, meta, stores, main } = this.#locate(name);
    await this.#register(session);
    if (changes.length > CHANGES_AT_ONCE) return await this.#beginInParts(name, changes);
    const words = [part, this.#isOwned ? 1 : 0, ...writeChanges(changes)];
    this.#demand(await this.#connection.run(BEGIN, [meta, stores, main], words), session);
  }

  async #beginInParts(name: string, changes: readonly Change[]): Promise<void> {
    const staged = this.#stage(name);
    for (let first = 0; first < changes.length; first += CHANGES_AT_ONCE) {
      const words = writeChanges(changes.slice(first, first + CHANGES_AT_ONCE));
      await this.#connection.run(STAGE, [metaOf(staged)], [STAGED_FOR, ...words]);
    }
    await this.#adopt(staged, name, false);
  }

  /** Copies a store to another slot of a cluster, where COPY does not work. */
  async #transfer(from: string, to: string): Promise<void> {
    await this.open(from);
    const dumps = await this.#connection.run(DUMP, [this.#locate(from).meta], [], 'callBuffer');
    if (!Array.isArray(dumps)) return;
    const staged = this.#stage(to);
    for (let index = 0; index < dumps.length; index += 2) {
      const key = `${staged}:${String(dumps[index])}`;
      await this.#connection.send('RESTORE', key, STAGED_FOR, dumps[index + 1]);
    }
    await this.#register(this.#locate(to).session);
    await this.#adopt(staged, to, true);
  }

  /** Returns the prefix of a new store that no other process knows, in the same slot. */
  #stage(name: string): string {
    return `${this.#locate(name).prefix}+${createUniqueName()}`;
  }

  /** @param replaces whether it replaces a store that exists already */
  async #adopt(staged: string, name: string, replaces: boolean): Promise<void> {
    const { session, part, meta, stores, main } = this.#locate(name);
    const words = [part, this.#isOwned ? 1 : 0, replaces ? 1 : 0];
    const keys = [metaOf(staged), meta, stores, main];
    this.#demand(await this.#connection.run(ADOPT, keys, words), session);
  }

  #demand(reply: unknown, session: string): void {
    if (reply !== -1) return;
    throw new Problem(
      'STATE_BUSY',
      `the session ${session} was dropped while the request used it: by another client, or because ` +
        'more sessions are in use at once than session-limit allows; try again',
    );
  }
}
