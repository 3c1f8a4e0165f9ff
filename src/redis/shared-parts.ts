import type { SessionBeginning } from '../session/session.ts';
import type { RedisConnection } from './connection.ts';
import { RedisJournal, type SharedJournalBudget } from './journal.ts';
import type { RedisStores } from './stores.ts';

/** The parts that all sessions of a Redis share. */
export interface SharedParts {
  readonly connection: RedisConnection;
  readonly stores: RedisStores;
  readonly beginning: SessionBeginning;
  /** The limit on the journals of all sessions. */
  readonly budget: SharedJournalBudget;
}

export function journalOf(parts: SharedParts, session: string): RedisJournal {
  return new RedisJournal(parts.connection, session, parts.beginning.journal, parts.budget);
}
