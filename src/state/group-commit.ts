import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, DatabaseError, isBusy } from './database.ts';
import type { Rows } from './file-tables.ts';
import { FileTransaction } from './file-transaction.ts';

/** So many at once, for others wait while they are written. */
const LARGEST_GROUP = 1000;
/** How often a lock that another process holds is asked for; milliseconds. */
const PATIENCE = 10;

interface Work {
  /** Throws where it cannot be done, and then nothing of it is. */
  readonly run: (transaction: FileTransaction) => void;
  /** The work is on the disk. */
  readonly tell: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * What comes in one turn of the event loop is written in one transaction, as the disk takes as long
 * for one as for a hundred. Each has an outcome of its own, which is told when all are on the disk.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #timeout: number;
  #waiting: Work[] = [];
  #running: Promise<void> | undefined;

  /** @param timeout how long it waits for the lock of another process; milliseconds */
  constructor(database: Database, rows: Rows, timeout: number) {
    this.#database = database;
    this.#rows = rows;
    this.#timeout = timeout;
  }

  /** @returns what the work gives, once it is on the disk */
  run<Outcome>(work: (transaction: FileTransaction) => Outcome): Promise<Outcome> {
    return new Promise((resolve, fail) => {
      let outcome: Outcome;
      this.#waiting.push({
        run: (transaction) => {
          outcome = work(transaction);
        },
        tell: () => resolve(outcome),
        fail,
      });
      this.#running ??= this.#runAll();
    });
  }

  /** Everything that was given to it has its outcome then. */
  async settle(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.#runGroup(this.#waiting.splice(0, LARGEST_GROUP));
    }
    this.#running = undefined;
  }

  async #runGroup(group: readonly Work[]): Promise<void> {
    try {
      await this.#begin();
      this.#runWorks(group);
      this.#database.execute('COMMIT');
      for (const work of group) work.tell();
    } catch (error) {
      this.#takeBack();
      if (error instanceof FaultOfOne) {
        error.work.fail(error.cause);
        await this.#runGroup(group.filter((work) => work !== error.work));
        return;
      }
      // Who has come meanwhile has waited for the lock as well.
      const failing = isBusy(error) ? [...group, ...this.#waiting.splice(0)] : group;
      for (const work of failing) work.fail(error);
    }
  }

  #runWorks(group: readonly Work[]): void {
    const transaction = new FileTransaction(this.#rows);
    for (const work of group) {
      try {
        work.run(transaction);
      } catch (cause) {
        // A fault of the disk is everybody's.
        if (cause instanceof DatabaseError && cause.code !== 'TOOBIG') throw cause;
        throw new FaultOfOne(work, cause);
      }
    }
    transaction.finish();
  }

  async #begin(): Promise<void> {
    const deadline = AbortSignal.timeout(this.#timeout);
    for (;;) {
      try {
        this.#database.execute('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || deadline.aborted) throw error;
      }
      await sleep(PATIENCE);
    }
  }

  #takeBack(): void {
    try {
      // A full disk may have ended the transaction already.
      if (this.#database.isInTransaction) this.#database.execute('ROLLBACK');
    } catch (error) {
      // The next transaction cannot begin either, and its error says why.
      if (!(error instanceof DatabaseError)) throw error;
    }
  }
}

/** One of a group cannot be done, the others can. */
class FaultOfOne extends Error {
  readonly work: Work;

  constructor(work: Work, cause: unknown) {
    super('one of the group cannot be done', { cause });
    this.work = work;
  }
}
