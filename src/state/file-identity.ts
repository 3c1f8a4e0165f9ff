import { type BigIntStats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Column, Database, DatabaseError, text } from './database.ts';

/** What belongs to a store file while it is open. */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/**
 * Notices that a path no longer leads to the file that was opened: what is written then is lost
 * when the process ends. It opens no file by itself, as that would end the locks of SQLite.
 */
export class FileIdentity {
  readonly #path: string;
  readonly #shown: string;
  readonly #id: Column | undefined;
  readonly #known: readonly (BigIntStats | undefined)[];
  #size = 0n;
  #writtenAt: bigint | undefined;

  /** @param shown the path of a file that is open */
  constructor(shown: string) {
    this.#shown = shown;
    this.#path = resolve(shown);
    this.#known = SUFFIXES.map((suffix) => look(this.#path + suffix));
    this.#id = this.#readId();
  }

  /** Returns what has happened to the file; undefined while it is the one that was opened. */
  findChange(): string | undefined {
    for (const [index, suffix] of SUFFIXES.entries()) {
      const known = this.#known[index];
      const found = look(this.#path + suffix);
      if (found === undefined) return `${this.#shown}${suffix} was deleted`;
      if (found.ino !== known?.ino || found.dev !== known.dev) {
        return `${this.#shown}${suffix} was replaced by another file`;
      }
      if (suffix === '' && this.#isOverwritten(found)) return `${this.#shown} was overwritten`;
    }
    return undefined;
  }

  /** A store file never shrinks. SQLite writes to it only now and then: otherwise to its log. */
  #isOverwritten({ size, mtimeNs }: BigIntStats): boolean {
    if (size < this.#size) return true;
    this.#size = size;
    if (mtimeNs === this.#writtenAt) return false;
    if (this.#readId() !== this.#id) return true;
    this.#writtenAt = mtimeNs;
    return false;
  }

  /** Returns the id in the file itself, past its log; undefined where it cannot be read. */
  #readId(): Column | undefined {
    let database: Database | undefined;
    try {
      database = new Database(`${pathToFileURL(this.#path).href}?mode=ro&immutable=1`);
      return database.ask(`SELECT ${text('id')} FROM file`);
    } catch (error) {
      if (error instanceof DatabaseError) return undefined;
      throw error;
    } finally {
      database?.close();
    }
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
