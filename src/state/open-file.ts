import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Column, Database, DatabaseError, isBusy } from './database.ts';
import { APPLICATION, FORMAT, readName, sumOf, TABLES } from './file-tables.ts';
import { StoreError } from './store.ts';

/** How often, and how long apart, a file is tried that another process begins or ends with. */
const ATTEMPTS = 100;
const PAUSE_MILLISECONDS = 50;
/** Reading waits for a lock for a moment, as others hold it for no longer; milliseconds. */
const READ_PATIENCE = 20;
/** Of the pages of the file, in kibibytes. */
const CACHE = 16_384;
/** What the log of writes keeps of the disk when a large one is done; bytes. */
const LARGEST_LOG = 16_777_216;

/**
 * Opens the file of stores, and makes it where there is none.
 *
 * @param shown its path, as people know it
 * @throws {StoreError} that says what to do
 */
export function openFile(shown: string): Database {
  const path = resolve(shown);
  if (lookAt(path)?.isDirectory() === true) {
    throw new StoreError(`${shown} is a folder: name a file in it, such as ${shown}/coldframe.db`);
  }
  if (lookAt(dirname(path))?.isDirectory() !== true) {
    throw new StoreError(`the folder ${dirname(path)} is not there: make it, or name another file`);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      if ((lookAt(path)?.size ?? 0) > 0) checkFile(path, shown);
      return openForWriting(path);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!isBusy(error) || attempt === ATTEMPTS) throw explainStart(error, shown);
    }
    // Nothing is served yet that could go on meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLISECONDS);
  }
}

function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function openForWriting(path: string): Database {
  const database = new Database(path);
  try {
    database.execute('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    if (isBlank(database)) {
      database.execute(
        [`PRAGMA application_id = ${APPLICATION}`, `PRAGMA user_version = ${FORMAT}`]
          .concat(TABLES)
          .join(';\n'),
      );
    }
    database.execute('COMMIT');
    // Readers do not wait for writers, and a commit is one write at the end of one file.
    if (database.ask('journal_mode = WAL') !== 'wal') {
      throw new StoreError('the file system lets no processes share memory');
    }
    database.execute(
      `PRAGMA busy_timeout = ${READ_PATIENCE}; PRAGMA cache_size = -${CACHE};
       PRAGMA journal_size_limit = ${LARGEST_LOG}`,
    );
    return database;
  } catch (error) {
    if (database.isInTransaction) database.execute('ROLLBACK');
    database.close();
    throw error;
  }
}

function explainStart({ code, message }: DatabaseError, shown: string): StoreError {
  if (code === 'READONLY' || code === 'CANTOPEN' || code === 'PERM') {
    return new StoreError(
      `${shown} cannot be written: the file and its folder must be writable (${message})`,
    );
  }
  if (code === 'BUSY' || code === 'LOCKED') {
    return new StoreError(`another program keeps ${shown} locked: end it, or name another file`);
  }
  if (code === 'FULL' || code.startsWith('IOERR')) {
    return new StoreError(`${shown} cannot be opened, is the disk full? (${message})`);
  }
  return new StoreError(`${shown} cannot be opened: ${message}`);
}

/**
 * Looks through a file before it is used, and changes nothing in it: a store that has lost
 * something must not begin as if nothing had been there.
 *
 * @param path of a file that is there and not empty
 * @param shown the path as people know it
 * @throws {StoreError} for a file of something else, of a later Coldframe, or a damaged one
 */
export function checkFile(path: string, shown: string): void {
  try {
    check(`${pathToFileURL(path).href}?mode=ro`, shown);
  } catch (error) {
    // A first start that was killed has left a journal, which only a writer can take back.
    if (!(error instanceof DatabaseError) || error.code !== 'READONLY') throw error;
    check(path, shown);
  }
}

function check(address: string, shown: string): void {
  let database: Database | undefined;
  try {
    database = new Database(address);
    database.execute('BEGIN');
    if (isBlank(database)) return;
    checkKind(database, shown);
    const damage = findDamage(database);
    if (damage !== undefined) throw damaged(shown, damage);
  } catch (error) {
    if (!(error instanceof DatabaseError) || !DAMAGES.has(error.code)) throw error;
    throw error.code === 'NOTADB' ? foreign(shown) : damaged(shown, error.message);
  } finally {
    if (database?.isInTransaction === true) database.execute('ROLLBACK');
    database?.close();
  }
}

