import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { Problem } from '../../src/base/problem.ts';
import { RedisConnection } from '../../src/redis/connection.ts';
import { inspectServer } from '../../src/redis/diagnosis.ts';
import { createRedisJournal } from '../../src/redis/journal.ts';
import { globalKey, keysOf } from '../../src/redis/keys.ts';
import { readRedisUrl } from '../../src/redis/redis-url.ts';
import { TOUCH } from '../../src/redis/session/session-scripts.ts';
import { removeSession } from '../../src/redis/stored-session.ts';
import { RedisStores } from '../../src/redis/stores.ts';
import { type Change, StoreError } from '../../src/state/store.ts';
import { exchangeOf } from '../support/journals.ts';
import { startRedis } from '../support/redis-server.ts';
import { put, remove } from '../support/store-conformance.ts';

/** For what is to answer, on whatever machine. */
const PATIENT = 10_000;
/** For what does not answer. */
const BRIEF = 300;

function connect(t: ExecutionContext, url: string, timeout = PATIENT): RedisConnection {
  const connection = new RedisConnection(url, timeout);
  t.teardown(() => connection.close());
  return connection;
}

/** @returns why a promise rejects, and after how many milliseconds */
async function refusal(t: ExecutionContext, asked: PromiseLike<unknown>) {
  const start = performance.now();
  const problem = await t.throwsAsync<Problem>(async () => asked, { instanceOf: Problem });
  return { problem, milliseconds: performance.now() - start };
}

/** Waits until something can be done again. */
async function eventually(task: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await task();
      return performance.now() - start;
    } catch (error) {
      if (performance.now() - start > PATIENT) throw error;
      await sleep(20);
    }
  }
}

async function demand(isSo: boolean): Promise<void> {
  if (!isSo) throw new Error('it is not so yet');
}

test('a missing Redis is reported at once, and used when it appears', async (t) => {
  const redis = await startRedis(t);
  await redis.stop();
  const connection = connect(t, redis.url);
  const changes: boolean[] = [];
  connection.onChange((isThere) => changes.push(isThere));
  const { problem } = await refusal(t, connection.check());
  t.is(problem?.problem, 'STORE_UNAVAILABLE');
  t.regex(problem?.message ?? '', /cannot be reached: connect (?:ENOENT|ECONNREFUSED)/);
  const again = await refusal(t, connection.check());
  t.true(again.milliseconds < PATIENT / 2);
  await redis.start();
  await eventually(() => connection.check());
  t.deepEqual(changes, [false, true]);
});

test.serial('a stalled Redis is unavailable after the timeout, and recovers', async (t) => {
  const redis = await startRedis(t);
  const connection = connect(t, redis.url, BRIEF);
  await connection.check();
  redis.pause();
  const first = await Promise.all([1, 2, 3].map(() => refusal(t, connection.check())));
  for (const { problem, milliseconds } of first) {
    t.is(problem?.problem, 'STORE_UNAVAILABLE');
    t.true(milliseconds > BRIEF / 2 && milliseconds < 2_000, String(milliseconds));
  }
  const second = await refusal(t, connection.check());
  t.true(second.milliseconds < BRIEF, String(second.milliseconds));
  await sleep(2 * BRIEF);
  const third = await refusal(t, connection.check());
  t.true(third.milliseconds < BRIEF, 'a connection without an answer is none');
  redis.resume();
  await eventually(() => connection.check());
});

test('requests while a Redis is killed are refused, and nothing is done twice', async (t) => {
  const redis = await startRedis(t, { persistent: true });
  const connection = connect(t, redis.url);
  const stores = new RedisStores(connection);
  const store = await stores.open('default');
  let isOver = false;
  let told = 0;
  const refused: string[] = [];
  const writers = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      try {
        await store.nextNumber('plants');
        told++;
      } catch (error) {
        refused.push(error instanceof Problem ? error.problem : String(error));
        await sleep(10);
      }
    }
  });
  await sleep(200);
  await redis.kill();
  await sleep(300);
  await redis.start();
  await eventually(() => connection.check());
  await sleep(100);
  isOver = true;
  await Promise.all(writers);
  t.deepEqual([...new Set(refused)], ['STORE_UNAVAILABLE']);
  const number = await store.nextNumber('plants');
  t.true(number > told, 'what was told is there');
  t.true(number <= told + refused.length + 1, 'what was asked once was done once');
});

