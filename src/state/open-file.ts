import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Column, Database, DatabaseError, isBusy } from './database.ts';
import { APPLICATION, FORMAT, readName, sumOf, TABLES } from './file-tables.ts';
import { StoreError } from './store.ts';

/** Attempts to open a file that another process is opening or closing. */
const ATTEMPTS = 100;
const PAUSE_MILLISECONDS = 50;
/** The longest wait of a read for a lock, which others hold only briefly; milliseconds. */
const READ_PATIENCE = 20;
/** The cache of pages; kibibytes. */
const CACHE = 16_384;
/** The size of the write-ahead log after a large transaction; bytes. */
const LARGEST_LOG = 16_777_216;

/**
 * Opens the file of stores, and creates it if it does not exist.
 *
 * @param shown its path for messages
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
    // Blocks: nothing is served yet.
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
    // In WAL mode readers do not wait for writers, and a commit is one write at the end of a file.
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
 * Checks a file before it is used, without a change to it: a store that has lost data must not begin
 * as if it had been empty.
 *
 * @param path of a file that exists and is not empty
 * @param shown the path for messages
 * @throws {StoreError} for a file of something else, of a later Coldframe, or a damaged one
 */
function checkFile(path: string, shown: string): void {
  try {
    check(`${pathToFileURL(path).href}?mode=ro`, shown);
  } catch (error) {
    // A first start that was killed leaves a journal, which only a writer can roll back.
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

/** Returns true for an empty database. */
function isBlank(database: Database): boolean {
  const tables = database.prepare<[number]>('SELECT count(*) FROM sqlite_schema').get()?.[0];
  return tables === 0 && database.ask('application_id') === 0;
}

/** The codes of SQLite for a file that it cannot read. */
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

/** Returns the first damage; undefined when there is none. */
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

/** The columns that the checksum of each table covers, and the checksum last. */
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

/** Does not parse the texts of resources, as there may be many: a request does. */
function isReadableAs(column: string, value: Column): boolean {
  if (column === 'text') return typeof value === 'string';
  if (column !== 'name' && column !== 'key') return Number.isSafeInteger(value);
  return typeof value === 'string' && readName(value) !== undefined;
}

/** Finds rows that belong to no other, or that are missing. */
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