/** True for a database that nobody has written to yet. */
export function isBlank(database: Database): boolean {
  const tables = database.prepare<[number]>('SELECT count(*) FROM sqlite_schema').get()?.[0];
  return tables === 0 && database.ask('application_id') === 0;
}

/** What the database says of a file that it cannot make sense of. */
const DAMAGES: ReadonlySet<string> = new Set(['NOTADB', 'CORRUPT', 'ERROR', 'SCHEMA', 'FORMAT']);

function checkKind(database: Database, shown: string): void {
  const format = Number(database.ask('user_version'));
  if (database.ask('application_id') !== APPLICATION) throw foreign(shown);
  if (format > FORMAT) {
    throw new StoreError(
      `${shown} was written by a later version of Coldframe (format ${format}, this one knows ` +
        `${FORMAT}): start that version, or name another file`,
    );
  }
}

function foreign(shown: string): StoreError {
  return new StoreError(
    `${shown} is not a file of Coldframe's, or its beginning is damaged, and was left as it is: ` +
      'name another file',
  );
}

function damaged(shown: string, damage: string): StoreError {
  return new StoreError(
    `${shown} is damaged (${damage}), and was left as it is: put a copy of it from before in its ` +
      'place, or move it away to begin with an empty store',
  );
}

/** @returns what is wrong first; undefined when nothing is */
function findDamage(database: Database): string | undefined {
  return (
    findBrokenStructure(database) ??
    findBrokenTables(database) ??
    findBrokenRows(database) ??
    findLostRows(database)
  );
}

function findBrokenStructure(database: Database): string | undefined {
  const found = database.ask('integrity_check(1)');
  return found === 'ok' ? undefined : String(found).replace(/^\*\*\*.*\*\*\*\s+/, '');
}

function findBrokenTables(database: Database): string | undefined {
  const query = database.prepare<[string]>(
    'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid',
  );
  const tables = query.all().map(([sql]) => sql);
  return tables.join() === TABLES.join() ? undefined : 'its tables are not those of this format';
}

/** The columns of each table that its sums are over, and the sums last. */
const SUMMED: Readonly<Record<string, readonly string[]>> = {
  stores: ['id', 'name', 'version', 'sum'],
  collections: ['id', 'store', 'name', 'size', 'sum'],
  numbers: ['store', 'name', 'number', 'sum'],
  resources: ['key', 'place', 'version', 'text', 'sum'],
};

function findBrokenRows(database: Database): string | undefined {
  for (const [table, columns] of Object.entries(SUMMED)) {
    const isReadable = (value: Column, index: number): boolean =>
      isReadableAs(columns[index] ?? '', value);
    let broken = 0;
    database.prepare<readonly Column[]>(`SELECT ${columns.join()} FROM ${table}`).each((row) => {
      if (sumOf(...row.slice(0, -1)) !== row.at(-1) || !row.every(isReadable)) broken++;
    });
    if (broken > 0) return `${broken} rows of ${table} are not what was written`;
  }
  return undefined;
}

/** The texts of resources are read when a request needs them: there may be many. */
function isReadableAs(column: string, value: Column): boolean {
  if (column === 'text') return typeof value === 'string';
  if (column !== 'name' && column !== 'key') return Number.isSafeInteger(value);
  return typeof value === 'string' && readName(value) !== undefined;
}

/** Rows that nothing leads to, or that are too few. */
function findLostRows(database: Database): string | undefined {
  for (const [fault, sql] of [
    [
      'collections whose store is gone',
      'SELECT count(*) FROM collections WHERE store NOT IN (SELECT id FROM stores)',
    ],
    [
      'numbers whose store is gone',
      'SELECT count(*) FROM numbers WHERE store NOT IN (SELECT id FROM stores)',
    ],
    [
      'resources whose collection is gone',
      `SELECT count(*) FROM (SELECT DISTINCT collection FROM resources) AS used
       WHERE used.collection NOT IN (SELECT id FROM collections)`,
    ],
    [
      'collections that hold more or less than they did',
      `SELECT count(*) FROM collections AS one WHERE size !=
       (SELECT count(*) FROM resources WHERE collection = one.id)`,
    ],
  ] as const) {
    const count = database.prepare<[number]>(sql).get()?.[0] ?? 0;
    if (count > 0) return `${count} ${fault}`;
  }
  return undefined;
}
