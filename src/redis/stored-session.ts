import type { SessionBeginning } from '../session/session.ts';
import type { RedisConnection } from './connection.ts';
import { RedisJournal, type SharedJournalBudget } from './journal.ts';
import { keysOf, type SessionKeys } from './keys.ts';
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
