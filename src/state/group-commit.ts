import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, DatabaseError, isBusy } from './database.ts';
import type { FileTransaction } from './file-transaction.ts';

/** Others wait while a group is written. */
const LARGEST_GROUP = 1000;
/** The time between attempts to get a lock; milliseconds. */
const PATIENCE = 10;

interface Work {
  readonly run: (transaction: FileTransaction) => void;
  /** Called when the work is on the disk. */
  readonly tell: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes the work of one turn of the event loop in one transaction, as the disk takes the same time
 * for one change as for a hundred. Each work has its outcome when all are on the disk.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #begun: () => FileTransaction;
  readonly #timeout: number;
  #waiting: Work[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param begun is called in each transaction, and may throw to refuse its work
   * @param timeout the longest wait for the lock of another process; milliseconds
   */
  constructor(database: Database, begun: () => FileTransaction, timeout: number) {
    this.#database = database;
    this.#begun = begun;
    this.#timeout = timeout;
  }

  /**
   * Returns the result of the work, once it is on the disk.
   *
   * @param work changes nothing where it throws
   */
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

  /** Resolves when all work has its outcome. */
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
      const transaction = this.#begun();
      const done = group.filter((work) => runOne(work, transaction));
      transaction.finish();
      this.#database.execute('COMMIT');
      for (const work of done) work.tell();
    } catch (error) {
      this.#rollBack();
      // Work that arrived in the meantime has waited for the lock as well.
      const failing = isBusy(error) ? [...group, ...this.#waiting.splice(0)] : group;
      for (const work of failing) work.fail(error);
    }
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

  #rollBack(): void {
    try {
      // A full disk may have ended the transaction already.
      if (this.#database.isInTransaction) this.#database.execute('ROLLBACK');
    } catch (error) {
      // The next transaction cannot begin either, and its error says why.
      if (!(error instanceof DatabaseError)) throw error;
    }
  }
}

/** Returns false for work that fails by itself; an error of the disk fails the whole group. */
function runOne(work: Work, transaction: FileTransaction): boolean {
  try {
    work.run(transaction);
    return true;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    work.fail(error);
    return false;
  }
}
