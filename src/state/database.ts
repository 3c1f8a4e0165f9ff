import { createRequire } from 'node:module';
import { Problem } from '../base/problem.ts';

/** What a column holds here. */
export type Column = string | number | null;

/** A statement that is prepared once and run often. */
export interface Query<Row extends readonly Column[]> {
  /** @returns the first row */
  get(...values: readonly Column[]): Row | undefined;
  all(...values: readonly Column[]): readonly Row[];
  /** One row after the other: none is passed over, for a statement left halfway keeps its lock. */
  each(visit: (row: Row) => void, ...values: readonly Column[]): void;
  run(...values: readonly Column[]): void;
  /** @returns the number of the row that was inserted */
  insert(...values: readonly Column[]): number;
}

/** What is used of the library. */
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

/** What the database says when it cannot do what it is asked: the code of SQLite, such as FULL. */
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
      // Loaded here for it costs 20 ms; and where a platform has none, only files miss it.
      const Engine = createRequire(import.meta.url)('libsql') as typeof import('libsql');
      return new Engine(path);
    });
  }

  get isInTransaction(): boolean {
    return this.#engine.inTransaction;
  }

  prepare<Row extends readonly Column[]>(sql: string): Query<Row> {
    return attempt(() => new PreparedQuery<Row>(this.#engine.prepare(sql)));
  }

  /** Several statements, which give no rows. */
  execute(sql: string): void {
    attempt(() => this.#engine.exec(sql));
  }

  /** @returns what a PRAGMA says */
  ask(pragma: string): Column | undefined {
    return this.prepare<readonly Column[]>(`PRAGMA ${pragma}`).get()?.[0];
  }

  close(): void {
    attempt(() => this.#engine.close());
  }
}

class PreparedQuery<Row extends readonly Column[]> implements Query<Row> {
  readonly #statement: EngineStatement;

  constructor(statement: EngineStatement) {
    this.#statement = statement;
  }

  get(...values: readonly Column[]): Row | undefined {
    return attempt(() => this.#statement.raw().get(values)) as Row | undefined;
  }

  all(...values: readonly Column[]): readonly Row[] {
    return attempt(() => [...this.#statement.raw().iterate(values)]) as unknown as readonly Row[];
  }

  each(visit: (row: Row) => void, ...values: readonly Column[]): void {
    attempt(() => {
      for (const row of this.#statement.raw().iterate(values)) visit(row as Row);
    });
  }

  run(...values: readonly Column[]): void {
    attempt(() => this.#statement.run(values));
  }

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
  // A connection that fails says its code at the end of its message alone: 14 is SQLITE_CANTOPEN.
  return /: 14"?\)$/.test(message) ? 'CANTOPEN' : 'ERROR';
}

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
