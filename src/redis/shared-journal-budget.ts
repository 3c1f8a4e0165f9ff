import { findLevel, SLACK } from '../journal/keep/journal-budget.ts';
import type { RedisConnection } from './connection.ts';
import { SHRINK } from './journal-scripts.ts';
import { journalKeys } from './keys.ts';

/** A bound on the bytes of the journals of all sessions, whoever writes to them. */
export interface SharedJournalBudget {
  /** Counts what was written; now and then makes room behind the scenes, where it is too much. */
  note(bytes: number): void;
  /** Makes room where the journals take too much. */
  enforce(): Promise<void>;
}

/**
 * Each process counts what it writes itself and looks at all journals after each sixteenth of the
 * maximum: with several processes they may take some sixteenths more for a moment. Those who take
 * most give back first, down to one level for all of them.
 *
 * @param maximumBytes of all journals together
 * @param listSessions the ids of all
 */
export function createSharedJournalBudget(
  connection: RedisConnection,
  maximumBytes: number,
  listSessions: () => Promise<readonly string[]>,
): SharedJournalBudget {
  let noted = 0;
  let isBusy = false;
  const enforce = async (): Promise<void> => {
    const keys = (await listSessions()).map((id) => journalKeys(connection.namespace, id));
    const sizes = await Promise.all(keys.map(([, info]) => readBytes(connection, info)));
    if (sizes.reduce((sum, size) => sum + size, 0) <= maximumBytes) return;
    const level = Math.floor(findLevel(sizes, maximumBytes * (1 - SLACK)));
    const large = keys.filter((_, index) => (sizes[index] ?? 0) > level);
    await Promise.all(large.map((one) => connection.run(SHRINK, one, [level])));
  };
  return {
    enforce,
    note(bytes) {
      noted += bytes;
      if (isBusy || noted < maximumBytes * SLACK) return;
      noted = 0;
      isBusy = true;
      // Where it is away there is nothing to bound; the next sixteenth tries again.
      enforce()
        .catch(() => undefined)
        .finally(() => {
          isBusy = false;
        });
    },
  };
}

async function readBytes(connection: RedisConnection, info: string): Promise<number> {
  return Number((await connection.send('HGET', info, 'bytes')) ?? 0);
}
