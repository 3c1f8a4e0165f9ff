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