test('a flushed Redis starts empty, even without scripts', async (t) => {
  const redis = await startRedis(t);
  const beginning = () => [put('plants', '1', { id: 1 })];
  const stores = new RedisStores(connect(t, redis.url), { beginning });
  const store = await stores.open('default');
  await store.commit([put('plants', '2', { id: 2 })]);
  for (const words of [['FLUSHALL'], ['SCRIPT', 'FLUSH']]) redis.command(...words);
  t.is(await store.count('plants'), 1);
  redis.command('FLUSHALL');
  t.deepEqual(await store.commit([put('plants', '3', { id: 3 })]), [2]);
  t.deepEqual([...(await store.counts())], [['plants', 2]]);
  t.deepEqual(await stores.names(), ['default']);
});

test('a full Redis refuses new resources and serves existing ones', async (t) => {
  const redis = await startRedis(t);
  const connection = connect(t, redis.url);
  const stores = new RedisStores(connection);
  const store = await stores.open('default');
  await store.commit([put('plants', 'kept', { name: 'kept' })]);
  redis.command('CONFIG', 'SET', 'maxmemory', '1');
  const text = 'x'.repeat(1000);
  const { problem } = await refusal(
    t,
    Promise.resolve(store.commit([put('plants', '1', { text })])),
  );
  t.is(problem?.problem, 'STATE_FULL');
  t.regex(problem?.message ?? '', /maxmemory/);
  const check = await refusal(t, connection.check());
  t.is(check.problem?.problem, 'STORE_UNAVAILABLE');
  t.deepEqual((await store.get('plants', 'kept'))?.resource, { name: 'kept' });
  t.is((await store.list('plants', { offset: 0, limit: 10 })).length, 1);
  redis.command('CONFIG', 'SET', 'maxmemory', '0');
  await store.commit([put('plants', '1', { text })]);
  t.is(await store.count('plants'), 2);
});

test('of changes made at once, each has its own error', async (t) => {
  const redis = await startRedis(t);
  const stores = new RedisStores(connect(t, redis.url));
  const store = await stores.open('default');
  for (const name of ['plants', 'pots']) await store.commit([put(name, '1', { name })]);
  const outcomes = async (...changes: readonly Change[]) => {
    const settled = await Promise.allSettled(changes.map((change) => store.commit([change])));
    return settled.map((one) => (one.status === 'rejected' ? one.reason.problem : one.status));
  };
  redis.command('CONFIG', 'SET', 'maxmemory', '1');
  t.deepEqual(
    await outcomes(put('plants', '2', { name: 'large' }), remove('plants', '1')),
    ['STATE_FULL', 'fulfilled'],
    'of a full Redis',
  );
  redis.command('CONFIG', 'SET', 'maxmemory', '0');
  t.is(await store.count('plants'), 0);
  const pots = redis.command('KEYS', '*:r:pots');
  redis.command('DEL', pots);
  redis.command('SET', pots, 'news');
  t.deepEqual(
    await outcomes(put('plants', '2', {}), put('pots', '2', {}), put('plants', '3', {})),
    ['fulfilled', 'STORE_UNAVAILABLE', 'fulfilled'],
    'where another program has replaced a collection',
  );
  t.is(await store.count('plants'), 2);
});

