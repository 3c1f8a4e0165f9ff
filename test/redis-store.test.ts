import test from 'ava';
import { createUniqueName } from '../src/random.ts';
import { connectRedis } from '../src/redis/connection.ts';
import { createRedisStores } from '../src/redis/stores.ts';
import { shareRedis } from './support/redis-server.ts';
import {
  listAll,
  type MakeStores,
  plant,
  put,
  remove,
  testStores,
} from './support/store-conformance.ts';
import { testStoresByModel } from './support/store-model.ts';

const redis = shareRedis(test);

const make: MakeStores = (t, beginning) => {
  const setting = `${redis().url}?namespace=${createUniqueName()}`;
  const reopen = () => {
    const connection = connectRedis(setting, { timeout: 10_000 });
    t.teardown(() => connection.close());
    return createRedisStores(connection, beginning === undefined ? {} : { beginning });
  };
  return { stores: reopen(), reopen };
};

testStores(test, 'Redis', make);
testStoresByModel(test, 'Redis', make, 100);

test('Redis: a beginning of thousands is there at once, whoever opens it first', async (t) => {
  let asked = 0;
  const changes = Array.from({ length: 5_000 }, (_, id) => put('plants', String(id), plant(id)));
  const beginning = () => {
    asked++;
    return changes;
  };
  const { stores, reopen } = await make(t, beginning);
  const others = await Promise.all([reopen(), reopen(), reopen()]);
  const opened = await Promise.all([stores, ...others].map((one) => one.open('default')));
  t.true(asked >= 1);
  for (const store of opened) t.is(await store.count('plants'), 5_000);
  const [store] = opened;
  t.deepEqual(await store?.commit([put('plants', 'last', plant(0))]), [5_001]);
  t.is(redis().command('KEYS', '*+*'), '', 'nothing is left of what was prepared beside it');
});

test('Redis: a hundred thousand changes are made at once, and read in pieces', async (t) => {
  const { stores } = await make(t);
  const store = await stores.open('default');
  const text = 'x'.repeat(100);
  const plants = Array.from({ length: 100_000 }, (_, id) => ({ id, text }));
  await store.commit(plants.map((one) => put('plants', String(one.id), one)));
  t.deepEqual(await listAll(store, 'plants'), plants);
  const removed = plants.map(({ id }) => remove('plants', String(id)));
  await store.commit([...removed, put('plants', 'only', plant(1))]);
  t.deepEqual(await listAll(store, 'plants'), [plant(1)]);
});
