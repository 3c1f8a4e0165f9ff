import { type BigIntStats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Column, Database, DatabaseError, text } from './database.ts';

/** The suffixes of the files that belong to an open store. */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/**
 * Returns a function that says what has happened to a file since: what is written to another one in
 * its place is lost when the process ends. The function returns undefined while the path leads to
 * the same file, and opens no file by itself, as that would end the locks of SQLite.
 *
 * @param shown the path of a file that is open
 */
export function watchIdentity(shown: string): () => string | undefined {
  const path = resolve(shown);
  const known = SUFFIXES.map((suffix) => look(path + suffix));
  const id = readId(path);
  let lastSize = 0n;
  let writtenAt: bigint | undefined;

  /** A store file never shrinks. SQLite writes to it only now and then: otherwise to its log. */
  const isOverwritten = ({ size, mtimeNs }: BigIntStats): boolean => {
    if (size < lastSize) return true;
    lastSize = size;
    if (mtimeNs === writtenAt) return false;
    if (readId(path) !== id) return true;
    writtenAt = mtimeNs;
    return false;
  };

  return () => {
    for (const [index, suffix] of SUFFIXES.entries()) {
      const found = look(path + suffix);
      if (found === undefined) return `${shown}${suffix} was deleted`;
      if (found.ino !== known[index]?.ino || found.dev !== known[index]?.dev) {
        return `${shown}${suffix} was replaced by another file`;
      }
      if (suffix === '' && isOverwritten(found)) return `${shown} was overwritten`;
    }
    return undefined;
  };
}

/** Returns the id in the file itself, past its log; undefined where it cannot be read. */
function readId(path: string): Column | undefined {
  let database: Database | undefined;
  try {
    database = new Database(`${pathToFileURL(path).href}?mode=ro&immutable=1`);
    // Else SQLite refuses a file that is shorter than its header says: it is so while pages of its
    // end are only in the log.
    database.execute('PRAGMA writable_schema = ON');
    return database.ask(`SELECT ${text('id')} FROM file`);
  } catch (error) {
    if (error instanceof DatabaseError) return undefined;
    throw error;
  } finally {
    database?.close();
  }
}

/** Returns undefined for a file that is not there, or that this user may not see any more. */
function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
