import type { SessionBeginning } from '../session/session.ts';
import type { RedisConnection } from './connection.ts';
import { CLOSED, RedisJournal, type SharedJournalBudget } from './journal.ts';
import { keysOf, type SessionKeys } from './keys.ts';
import { REMOVE_SESSION } from './session/session-scripts.ts';
import type { RedisStores } from './stores.ts';

/** The parts that all sessions of a Redis share. */
export interface SharedParts {
  readonly connection: RedisConnection;
  readonly stores: RedisStores;
  readonly beginning: SessionBeginning;
  /** The limit on the journals of all sessions. */
  readonly budget: SharedJournalBudget;
}

/** Where Redis has a session. */
export class StoredSession {
  readonly id: string;
  readonly parts: SharedParts;
  readonly keys: SessionKeys;
  readonly journal: RedisJournal;

  constructor(id: string, parts: SharedParts) {
    const { connection, beginning, budget } = parts;
    this.id = id;
    this.parts = parts;
    this.keys = keysOf(connection.namespace, id);
    this.journal = new RedisJournal(connection, this.keys, beginning.journal, budget);
  }
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