test('a missing or wrong password is reported and not shown', async (t) => {
  const redis = await startRedis(t, { tcp: true, settings: ['--requirepass', 'frost'] });
  const withPassword = (password: string) => redis.url.replace('://', `://:${password}@`);
  const missing = await refusal(t, connect(t, redis.url).check());
  t.is(missing.problem?.problem, 'STORE_UNAVAILABLE');
  t.regex(missing.problem?.message ?? '', /password/);
  const wrong = await refusal(t, connect(t, withPassword('thaw')).check());
  t.is(wrong.problem?.problem, 'STORE_UNAVAILABLE');
  t.regex(wrong.problem?.message ?? '', /password/);
  t.notRegex(wrong.problem?.message ?? '', /thaw/);
  const right = connect(t, withPassword('frost'));
  await right.check();
  t.is(await right.send('EXISTS', globalKey(right.namespace, 'check')), 1);
});

test('a read-only replica is reported as such', async (t) => {
  const redis = await startRedis(t);
  const connection = connect(t, redis.url);
  const store = await new RedisStores(connection).open('default');
  redis.command('REPLICAOF', '127.0.0.1', '1');
  const { problem } = await refusal(t, Promise.resolve(store.nextNumber('plants')));
  t.is(problem?.problem, 'STORE_UNAVAILABLE');
  t.regex(problem?.message ?? '', /primary/);
  redis.command('REPLICAOF', 'NO', 'ONE');
  await eventually(async () => store.nextNumber('plants'));
});

test.serial('a Redis that is loading its files is unavailable until it is done', async (t) => {
  const settings = ['--key-load-delay', '60000', '--loading-process-events-interval-bytes', '1024'];
  const redis = await startRedis(t, { persistent: true, settings });
  const connection = connect(t, redis.url, BRIEF);
  const store = await new RedisStores(connection).open('default');
  for (let id = 0; id < 50; id++) redis.command('SET', `padding${id}`, 'x'.repeat(200));
  redis.command('BGREWRITEAOF');
  await store.commit([put('plants', '1', { id: 1 })]);
  await sleep(300);
  await redis.kill();
  redis.startSlowly();
  const { milliseconds, problem } = await refusal(t, Promise.resolve(store.get('plants', '1')));
  t.is(problem?.problem, 'STORE_UNAVAILABLE');
  t.true(milliseconds < 2_000);
  await sleep(600);
  const later = await refusal(t, connection.check());
  t.is(later.problem?.problem, 'STORE_UNAVAILABLE');
  t.regex(later.problem?.message ?? '', /may be reading its files|did not answer/);
  await redis.untilReady();
  await eventually(() => connection.check());
  t.deepEqual((await store.get('plants', '1'))?.resource, { id: 1 });
});

test('a published message reaches all subscribers', async (t) => {
  const redis = await startRedis(t);
  const [first, second] = [connect(t, redis.url), connect(t, redis.url)];
  const heard: string[] = [];
  const hear = (message: Uint8Array) => heard.push(`1 ${Buffer.from(message)}`);
  await Promise.all([first.subscribe('news', hear), first.subscribe('news', hear)]);
  await second.subscribe('news', (message) => heard.push(`2 ${Buffer.from(message)}`));
  await second.send('PUBLISH', 'news', 'frost');
  await eventually(() => demand(heard.length === 2));
  first.unsubscribe('news', hear);
  await first.send('PUBLISH', 'news', Buffer.from('thaw'));
  await eventually(() => demand(heard.length === 3));
  t.deepEqual(heard.toSorted(), ['1 frost', '2 frost', '2 thaw']);
  redis.command('CLIENT', 'KILL', 'TYPE', 'PUBSUB');
  await eventually(() => second.check());
  await eventually(async () => {
    await first.send('PUBLISH', 'news', 'again');
    await demand(heard.includes('2 again'));
  });
});

