import test from 'ava';
import { registerIsolation } from '../support/isolation.ts';
import { shareRedis } from '../support/redis-server.ts';
import { listenTogether, openReplicas } from '../support/replicas.ts';

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
