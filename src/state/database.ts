import { createRequire } from 'node:module';
import { Problem } from '../base/problem.ts';

/** The value of a column. */
export type Column = string | number | null;

/** Returns the SQL that reads numbers whatever a damaged file has in their place. */
export function numbers(...names: readonly string[]): string {
  return names.map((name) => `CAST(${name} AS INTEGER)`).join();
}

/** Returns the SQL that reads a text as bytes: the library ends the process at broken UTF-8. */
export function text(expression: string): string {
  return `CAST(${expression} AS BLOB)`;
}

type Engine = InstanceType<typeof import('libsql')>;

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

  /** Prepares a statement once. It reads its columns by {@link numbers} and {@link text}. */
  prepare<Row extends readonly Column[]>(sql: string) {
    const statement = attempt(() => this.#engine.prepare(sql));
    /** Visits all rows: a statement that ends early keeps its lock. */
    const each = (visit: (row: Row) => void, ...values: readonly Column[]): void =>
      attempt(() => {
        for (const row of statement.raw().iterate(values)) visit(decode(row) as Row);
      });
    return {
      each,
      get: (...values: readonly Column[]) =>
        attempt(() => decode(statement.raw().get(values))) as Row | undefined,
      all(...values: readonly Column[]): readonly Row[] {
        const rows: Row[] = [];
        each((row) => rows.push(row), ...values);
        return rows;
      },
      /** Returns the number of the inserted row. */
      run: (...values: readonly Column[]) =>
        Number(attempt(() => statement.run(values)).lastInsertRowid),
    };
  }

  /** Runs several statements without rows. */
  execute(sql: string): void {
    attempt(() => this.#engine.exec(sql));
  }

  /** Returns the first value of a query that runs once. */
  ask(sql: string): Column | undefined {
    return this.prepare<readonly Column[]>(sql).get()?.[0];
  }

  close(): void {
    attempt(() => this.#engine.close());
  }
}

/** Turns the bytes of a row into texts, in place; what is no UTF-8 then differs from its checksum. */
function decode(row: unknown): unknown {
  if (!Array.isArray(row)) return row;
  for (let index = 0; index < row.length; index++) {
    if (Buffer.isBuffer(row[index])) row[index] = row[index].toString();
  }
  return row;
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

/** The codes of SQLite for a file that it cannot read. */
const DAMAGES: ReadonlySet<string> = new Set(['NOTADB', 'CORRUPT', 'SCHEMA', 'FORMAT']);

/** Returns true for an error that a damaged file causes. */
export function isDamage({ code }: DatabaseError): boolean {
  return DAMAGES.has(code.replace(/_.*/, ''));
}

/** Returns the refusal of a request for an error of the database, by the path for messages. */
export function explainFault(error: DatabaseError, shown: string): Problem {
  if (error.code === 'FULL' || isOutOfRoom(error)) {
    return new Problem(
      'STATE_FULL',
      `there is no room on the disk for what ${shown} should keep; nothing was changed`,
    );
  }
  return new Problem(
    'STORE_UNAVAILABLE',
    isBusy(error)
      ? `another program keeps ${shown} locked; nothing was changed`
      : `${shown} cannot be used: ${error.message}`,
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
