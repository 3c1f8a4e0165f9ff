import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import { Database, DatabaseError, isBusy, isDamage, numbers, text } from './database.ts';
import { APPLICATION, FORMAT, tablesOf, upgradeFrom } from './file-tables.ts';
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
      checkBefore(path, shown);
      return openForWriting(path);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!isBusy(error) || attempt === ATTEMPTS) throw explainStart(error, shown);
    }
    // Blocks: nothing is served yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLISECONDS);
  }
}

/** Checks what is there. SQLite would delete a log without its file, and what it has stored. */
function checkBefore(path: string, shown: string): void {
  // The log first: another process that is just starting makes the file before its log.
  const hasLog = isFilled(`${path}-wal`);
  if (isFilled(path)) checkFile(path, shown);
  else if (hasLog) {
    throw new StoreError(
      `${shown} is gone or empty, but ${shown}-wal has changes of it: put the file back, or move ` +
        'both away to begin with an empty store',
    );
  }
}

function isFilled(path: string): boolean {
  return (lookAt(path)?.size ?? 0) > 0;
}

function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function openForWriting(path: string): Database {
  const database = new Database(path);
  try {
    database.execute('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    database.execute(upgradeFrom(Number(database.ask('PRAGMA user_version'))));
    database.execute('COMMIT');
    // In WAL mode readers do not wait for writers, and a commit is one write at the end of a file.
    if (database.ask('PRAGMA journal_mode = WAL') !== 'wal') {
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
    if (!(error instanceof DatabaseError)) throw error;
    // A plain error is a table that is not as it was.
    if (!isDamage(error) && error.code !== 'ERROR') throw error;
    throw error.code === 'NOTADB' ? foreign(shown) : damaged(shown, error.message);
  } finally {
    if (database?.isInTransaction === true) database.execute('ROLLBACK');
    database?.close();
  }
}

function isBlank(database: Database): boolean {
  const tables = database.ask('SELECT count(*) FROM sqlite_schema');
  return tables === 0 && database.ask('PRAGMA application_id') === 0;
}

function checkKind(database: Database, shown: string): void {
  const format = Number(database.ask('PRAGMA user_version'));
  if (database.ask('PRAGMA application_id') !== APPLICATION) throw foreign(shown);
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

function findDamage(database: Database): string | undefined {
  return (
    findBrokenStructure(database) ??
    findBrokenTables(database) ??
    findBrokenRows(database) ??
    findLostRows(database)
  );
}

function findBrokenStructure(database: Database): string | undefined {
  const found = database.ask(`SELECT ${text('integrity_check')} FROM pragma_integrity_check(1)`);
  return found === 'ok' ? undefined : String(found).replace(/^\*\*\*.*\*\*\*\s+/, '');
}

function findBrokenTables(database: Database): string | undefined {
  const query = database.prepare<[string]>(
    `SELECT ${text('sql')} FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`,
  );
  const tables = query.all().map(([sql]) => sql);
  const format = Number(database.ask('PRAGMA user_version'));
  if (tables.join() === tablesOf(format).join()) return undefined;
  return 'its tables are not those of this format';
}

/** The columns that the checksum of each table covers, in its order, and the one with a name. */
const SUMMED = [
  ['stores', ['id', 'name', 'version'], 'name'],
  ['collections', ['id', 'store', 'name', 'size'], 'name'],
  ['numbers', ['store', 'name', 'number'], 'name'],
  ['resources', ['key', 'place', 'version', 'text'], 'key'],
] as const;

/** Does not parse the texts of resources, as there may be many: a request does. */
function findBrokenRows(database: Database): string | undefined {
  for (const [table, columns, name] of SUMMED) {
    const isName = `json_valid(${name}) AND ${name} GLOB '"*'`;
    const query = database.prepare<[written: string | null, sum: number, isNamed: number]>(
      `SELECT ${text(columns.join(" || ' ' || "))}, ${numbers('sum', isName)} FROM ${table}`,
    );
    let broken = 0;
    query.each(([written, sum, isNamed]) => {
      if (written === null || isNamed !== 1 || crc32(written) !== sum) broken++;
    });
    if (broken > 0) return `${broken} rows of ${table} are not what was written`;
  }
  return undefined;
}

/** Rows that belong to no other, or that are missing. */
const LOSSES = {
  'collections whose store is gone': 'collections WHERE store NOT IN (SELECT id FROM stores)',
  'numbers whose store is gone': 'numbers WHERE store NOT IN (SELECT id FROM stores)',
  'resources whose collection is gone': `(SELECT DISTINCT collection AS id FROM resources)
    WHERE id NOT IN (SELECT id FROM collections)`,
  'collections that hold more or less than they did': `collections AS one
    WHERE size != (SELECT count(*) FROM resources WHERE collection = one.id)`,
};

function findLostRows(database: Database): string | undefined {
  for (const [fault, rows] of Object.entries(LOSSES)) {
    const count = database.ask(`SELECT count(*) FROM ${rows}`);
    if (count !== 0) return `${count} ${fault}`;
  }
  return undefined;
}
