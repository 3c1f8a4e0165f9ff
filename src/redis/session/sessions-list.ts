import type { DropReason, SessionBounds } from '../../session/sessions.ts';
import type { RedisConnection } from '../connection.ts';
import { CLOSED } from '../journal.ts';
import { globalKey, keysOf } from '../keys.ts';
import type { SharedParts } from '../stored-session.ts';
import { RELIST, REMOVE_SESSION, TOUCH } from './session-scripts.ts';

/** A session to remove, unless it was used since it was listed. */
export interface StaleSession {
  readonly id: string;
  readonly reason: DropReason;
  /** Its last use as it is listed; microseconds since 1970. */
  readonly usedAt: string;
}

/** The sessions of a Redis, except the default one, in the order of their last use. */
export class SessionsList {
  readonly #connection: RedisConnection;
  readonly #bounds: SessionBounds;
  readonly #key: string;

  constructor(connection: RedisConnection, bounds: SessionBounds) {
    this.#connection = connection;
    this.#bounds = bounds;
    this.#key = globalKey(connection.namespace, 'sessions');
  }

  /** Records the use of a session, if any; returns the sessions that are idle or too many. */
  async touch(id = ''): Promise<readonly StaleSession[]> {
    const { idleMilliseconds, maximum } = this.#bounds;
    const words = [id, idleMilliseconds * 1_000, maximum];
    const reply = await this.#connection.run(TOUCH, [this.#key], words);
    return Array.isArray(reply) ? reply.map(toStale) : [];
  }

  /** Removes a session that is gone; one that was used since it was listed gets its last use. */
  async relist({ id, usedAt }: StaleSession, used: string): Promise<void> {
    await this.#connection.run(RELIST, [this.#key], [id, usedAt, used]);
  }

  /** Returns false when the session was not listed. */
  async remove(id: string): Promise<boolean> {
    return (await this.#connection.send('ZREM', this.#key, id)) === 1;
  }

  async count(): Promise<number> {
    return Number(await this.#connection.send('ZCARD', this.#key));
  }

  /** Returns the sessions that were used last, the latest first. */
  async newest(limit: number): Promise<readonly string[]> {
    if (limit <= 0) return [];
    const last = Number.isFinite(limit) ? limit - 1 : -1;
    const reply = await this.#connection.send('ZRANGE', this.#key, 0, last, 'REV');
    return Array.isArray(reply) ? reply.map(String) : [];
  }
}

function toStale(entry: unknown): StaleSession {
  const [id = '', reason, usedAt = ''] = Array.isArray(entry) ? entry.map(String) : [];
  return { id, reason: reason === 'bound' ? 'bound' : 'idle', usedAt };
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
