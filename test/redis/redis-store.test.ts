import test, { type ExecutionContext } from 'ava';
import type { Problem } from '../../src/base/problem.ts';
import { createUniqueName } from '../../src/base/random.ts';
import { RedisConnection } from '../../src/redis/connection.ts';
import { keysOfStore } from '../../src/redis/keys.ts';
import { RedisStores } from '../../src/redis/stores.ts';
import type { StoreBeginning } from '../../src/state/store.ts';
import { type RedisServer, shareRedis, startRedis } from '../support/redis-server.ts';
import {
  listAll,
  plant,
  put,
  remove,
  type StoresUnderTest,
  testStores,
} from '../support/store-conformance.ts';
import { testStoresByModel } from '../support/store-model.ts';

const redis = shareRedis(test);

/** @returns what makes stores in a Redis, apart from all that others make there */
function makeIn(server: () => RedisServer) {
  return (t: ExecutionContext, beginning?: StoreBeginning): StoresUnderTest => {
    const setting = `${server().url}?namespace=${createUniqueName()}`;
    const reopen = () => {
      const connection = new RedisConnection(setting, 10_000);
      t.teardown(() => connection.close());
      return new RedisStores(connection, beginning === undefined ? {} : { beginning });
    };
    return { stores: reopen(), reopen };
  };
}

const make = makeIn(redis);

testStores(test, 'Redis', make);
testStoresByModel(test, 'Redis', make, 100);

test('Redis: thousands of initial resources exist at once for every replica', async (t) => {
  // Of its own: others prepare something as well.
  const own = await startRedis(t);
  let asked = 0;
  const changes = Array.from({ length: 5_000 }, (_, id) => put('plants', String(id), plant(id)));
  const beginning = () => {
    asked++;
    return changes;
  };
  const { stores, reopen } = makeIn(() => own)(t, beginning);
  const others = await Promise.all([reopen(), reopen(), reopen()]);
  const opened = await Promise.all([stores, ...others].map((one) => one.open('default')));
  t.true(asked >= 1);
  for (const store of opened) t.is(await store.count('plants'), 5_000);
  const [store] = opened;
  t.deepEqual(await store?.commit([put('plants', 'last', plant(0))]), [5_001]);
  t.is(own.command('KEYS', '*+*'), '', 'nothing is left of what was prepared beside it');
});

test('Redis: a hundred thousand changes are committed at once and read in parts', async (t) => {
  // Of its own: on a busy machine all others would wait for long.
  const own = await startRedis(t, { settings: ['--lua-time-limit', '60000'] });
  const connection = new RedisConnection(own.url, 60_000);
  t.teardown(() => connection.close());
  const store = await new RedisStores(connection).open('default');
  const text = 'x'.repeat(100);
  const plants = Array.from({ length: 100_000 }, (_, id) => ({ id, text }));
  await store.commit(plants.map((one) => put('plants', String(one.id), one)));
  t.deepEqual(await listAll(store, 'plants'), plants);
  const removed = plants.map(({ id }) => remove('plants', String(id)));
  await store.commit([...removed, put('plants', 'only', plant(1))]);
  t.deepEqual(await listAll(store, 'plants'), [plant(1)]);
  for (const prefix of ['a', 'b', 'c']) {
    await store.commit(plants.map((one) => put('plants', `${prefix}${one.id}`, one)));
  }
  await store.commit([put('pots', '1', plant(1))]);
  await store.replace(['plants'], [put('plants', 'only', plant(2))]);
  t.deepEqual(await listAll(store, 'plants'), [plant(2)], 'more leave at once than are put');
  t.deepEqual(await store.counts(), new Map([['pots', 1]]).set('plants', 1));
});

test('Redis: resources of all sessions keep their limit, and free their room', async (t) => {
  const setting = `${redis().url}?namespace=${createUniqueName()}`;
  const connections = [1, 2].map(() => new RedisConnection(setting, 10_000));
  t.teardown(() => Promise.all(connections.map((connection) => connection.close())));
  const [first, second] = connections.map((one) => new RedisStores(one, { limit: 100_000 }));
  const [store, other] = [await first?.open('a'), await second?.open('b')];
  let made = 0;
  const fill = async () => {
    for (; made < 1_000; made++) {
      const target = made % 2 === 0 ? store : other;
      await target?.commit([put('plants', String(made), plant(made), 'absent')]);
    }
  };
  await t.throwsAsync(fill, { message: /may take 100000 bytes/ });
  t.true(made > 300 && made < 500, String(made));
  await store?.commit([put('plants', '0', plant(1), 1)]);
  await store?.commit(
    Array.from({ length: made }, (_, index) => remove('plants', String(2 * index))),
  );
  await other?.commit(
    Array.from({ length: made / 4 }, (_, index) => remove('plants', String(2 * index + 1))),
  );
  await other?.commit([put('plants', 'another', plant(1))]);
  await other?.commit([put('pots', 'é🌵', plant(1, 'é'))]);
  await other?.replace(['pots'], [put('beds', '1', plant(1)), put('beds', '2', plant(2))]);
  await other?.replace(['beds', 'none'], []);
  await second?.copy('b', 'b/before');
  for (const name of (await first?.names()) ?? []) {
    const whole = await first?.open(name);
    const keys = (await whole?.list('plants', { offset: 0, limit: 1_000 })) ?? [];
    await whole?.commit(keys.map(({ key }) => remove('plants', key)));
  }
  const connection = connections[0];
  const third = await first?.open('c');
  await third?.commit([put('plants', '1', plant(1)), put('beds', '1', plant(1))]);
  await third?.replace('all', [put('pots', '1', plant(1))]);
  await third?.commit([remove('pots', '1')]);
  const bytes = ['a', 'b', 'b/before', 'c'].map((name) =>
    connection?.send('HGET', keysOfStore(connection.namespace, name).meta, 'b'),
  );
  t.deepEqual(await Promise.all(bytes), ['0', '0', '0', '0']);
});

