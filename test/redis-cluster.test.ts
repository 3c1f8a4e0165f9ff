import test from 'ava';
import { createUniqueName } from '../src/random.ts';
import { connectRedis } from '../src/redis/connection.ts';
import { createRedisStores } from '../src/redis/stores.ts';
import { type RedisServer, startCluster } from './support/redis-server.ts';
import { type MakeStores, testStores } from './support/store-conformance.ts';

const ends: (() => Promise<void>)[] = [];
let cluster: RedisServer | undefined;

test.before('a cluster is started', async () => {
  cluster = await startCluster({ teardown: (end) => ends.push(end) });
});

test.after.always('the cluster is ended', async () => {
  for (const end of ends) await end();
});

const make: MakeStores = (t, beginning) => {
  const setting = `${cluster?.url}?cluster=true&namespace=${createUniqueName()}`;
  const reopen = () => {
    const connection = connectRedis(setting, { timeout: 10_000 });
    t.teardown(() => connection.close());
    return createRedisStores(connection, beginning === undefined ? {} : { beginning });
  };
  return { stores: reopen(), reopen };
};

testStores(test, 'Redis Cluster', make);
