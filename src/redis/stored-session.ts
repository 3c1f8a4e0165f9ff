import type { SessionBeginning } from '../session/session.ts';
import type { StoreLog } from '../state/store.ts';
import type { RedisConnection } from './connection.ts';
import { CLOSED, createRedisJournal, type SharedJournalBudget } from './journal.ts';
import { keysOf } from './keys.ts';
import { REMOVE_SESSION } from './session/session-scripts.ts';
import type { RedisStores } from './stores.ts';

export interface SharedParts {
  readonly connection: RedisConnection;
  readonly stores: RedisStores;
  readonly beginning: SessionBeginning;
  readonly budget: SharedJournalBudget;
  readonly log: StoreLog;
}

export type StoredSession = ReturnType<typeof locateSession>;

export function locateSession(id: string, parts: SharedParts) {
  const { connection, stores, beginning, budget, log } = parts;
  const keys = keysOf(connection.namespace, id);
  const fail = ({ message }: Error): void => log.warn(`not in the journal of ${id}: ${message}`);
  return {
    id,
    parts,
    keys,
    store: stores.partsOf(id),
    journal: createRedisJournal(connection, keys, beginning.journal, budget, fail),
  };
}

/**
 * Removes everything of a session, unless it was used since it was listed.
 *
 * @param listed its last use as it is listed; nothing removes it in any case
 * @returns its last use where it stays, else whether there was anything
 */
export async function removeSession(
  { connection, stores }: Pick<SharedParts, 'connection' | 'stores'>,
  id: string,
  listed = '',
): Promise<boolean | string> {
  const keys = keysOf(connection.namespace, id);
  const { main, counters, scenarios, snapshots, journal, journalInfo, exchanges } = keys;
  const all = [main, counters, scenarios, snapshots, keys.stores, journal, journalInfo];
  const reply = await connection.run(REMOVE_SESSION, all, [listed, exchanges, CLOSED]);
  if (typeof reply === 'string') return reply;
  await stores.forget(id);
  return reply === 1;
}