test('Redis: a limit that is reached lets the state change and shrink, and not grow', async (t) => {
  const connection = new RedisConnection(`${redis().url}?namespace=${createUniqueName()}`, 10_000);
  t.teardown(() => connection.close());
  const stores = new RedisStores(connection, { limit: 100_000 });
  const store = await stores.open('a');
  const full = { message: /may take 100000 bytes/ };
  const text = 'x'.repeat(1_000);
  const of = (length: number) =>
    Array.from({ length }, (_, id) => put('plants', `${id}`, { text }));
  await t.throwsAsync(async () => {
    for (const change of of(200)) await store.commit([{ ...change, expected: 'absent' }]);
  }, full);
  const size = await store.count('plants');
  t.true(size > 60 && size < 90, String(size));
  const [{ version = 0 } = {}] = await store.list('plants', { offset: 0, limit: 1 });
  const large = { text: 'y'.repeat(40_000) };
  await t.throwsAsync(async () => store.commit([put('plants', '0', large, version)]), full);
  await t.throwsAsync(stores.copy('a', 'a/snapshot'), full);
  t.false(await stores.has('a/snapshot'));
  await store.commit([put('plants', '0', { text: 'z'.repeat(1_000) }, version)]);
  await store.commit([remove('plants', '1'), put('$deleted', 'plants 1', {})]);
  await store.replace(['plants'], of(size - 2));
  await store.replace('all', of(size - 3));
  await t.throwsAsync(async () => store.replace('all', of(size + 30)), full);
  t.is(await store.count('plants'), size - 3);
  await store.replace(['plants'], [put('$deleted', 'plants', {})]);
  await store.commit([put('plants', '0', large)]);
  await stores.copy('a', 'a/snapshot');
});

test('Redis: a list in several parts leaves none out while others are deleted', async (t) => {
  const setting = `${redis().url}?namespace=${createUniqueName()}`;
  const connections = [1, 2].map(() => new RedisConnection(setting, 10_000));
  t.teardown(() => Promise.all(connections.map((connection) => connection.close())));
  const [store, other] = connections.map((one) => new RedisStores(one).use('a'));
  // Redis reads 500 at a time, until they have four million characters.
  const text = 'x'.repeat(10_000);
  const all = Array.from({ length: 1_500 }, (_, id) => put('plants', `${id}`, { id, text }));
  await store?.replace('all', all);
  const deleting = (async () => {
    for (let id = 0; id < 200; id++) await other?.commit([remove('plants', `${id}`)]);
  })();
  const listed = await store?.list('plants', { offset: 0, limit: 2_000 });
  await deleting;
  const kept = listed?.map(({ key }) => Number(key)).filter((key) => key >= 200);
  t.deepEqual(
    kept,
    Array.from({ length: 1_300 }, (_, id) => 200 + id),
  );
  t.deepEqual(await store?.list('plants', { offset: 0, limit: 0 }), []);
  t.is((await store?.list('plants', { offset: 1, limit: 1_200 }))?.length, 1_200);
});

test('Redis: a request whose session was dropped meanwhile is refused, and brings nothing back', async (t) => {
  const connection = new RedisConnection(`${redis().url}?namespace=${createUniqueName()}`, 10_000);
  t.teardown(() => connection.close());
  const stores = new RedisStores(connection, { isOwned: true });
  const created = async () => stores.use('gone').commit([put('plants', '1', plant(1))]);
  const error = await t.throwsAsync(created, { message: /the session gone was dropped/ });
  t.is((error as Problem).problem, 'STATE_BUSY');
  t.false(await stores.has('gone'));
});

test('Redis: resources that are created at the same time keep the limit together', async (t) => {
  const connection = new RedisConnection(`${redis().url}?namespace=${createUniqueName()}`, 10_000);
  t.teardown(() => connection.close());
  const store = await new RedisStores(connection, { limit: 100_000 }).open('a');
  const text = 'x'.repeat(2_000);
  const made = Array.from({ length: 200 }, (_, id) =>
    store.commit([put('plants', String(id), { id, text }, 'absent')]),
  );
  const settled = await Promise.allSettled(made);
  const kept = settled.filter(({ status }) => status === 'fulfilled').length;
  t.is(await store.count('plants'), kept);
  t.true(kept > 25 && kept < 50, String(kept));
});
