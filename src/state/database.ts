import { createRequire } from 'node:module';
import { Problem } from '../base/problem.ts';

/** The value of a column. */
export type Column = string | number | null;

/** The used part of the library. */
interface Engine {
  readonly inTransaction: boolean;
  prepare(sql: string): EngineStatement;
  exec(sql: string): void;
  close(): void;
}

interface EngineStatement {
  raw(): EngineStatement;
  get(values: readonly Column[]): unknown;
  run(values: readonly Column[]): { readonly lastInsertRowid: number | bigint };
  iterate(values: readonly Column[]): Iterable<unknown>;
}

/** An error of SQLite with its code, such as `FULL`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: string;

  constructor(cause: unknown) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(message.split('\n', 1)[0], { cause });
    this.code = readCode(cause, message);
  }
}

/** A connection to a file of SQLite. */
export class Database {
  readonly #engine: Engine;

  /** @param path a path, or a URI that begins with `file:` */
  constructor(path: string) {
    this.#engine = attempt(() => {
      // Loaded here as it takes 20 ms, and a platform without it needs it for files only.
      const Engine = createRequire(import.meta.url)('libsql') as typeof import('libsql');
      return new Engine(path);
    });
  }

  get isInTransaction(): boolean {
    return this.#engine.inTransaction;
  }

  prepare<Row extends readonly Column[]>(sql: string): Query<Row> {
    return attempt(() => new Query<Row>(this.#engine.prepare(sql)));
  }

  /** Runs several statements without rows. */
  execute(sql: string): void {
    attempt(() => this.#engine.exec(sql));
  }

  /** Returns the value of a PRAGMA. */
  ask(pragma: string): Column | undefined {
    return this.prepare<readonly Column[]>(`PRAGMA ${pragma}`).get()?.[0];
  }

  close(): void {
    attempt(() => this.#engine.close());
  }
}

/** A statement that is prepared once and run often. */
export class Query<Row extends readonly Column[]> {
  readonly #statement: EngineStatement;

  constructor(statement: EngineStatement) {
    this.#statement = statement;
  }

  /** Returns the first row. */
  get(...values: readonly Column[]): Row | undefined {
    return attempt(() => this.#statement.raw().get(values)) as Row | undefined;
  }

  all(...values: readonly Column[]): readonly Row[] {
    return attempt(() => [...this.#statement.raw().iterate(values)]) as unknown as readonly Row[];
  }

  /** Visits all rows: a statement that ends early keeps its lock. */
  each(visit: (row: Row) => void, ...values: readonly Column[]): void {
    attempt(() => {
      for (const row of this.#statement.raw().iterate(values)) visit(row as Row);
    });
  }

  run(...values: readonly Column[]): void {
    attempt(() => this.#statement.run(values));
  }

  /** Returns the number of the inserted row. */
  insert(...values: readonly Column[]): number {
    return Number(attempt(() => this.#statement.run(values)).lastInsertRowid);
  }
}

function attempt<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (cause) {
    throw new DatabaseError(cause);
  }
}

function readCode(cause: unknown, message: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('SQLITE_')) return code.slice('SQLITE_'.length);
  // The error of a connection has its code only in its message: 14 is SQLITE_CANTOPEN.
  return /: 14"?\)$/.test(message) ? 'CANTOPEN' : 'ERROR';
}

/**
 * Returns the refusal of a request for an error of the database; any other error as it is.
 *
 * @param shown the path of the file for messages
 */
export function explainFault(error: unknown, shown: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === 'FULL' || isOutOfRoom(error)) {
    return new Problem(
      'STATE_FULL',
      `there is no room on the disk for what ${shown} should keep; nothing was changed`,
    );
  }
  if (isBusy(error)) {
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

/** SQLite reports an I/O error where there is no room for a page of its shared memory. */
function isOutOfRoom({ code, message }: DatabaseError): boolean {
  return code.startsWith('IOERR') && /full|no space/i.test(message);
}

/** Returns true for a lock of another process. */
export function isBusy(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === 'BUSY' || error.code === 'LOCKED');
}
