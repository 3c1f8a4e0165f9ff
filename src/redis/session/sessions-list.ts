import type { DropReason, SessionBounds } from '../../session/sessions.ts';
import type { RedisConnection } from '../connection.ts';
import { globalKey } from '../keys.ts';
import { TOUCH } from './session-scripts.ts';

/** A session that was removed from the list; the caller removes the rest of it. */
export interface GoneSession {
  readonly id: string;
  readonly reason: DropReason;
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

  /** Records the use of a session, and returns those that were removed. */
  async touch(id: string): Promise<readonly GoneSession[]> {
    const { idleMilliseconds, maximum } = this.#bounds;
    const words = [id, idleMilliseconds * 1_000, maximum];
    const reply = await this.#connection.run(TOUCH, [this.#key], words);
    return Array.isArray(reply) ? reply.map(toGone) : [];
  }

  /** Removes and returns the sessions that were not used for too long. */
  expire(): Promise<readonly GoneSession[]> {
    return this.touch('');
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

function toGone(entry: unknown): GoneSession {
  const [id, reason] = Array.isArray(entry) ? entry.map(String) : [];
  return { id: id ?? '', reason: reason === 'bound' ? 'bound' : 'idle' };
}
