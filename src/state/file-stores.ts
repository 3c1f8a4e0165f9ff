import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { type Database, DatabaseError, damagedFile, explainFault } from './database.ts';
import { type FileAccess, FileStore } from './file-store.ts';
import { prepareRows, type Rows, readName, writeName } from './file-tables.ts';
import type { FileTransaction } from './file-transaction.ts';
import { GroupCommit } from './group-commit.ts';
import { openFile } from './open-file.ts';
import type { Change, Store, StoreBeginning, Stores } from './store.ts';

export interface FileSettings {
  /** The resources in which every store begins; none by default. */
  readonly beginning?: StoreBeginning;
  /** The longest wait for a lock of another process; milliseconds. */
  readonly timeout: number;
}

/**
 * Opens stores in a file, which outlive the process however it ends: a change is on the disk when
 * its promise resolves. Several processes may open the file.
 *
 * @param path of the file, which is created if it does not exist
 * @throws {StoreError} for a file that cannot be used, or is damaged; it is left as it is then
 */
export function createFileStores(path: string, settings: FileSettings): Stores {
  const { beginning = () => [], timeout } = settings;
  return new FileStores(openFile(path), path, beginning, timeout);
}

class FileStores implements Stores, FileAccess {
  readonly shown: string;
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #group: GroupCommit;
  readonly #beginning: StoreBeginning;
  #isClosed = false;

  constructor(database: Database, shown: string, beginning: StoreBeginning, timeout: number) {
    this.shown = shown;
    this.#database = database;
    this.#rows = prepareRows(database);
    this.#group = new GroupCommit(database, this.#rows, timeout);
    this.#beginning = beginning;
  }

  open(name: string): Awaitable<Store> {
    const store = new FileStore(this, name);
    if (this.has(name)) return store;
    return after(this.#beginning(), (changes) => this.#begin(name, changes, store));
  }

  has(name: string): boolean {
    return this.read((rows) => rows.findStore.get(writeName(name))) !== undefined;
  }

  async copy(from: string, to: string): Promise<void> {
    const copied = await this.write((transaction) => {
      if (!transaction.hasStore(from)) return false;
      transaction.copy(from, to);
      return true;
    });
    if (copied) return;
    await this.open(from);
    await this.copy(from, to);
  }

  drop(name: string): Promise<void> {
    return this.write((transaction) => transaction.drop(name));
  }

  names(): readonly string[] {
    return this.read((rows) => rows.listStores.all()).map(([text]) => {
      const name = readName(text);
      if (name === undefined) throw damagedFile(this.shown, `the store ${text} cannot be read`);
      return name;
    });
  }

  check(): void {
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
      this.#database.ask('wal_checkpoint(TRUNCATE)');
      this.#database.ask('journal_mode = DELETE');
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }

  read<Value>(question: (rows: Rows) => Value): Value {
    this.#refuseClosed();
    try {
      return question(this.#rows);
    } catch (error) {
      throw explainFault(error, this.shown);
    }
  }

  async write<Outcome>(work: (transaction: FileTransaction) => Outcome): Promise<Outcome> {
    this.#refuseClosed();
    try {
      return await this.#group.run(work);
    } catch (error) {
      throw explainFault(error, this.shown);
    }
  }

  /** The library would end the process. */
  #refuseClosed(): void {
    if (this.#isClosed) throw new Problem('STORE_UNAVAILABLE', `${this.shown} was closed`);
  }

  async #begin(name: string, changes: readonly Change[], store: Store): Promise<Store> {
    await this.write((transaction) => transaction.begin(name, changes));
    return store;
  }
}
