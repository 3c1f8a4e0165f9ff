import type { SessionBeginning } from '../session/session.ts';
import type { RedisConnection } from './connection.ts';
import { RedisJournal, type SharedJournalBudget } from './journal.ts';
import { keyOf, sessionKey } from './keys.ts';
import type { RedisStores } from './stores.ts';

/** The parts that all sessions of a Redis share. */
export interface SharedParts {
  readonly connection: RedisConnection;
  readonly stores: RedisStores;
  readonly beginning: SessionBeginning;
  /** The limit on the journals of all sessions. */
  readonly budget: SharedJournalBudget;
}

/** The keys of a session, in the order of the KEYS of scripts. */
export interface SessionKeys {
  readonly main: string;
  readonly counters: string;
  readonly scenarios: string;
  readonly snapshots: string;
}

export function keysOf({ connection: { namespace } }: SharedParts, session: string): SessionKeys {
  return {
    main: sessionKey(namespace, session),
    counters: keyOf(namespace, session, 'counters'),
    scenarios: keyOf(namespace, session, 'scenarios'),
    snapshots: keyOf(namespace, session, 'snapshots'),
  };
}

export function journalOf(parts: SharedParts, session: string): RedisJournal {
  const { maximumExchanges, maximumBytes, maximumBodyLength } = parts.beginning.journal;
  const limits = { maximumExchanges, maximumBytes, maximumBodyLength, shared: parts.budget };
  return new RedisJournal(parts.connection, session, limits);
}
