import type { DropReason, SessionBounds } from '../../session/sessions.ts';
import type { RedisConnection } from '../connection.ts';
import { globalKey } from '../keys.ts';
import { TOUCH } from './session-scripts.ts';

/** A session that is gone from the list, and is to be cleared by whoever was told. */
export interface GoneSession {
  readonly id: string;
  readonly reason: DropReason;
}

/** All sessions of a Redis but the default one, by when they were used last. */
export class SessionsList {
  readonly #connection: RedisConnection;
  readonly #bounds: SessionBounds;
  readonly #key: string;

  constructor(connection: RedisConnection, bounds: SessionBounds) {
    this.#connection = connection;
    this.#bounds = bounds;
    this.#key = globalKey(connection.namespace, 'sessions');
  }

  /** Notes that a session is used. @returns those that are gone by that */
  touch(id: string): Promise<readonly GoneSession[]> {
    return this.#take(id);
  }

  /** @returns those that nobody has used for too long */
  expire(): Promise<readonly GoneSession[]> {
    return this.#take('');
  }

  /** @returns false when it was not there */
  async remove(id: string): Promise<boolean> {
    return (await this.#connection.send('ZREM', this.#key, id)) === 1;
  }

  async count(): Promise<number> {
    return Number(await this.#connection.send('ZCARD', this.#key));
  }

  /** @returns those that were used last, the last one first */
  async newest(most: number): Promise<readonly string[]> {
    if (most <= 0) return [];
    const last = Number.isFinite(most) ? most - 1 : -1;
    const reply = await this.#connection.send('ZRANGE', this.#key, 0, last, 'REV');
    return Array.isArray(reply) ? reply.map(String) : [];
  }

  async #take(id: string): Promise<readonly GoneSession[]> {
    const { idleMilliseconds, maximum } = this.#bounds;
    const words = [id, idleMilliseconds * 1_000, maximum];
    const reply = await this.#connection.run(TOUCH, [this.#key], words);
    return Array.isArray(reply) ? reply.map(toGone) : [];
  }
}

function toGone(entry: unknown): GoneSession {
  const [id, reason] = Array.isArray(entry) ? entry.map(String) : [];
  return { id: id ?? '', reason: reason === 'bound' ? 'bound' : 'idle' };
}
