import { createRequire } from 'node:module';
import type { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './redis-url.ts';

const require = createRequire(import.meta.url);

/** The shortest and longest time between attempts to connect; milliseconds. */
const SHORTEST_WAIT = 200;
const LONGEST_WAIT = 1000;

/** Returns a client of one Redis, which reconnects by itself and queues no commands meanwhile. */
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

/** Returns such a client of a Redis Cluster; the address names one of its nodes. */
export function createClusterClient(address: RedisAddress, timeout: number): Cluster {
  const { Cluster: Client } = require('ioredis') as typeof import('ioredis');
  const { host, port } = address;
  return new Client([{ host, port }], {
    redisOptions: { ...optionsOf(address, timeout), socketTimeout: timeout },
    enableOfflineQueue: false,
    clusterRetryStrategy: waitBefore,
    slotsRefreshTimeout: timeout,
    // A slot that moves is found within the timeout.
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
    // A command without a reply may have run: a second one would run it twice.
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

/** The timeout is measured in this many intervals, as a busy process receives nothing. */
const TURNS = 6;

/**
 * Closes a connection that owes a reply and is silent. Replies arrive in the order of their
 * commands, so one timer is enough for all of them. Until there is a new connection, all commands
 * fail at once.
 */
export class SilenceWatch {
  readonly #redis: Redis;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #owed = 0;
  #turns = 0;
  #heardBytes = 0;

  /** @param timeout the longest silence; milliseconds */
  constructor(redis: Redis, timeout: number) {
    this.#redis = redis;
    this.#timeout = timeout;
    // The client greets it first, and Redis has to reply to that as well.
    redis.on('connect', () => this.#start());
  }

  /** Returns a reply, and counts it as owed until it has arrived. */
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
    // There is no stream before the first connection.
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