test('every form of a Redis URL is read', (t) => {
  const read = (url: string) => {
    const { host, port, path, database, namespace, password, username } = readRedisUrl(url);
    return { host, port, path, database, namespace, password, username };
  };
  const plain = {
    host: 'localhost',
    port: 6379,
    path: undefined,
    database: 0,
    namespace: 'coldframe',
    password: undefined,
    username: undefined,
  };
  t.deepEqual(read('redis://'), plain);
  t.deepEqual(read('redis://localhost'), plain);
  t.deepEqual(read('redis://[::1]:7000/3'), {
    ...plain,
    host: '::1',
    port: 7000,
    database: 3,
    namespace: 'coldframe.3',
  });
  t.deepEqual(read('rediss://me:p%40ss@cache?namespace=ours'), {
    ...plain,
    host: 'cache',
    username: 'me',
    password: 'p@ss',
    namespace: 'ours',
  });
  t.deepEqual(read('redis+unix:///run/redis.sock?db=1').path, '/run/redis.sock');
  t.is(readRedisUrl('redis://me:secret@host:1/2').place, 'redis://host:1');
  t.true(readRedisUrl('valkeys://host').isEncrypted);
});

test('an invalid URL is refused without showing possible secrets', (t) => {
  const urls = [
    'redis://me:secret@host:port',
    'redis://:secret@host/notanumber',
    'redis://:secret@host?name=x',
    'redis://:secret@host?namespace=',
    'redis://:secret@host?cluster=1',
  ];
  for (const url of urls) {
    const error = t.throws(() => readRedisUrl(url), { instanceOf: StoreError }, url);
    t.notRegex(error?.message ?? '', /secret/);
  }
});

test('a Redis that can lose data is detected by its settings', async (t) => {
  const redis = await startRedis(t);
  const connection = connect(t, redis.url);
  redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
  const warnings = await inspectServer(connection);
  t.deepEqual(
    warnings.map((warning) => /appendonly no|allkeys-lru/.exec(warning)?.[0]),
    ['appendonly no', 'allkeys-lru'],
  );
  redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
  redis.command('CONFIG', 'SET', 'appendonly', 'yes');
  t.deepEqual(await inspectServer(connection), []);
});

test('the ACL in docs/reference/redis.md is sufficient', async (t) => {
  const redis = await startRedis(t);
  const text = await readFile(new URL('../../docs/reference/redis.md', import.meta.url), 'utf8');
  const line = text.split('\n').find((one) => one.startsWith('An ACL needs')) ?? '';
  const rules = [...line.matchAll(/`([~&+][^`]*)`/g)].flatMap(([, words = '']) => words.split(' '));
  t.true(rules.length > 5);
  redis.command('ACL', 'SETUSER', 'mock', 'on', '>frost', ...rules);
  const url = redis.url.replace('redis+unix://', 'redis+unix://mock:frost@localhost');
  const connection = connect(t, url);
  await connection.check();
  t.is((await inspectServer(connection)).length, 1);
  const list = globalKey(connection.namespace, 'sessions');
  await connection.run(TOUCH, [list], ['a', 1_000_000, 1]);
  t.deepEqual(await connection.send('ZRANGE', list, 0, 9, 'REV'), ['a']);
  await connection.send('HSET', keysOf(connection.namespace, 'a').main, 'v', 1);
  const journal = createRedisJournal(connection, keysOf(connection.namespace, 'a'), {
    maximumExchanges: 1,
    maximumBytes: 10_000,
    maximumBodyLength: 100,
  });
  const end = await journal.on({ recorded: () => undefined });
  for (const number of [1, 2]) await journal.record(exchangeOf(number, {}));
  t.deepEqual(
    (await journal.load()).exchanges.map(({ number }) => number),
    [2],
  );
  await journal.clear();
  end();
  const beginning = () =>
    Array.from({ length: 3_000 }, (_, id) => put('plants', String(id), { id }));
  const stores = new RedisStores(connection, { beginning });
  const store = await stores.open('a');
  await store.nextNumber('plants');
  await store.commit([put('plants', '1', { id: 1 })]);
  t.is((await store.list('plants', { offset: 0, limit: 10 })).length, 10);
  await stores.copy('a', 'a/before');
  t.deepEqual((await stores.names()).toSorted(), ['a', 'a/before']);
  await removeSession({ connection, stores }, 'a');
  t.deepEqual(await stores.names(), []);
});
