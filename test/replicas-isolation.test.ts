import test from 'ava';
import { registerIsolation } from './helpers/isolation.ts';
import { listenTogether, openReplicas } from './helpers/replicas.ts';
import { shareRedis } from './support/redis-server.ts';

const redis = shareRedis(test);
let count = 0;

registerIsolation(
  test,
  async (t, options) => {
    const store = `${redis().url}?namespace=isolation-${++count}`;
    const mocks = await openReplicas(t, { ...options, store, storeTimeout: 10_000 });
    return listenTogether(t, mocks);
  },
  3,
);
