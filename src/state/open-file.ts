import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkFile, isBlank } from './check-file.ts';
import { Database, DatabaseError } from './database.ts';
import { isBusy } from './file-fault.ts';
import { APPLICATION, FORMAT, TABLES } from './file-format.ts';
import { StoreError } from './store-error.ts';

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
