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

/** The timeout is measured in this many intervals, as a busy process receives nothing. */
const TURNS = 6;

export type SilenceWatch = ReturnType<typeof watchSilence>;

/**
 * Closes a connection that owes a reply and is silent. Replies arrive in the order of their
 * commands, so one timer is enough for all of them. Until there is a new connection, all commands
 * fail at once.
 *
 * @param timeout the longest silence; milliseconds
 */
export function watchSilence(redis: Redis, timeout: number) {
  let timer: NodeJS.Timeout | undefined;
  let owed = 0;
  let turns = 0;
  let heardBytes = 0;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    const { status, stream } = redis;
    if (owed === 0 && status !== 'connect') {
      stop();
      return;
    }
    const { bytesRead } = stream;
    turns = bytesRead === heardBytes ? turns + 1 : 0;
    heardBytes = bytesRead;
    if (turns < TURNS) return;
    turns = 0;
    stream.destroy(new Error(`it did not answer for ${timeout} ms`));
  };
  const start = (): void => {
    if (timer !== undefined) return;
    turns = 0;
    // There is no stream before the first connection.
    const stream: Redis['stream'] | undefined = redis.stream;
    heardBytes = stream?.bytesRead ?? 0;
    timer = setInterval(look, timeout / TURNS).unref();
  };
  // The client greets it first, and Redis has to reply to that as well.
  redis.on('connect', start);
  return {
    stop,
    /** Counts a reply as owed. */
    owe(): void {
      owed++;
      start();
    },
    /** Counts a reply as arrived, or as one that does not arrive any more. */
    pay(): void {
      owed--;
    },
  };
}
