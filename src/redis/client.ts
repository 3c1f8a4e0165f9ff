import { createRequire } from 'node:module';
import type { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './redis-url.ts';

const require = createRequire(import.meta.url);

/** Backoff of the search for one that is away; milliseconds. */
const SHORTEST_WAIT = 200;
const LONGEST_WAIT = 1000;

/** @returns a client of one Redis, which looks for it again and again and queues nothing meanwhile */
export function createClient(address: RedisAddress, timeout: number): Redis {
  const { Redis: Client } = require('ioredis') as typeof import('ioredis');
  const { host, port, path, database } = address;
  return new Client({
    ...optionsOf(address, timeout),
    ...(path === undefined ? { host, port } : { path }),
    db: database,
    retryStrategy: waitBefore,
  });
}

/** @returns the same of a Redis Cluster, of which the address names one node */
export function createClusterClient(address: RedisAddress, timeout: number): Cluster {
  const { Cluster: Client } = require('ioredis') as typeof import('ioredis');
  const { host, port } = address;
  return new Client([{ host, port }], {
    redisOptions: { ...optionsOf(address, timeout), socketTimeout: timeout },
    enableOfflineQueue: false,
    clusterRetryStrategy: waitBefore,
    slotsRefreshTimeout: timeout,
    // A slot that moves is found within the time that there is.
    retryDelayOnMoved: 0,
    retryDelayOnFailover: SHORTEST_WAIT,
    maxRedirections: 3,
  });
}

function optionsOf(address: RedisAddress, timeout: number) {
  const { username, password, isEncrypted } = address;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: {} }),
    connectTimeout: timeout,
    // A command that got no reply may have been done: to send it again would do it twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    maxLoadingRetryTime: SHORTEST_WAIT,
    // After a failover the old primary is a replica.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
}

function waitBefore(times: number): number {
  return Math.min(SHORTEST_WAIT * times, LONGEST_WAIT);
}

type NetStream = Redis['stream'];

/** In how many turns the time is up: a process that was busy itself has heard nothing meanwhile. */
const TURNS = 6;

/**
 * Closes a connection that owes an answer and says nothing. Answers come in the order of their
 * commands, so that one timer does for all of them; and what is closed stays away until a new
 * connection has been greeted, so that until then all commands fail at once.
 */
export class SilenceWatch {
  readonly #redis: Redis;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #owed = 0;
  #turns = 0;
  #heardBytes = 0;

  /** @param timeout milliseconds of silence that are too many */
  constructor(redis: Redis, timeout: number) {
    this.#redis = redis;
    this.#timeout = timeout;
    // It is greeted first, which it has to answer as well.
    redis.on('connect', () => this.#start());
  }

  /** @returns the answer to a command, which is waited for no longer than all others */
  async watch(answer: Promise<unknown>): Promise<unknown> {
    this.#owed++;
    this.#start();
    try {
      return await answer;
    } finally {
      this.#owed--;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#turns = 0;
    // There is none before the first connection.
    const stream: NetStream | undefined = this.#redis.stream;
    this.#heardBytes = stream?.bytesRead ?? 0;
    this.#timer = setInterval(() => this.#look(), this.#timeout / TURNS);
    this.#timer.unref();
  }

  #look(): void {
    const { status, stream } = this.#redis;
    if (this.#owed === 0 && status !== 'connect') {
      this.stop();
      return;
    }
    const { bytesRead } = stream;
    this.#turns = bytesRead === this.#heardBytes ? this.#turns + 1 : 0;
    this.#heardBytes = bytesRead;
    if (this.#turns < TURNS) return;
    this.#turns = 0;
    stream.destroy(new Error(`it did not answer for ${this.#timeout} ms`));
  }
}
