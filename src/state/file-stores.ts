import { crc32 } from 'node:zlib';
import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { createUniqueName } from '../base/random.ts';
import { Database, DatabaseError, explainFault, isDamage } from './database.ts';
import { watchIdentity } from './file-identity.ts';
import {
  listSnapshotStores,
  prepareRows,
  RESOURCE_PARTS,
  type ResourceRow,
  type Rows,
  readName,
  sumOf,
  writeName,
} from './file-tables.ts';
import { FileTransaction } from './file-transaction.ts';
import { ForeignRecord } from './foreign-record.ts';
import { groupCommits } from './group-commit.ts';
import { Landmarks } from './landmarks.ts';
import { openFile } from './open-file.ts';
import {
  type LocalStores,
  type Store,
  type StoreBeginning,
  type StoreCopy,
  type Stored,
  splitSnapshotStore,
} from './store.ts';

export interface FileSettings {
  /** The resources in which every store begins; none by default. */
  readonly beginning?: StoreBeginning;
  /** The longest wait for a lock of another process; milliseconds. */
  readonly timeout: number;
}

/**
 * Stores in a file, which outlive the process however it ends: a change is on the disk when its
 * promise resolves. Several processes may open the file.
 */
export class FileStores implements LocalStores {
  readonly #shown: string;
  readonly #database: Database;
  readonly #rows: Rows;
  readonly landmarks = new Landmarks();
  readonly #group: ReturnType<typeof groupCommits>;
  readonly #beginning: StoreBeginning;
  readonly #findChange: () => string | undefined;
  /** The number of this process, by which it knows its own uses of stores. */
  readonly #user = sumOf(createUniqueName());
  /** The last use of a store that this process has seen. */
  #seen = 0;
  #version: number | undefined;
  #isShared = false;
  #damage: Problem | undefined;
  #isClosed = false;

  /**
   * @param shown the path of the file, which is created if it does not exist
   * @throws {StoreError} for a file that cannot be used, or is damaged; it is left as it is then
   */
  constructor(shown: string, { beginning = () => [], timeout }: FileSettings) {
    this.#shown = shown;
    this.#database = openFile(shown);
    this.#rows = prepareRows(this.#database);
    this.#version = this.#rows.version.get()?.[0];
    this.#findChange = watchIdentity(shown);
    const begun = (): FileTransaction => {
      this.#refuseLost();
      return new FileTransaction(this.#rows, this.#user, this.landmarks);
    };
    this.#group = groupCommits(this.#database, begun, timeout);
    this.#beginning = beginning;
  }

  open(name: string): Awaitable<Store> {
    const store = createFileStore(this, name);
    if (this.has(name)) return store;
    return after(this.#beginning(), async (changes) => {
      await this.#write(
        (transaction) => transaction.hasStore(name) || transaction.commit(name, changes),
      );
      return store;
    });
  }

  has(name: string): boolean {
    return this.ask((rows) => rows.findStore.get(writeName(name))) !== undefined;
  }

  copy(from: string, to: string): Promise<void> {
    return this.writeTo(from, (transaction) => transaction.copy(from, to));
  }

  /** Reads from a snapshot of SQLite, which no other process sees or can end. */
  async read(name: string): Promise<StoreCopy> {
    await this.open(name);
    this.#refuseLost();
    const database = this.#attempt(() => new Database(this.#shown));
    const rows = this.#attempt(() => {
      database.execute('BEGIN');
      return prepareRows(database);
    });
    const drop = (): void => this.#attempt(() => database.close());
    const access: FileAccess = {
      landmarks: new Landmarks(),
      ask: (question) => this.#attempt(() => question(rows)),
      has: () => true,
      writeTo: () => Promise.reject(new TypeError('a copy is only read')),
      open: () => state,
      damaged: (damage) => this.damaged(damage),
    };
    const state = createFileStore(access, name);
    if (access.ask(({ findStore }) => findStore.get(writeName(name))) !== undefined) {
      return { state, drop };
    }
    drop();
    return this.read(name);
  }

  drop(name: string): Promise<void> {
    return this.#write((transaction) => transaction.drop(name));
  }

  dropSession(name: string, _snapshots: Iterable<string>, isUnused: boolean): Promise<void> {
    const seen = isUnused ? this.#seen : Number.POSITIVE_INFINITY;
    return this.#write((transaction) => transaction.dropSession(name, seen));
  }

  use(name: string): void {
    // Where it cannot be written, the next use is noted again.
    this.#write((transaction) => transaction.hasStore(name)).catch(() => {});
  }

  usedByOthers(): readonly string[] {
    return this.ask((rows) => {
      const version = rows.version.get()?.[0];
      if (version === this.#version) return [];
      this.#version = version;
      this.#isShared = true;
      const seen = this.#seen;
      this.#seen = rows.lastUse.get()?.[0] ?? 0;
      return this.#readNames(rows.listUsed.all(seen, this.#user));
    });
  }

  snapshotsOf(session: string): readonly string[] {
    const names = this.ask((rows) => listSnapshotStores(rows, session));
    return this.#readNames(names).flatMap((name) => splitSnapshotStore(name)[1] ?? []);
  }

  countSessions(): number | undefined {
    return this.#isShared ? this.ask((rows) => rows.countSessions.get()?.[0]) : undefined;
  }

  names(): readonly string[] {
    return this.#readNames(this.ask((rows) => rows.listStores.all()));
  }

  check(): void {
    this.#refuseLost();
    this.has('');
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#group.settle();
    this.#leaveOneFile();
    this.#database.close();
  }

  /** Moves everything into the one file, for copies of it. Fails while others have it open. */
  #leaveOneFile(): void {
    try {
      this.#database.ask('PRAGMA wal_checkpoint(TRUNCATE)');
      this.#database.ask('PRAGMA journal_mode = DELETE');
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }

  ask<Value>(question: (rows: Rows) => Value): Value {
    this.#refuseClosed();
    return this.#attempt(() => question(this.#rows));
  }

  /** Returns the result of work on a store that begins if it does not exist, once on the disk. */
  async writeTo<Outcome>(name: string, work: Work<Outcome>): Promise<Outcome> {
    for (;;) {
      const done = await this.#write((transaction) =>
        transaction.hasStore(name) ? { outcome: work(transaction) } : undefined,
      );
      if (done !== undefined) return done.outcome;
      await this.open(name);
    }
  }

  async #write<Outcome>(work: Work<Outcome>): Promise<Outcome> {
    this.#refuseClosed();
    return await this.#group.run(work).catch((error: unknown) => {
      throw this.#explain(error);
    });
  }

  /** Refuses a request that met a damaged row; the next start refuses the file. */
  damaged(damage: string): Problem {
    this.#damage ??= new Problem(
      'STORE_UNAVAILABLE',
      `${this.#shown} is damaged, or written by another version of Coldframe (${damage}): put a ` +
        'copy of it from before in its place, or name another file',
    );
    return this.#damage;
  }

  #attempt<Value>(action: () => Value): Value {
    try {
      return action();
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof DatabaseError)) return error;
    return isDamage(error) ? this.damaged(error.message) : explainFault(error, this.#shown);
  }

  #readNames(rows: readonly (readonly [string])[]): readonly string[] {
    return rows.map(([written]) => {
      const name = readName(written);
      if (name === undefined) throw this.damaged(`the store ${written} cannot be read`);
      return name;
    });
  }

  /** Refuses what would be lost with this process. */
  #refuseLost(): void {
    if (this.#damage !== undefined) throw this.#damage;
    const change = this.#findChange();
    if (change === undefined) return;
    throw new Problem(
      'STORE_UNAVAILABLE',
      `${change} while it was in use, and nothing is stored any more: put back the file that ` +
        'was there, or restart the mock with the one that is there now',
    );
  }

  /** The library would end the process. */
  #refuseClosed(): void {
    if (this.#isClosed) throw new Problem('STORE_UNAVAILABLE', `${this.#shown} was closed`);
  }
}

