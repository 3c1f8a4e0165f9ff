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
 * Returns what writes work to the disk. The work of one turn of the event
 * loop is one transaction, as the disk takes the same time for one change as for a hundred.
 *
 * @param begun is called in each transaction, and may throw to refuse its work
 * @param timeout the longest wait for the lock of another process; milliseconds
 */
export function groupCommits(database: Database, begun: () => FileTransaction, timeout: number) {
  const waiting: Work[] = [];
  let running: Promise<void> | undefined;

  const begin = async (): Promise<void> => {
    const deadline = AbortSignal.timeout(timeout);
    for (;;) {
      try {
        database.execute('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || deadline.aborted) throw error;
      }
      await sleep(PATIENCE);
    }
  };

  const runGroup = async (group: readonly Work[]): Promise<void> => {
    try {
      await begin();
      const transaction = begun();
      const done = group.filter((work) => runOne(work, transaction));
      transaction.finish();
      database.execute('COMMIT');
      transaction.committed();
      for (const work of done) work.tell();
    } catch (error) {
      rollBack(database);
      // Work that arrived in the meantime has waited for the lock as well.
      const failing = isBusy(error) ? [...group, ...waiting.splice(0)] : group;
      for (const work of failing) work.fail(error);
    }
  };

  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      await runGroup(waiting.splice(0, LARGEST_GROUP));
    }
    running = undefined;
  };

  return {
    /**
     * Returns the result of the work, once all work of its group is on the disk.
     *
     * @param work changes nothing where it throws
     */
    run<Outcome>(work: (transaction: FileTransaction) => Outcome): Promise<Outcome> {
      return new Promise((resolve, fail) => {
        let outcome: Outcome;
        waiting.push({
          run: (transaction) => {
            outcome = work(transaction);
          },
          tell: () => resolve(outcome),
          fail,
        });
        running ??= runAll();
      });
    },
    /** Resolves when all work has its outcome. */
    settle: async () => running,
  };
}

function rollBack(database: Database): void {
  try {
    // A full disk may have ended the transaction already.
    if (database.isInTransaction) database.execute('ROLLBACK');
  } catch (error) {
    // The next transaction cannot begin either, and its error says why.
    if (!(error instanceof DatabaseError)) throw error;
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
