import { Problem } from '../base/problem.ts';
import { DatabaseError } from './database.ts';

/** No room on the disk. What SQLite cannot write for another reason is unavailable. */
const FULL: ReadonlySet<string> = new Set(['FULL']);

/**
 * @param shown the path of the file, as people know it
 * @returns what a request is told of a fault of the database; another error as it is
 */
export function explainFault(error: unknown, shown: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (FULL.has(error.code) || isOutOfRoom(error)) {
    return new Problem(
      'STATE_FULL',
      `there is no room on the disk for what ${shown} should keep; nothing was changed`,
    );
  }
  if (error.code === 'BUSY' || error.code === 'LOCKED') {
    return new Problem(
      'STORE_UNAVAILABLE',
      `another program keeps ${shown} locked; nothing was changed`,
    );
  }
  return new Problem('STORE_UNAVAILABLE', `${shown} cannot be used: ${error.message}`);
}

/** Returns the refusal of a request that met a row that cannot be read. */
export function damagedFile(shown: string, damage: string): Problem {
  return new Problem(
    'STORE_UNAVAILABLE',
    `${shown} is damaged, or written by another version of Coldframe (${damage}): put a copy of ` +
      'it from before in its place, or name another file',
  );
}

/** A page of the shared memory that cannot be made is an error of input and output. */
function isOutOfRoom({ code, message }: DatabaseError): boolean {
  return code.startsWith('IOERR') && /full|no space/i.test(message);
}

/** @returns true for a lock that others hold for a moment */
export function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === 'BUSY' || error.code === 'LOCKED');
}