type Work<Outcome> = (transaction: FileTransaction) => Outcome;

/** The file of a store, or a copy that is only read. */
type FileAccess = Pick<FileStores, 'ask' | 'landmarks' | 'writeTo' | 'has' | 'open' | 'damaged'>;

/** Returns a store without a cache, as others change the file too; a dropped one begins again. */
function createFileStore(file: FileAccess, name: string): Store {
  const written = writeName(name);

  /** Returns the rows of a query, or one. Lets a store that does not exist begin, and asks again. */
  const ask = <Found extends readonly unknown[] | undefined>(
    question: (rows: Rows) => Found,
  ): Awaitable<Found> => {
    const found = file.ask(question);
    if ((found?.length ?? 0) > 0 || file.has(name)) return found;
    return after(file.open(name), () => ask(question));
  };
  const read = (text: string): string => {
    const known = readName(text);
    if (known === undefined) throw file.damaged(`the name ${text} cannot be read`);
    return known;
  };
  const show = ([row, sum]: ResourceRow): Stored => {
    const [, key = '', version, json = ''] = RESOURCE_PARTS.exec(row ?? '') ?? [];
    if (row === null || crc32(row) !== sum) {
      throw file.damaged(`the resource ${key} is not what was written`);
    }
    const refuse = () => file.damaged(`the resource ${key} cannot be read`);
    return new ForeignRecord({ key: read(key), version: Number(version), json, refuse });
  };

  return {
    get(collection, key) {
      const names = [written, writeName(collection), writeName(key)];
      const found = ask(({ readResource }) => readResource.get(...names));
      return after(found, (row) => row && show(row));
    },
    list(collection, { offset, limit }) {
      const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
      const names = [written, writeName(collection)] as const;
      return after(
        ask((rows) => file.landmarks.readRange(rows, names, offset, most)),
        (rows) => rows.map(show),
      );
    },
    count(collection) {
      const found = ask(({ readSize }) => readSize.get(written, writeName(collection)));
      return after(found, (row) => row?.[0] ?? 0);
    },
    counts() {
      const found = ask(({ readSizes }) => readSizes.all(written));
      return after(found, (rows) => new Map(rows.map(([size, text]) => [read(text), size])));
    },
    commit: (changes) => file.writeTo(name, (transaction) => transaction.commit(name, changes)),
    replace: (removed, changes) =>
      file.writeTo(name, (transaction) => transaction.replace(name, removed, changes)),
    nextNumber: (of) => file.writeTo(name, (transaction) => transaction.nextNumber(name, of)),
  };
}
