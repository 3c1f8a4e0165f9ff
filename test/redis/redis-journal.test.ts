import test, { type ExecutionContext } from 'ava';
import { createUniqueName } from '../../src/base/random.ts';
import type { KeptExchange } from '../../src/journal/exchange.ts';
import { RedisConnection } from '../../src/redis/connection.ts';
import { readExchange, writeExchange } from '../../src/redis/exchange-text.ts';
import {
  createRedisJournal,
  createSharedJournalBudget,
  type JournalLimits,
  type SharedJournalBudget,
} from '../../src/redis/journal.ts';
import { keysOf } from '../../src/redis/keys.ts';
import { removeSession } from '../../src/redis/stored-session.ts';
import { RedisStores } from '../../src/redis/stores.ts';
import { exchangeOf, journalOf } from '../support/journals.ts';
import { shareRedis } from '../support/redis-server.ts';

const redis = shareRedis(test);

const limits: JournalLimits = {
  maximumExchanges: 1000,
  maximumBytes: 10_000_000,
  maximumBodyLength: 65_536,
};

function connect(t: ExecutionContext, namespace: string): RedisConnection {
  const url = `${redis().url}?namespace=${namespace}`;
  const connection = new RedisConnection(url, 10_000);
  t.teardown(() => connection.close());
  return connection;
}

/** @returns the journal of a session that is there */
async function open(
  connection: RedisConnection,
  session = 'default',
  more: Partial<JournalLimits> = {},
  budget?: SharedJournalBudget,
) {
  await connection.send('HSET', keysOf(connection.namespace, session).main, 'v', '1');
  return createRedisJournal(
    connection,
    keysOf(connection.namespace, session),
    { ...limits, ...more },
    budget,
  );
}

function create(t: ExecutionContext, more: Partial<JournalLimits> = {}) {
  return open(connect(t, createUniqueName()), 'default', more);
}

/** As plain values: fields and refusals have getters. */
function show(exchange: KeptExchange | undefined) {
  const kept: KeptExchange = exchange ?? exchangeOf(0, {});
  const { request, problem, responseBody, ...rest } = kept;
  const { fields, rawBody } = request;
  const { message } = problem ?? {};
  return {
    // Members that are undefined are left out of what Redis has.
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    responseBody: responseBody instanceof Uint8Array ? Buffer.from(responseBody) : responseBody,
    request: { ...request, fields: fields.entries(), rawBody: Buffer.from(rawBody) },
    problem: problem && { message, name: problem.problem },
  };
}

const exchanges = [
  exchangeOf(1, { body: { id: 1 }, headers: { 'x-trace': 'é, "a"', __proto__x: 'y' } }),
  exchangeOf(2, { body: { id: 'text', pin: 12345, password: 'abcdef' } }),
  exchangeOf(3, { method: 'DELETE', target: '/nothing?a=%F0%9F%8C%B5' }),
  exchangeOf(4, { body: Buffer.from([0, 1, 10, 255, 13, 10]) }, { responseBody: null }),
  exchangeOf(5, {}, { responseBody: Buffer.from([10, 0, 255]), mediaType: 'image/png' }),
  exchangeOf(6, {}, { responseBody: '🌵\ud800\u2028', responseFields: { etag: '"1"' } }),
  exchangeOf(
    7,
    { body: Buffer.alloc(100, 'a') },
    { responseBody: 'é'.repeat(100), rules: ['slow'], fault: 'EMPTY_RESPONSE', replay: 'call=1' },
  ),
  exchangeOf(8, {}, { mediaType: undefined, milliseconds: 1.2345, delayMilliseconds: 3 }),
  exchangeOf(9, {}, { responseBody: `${'a'.repeat(63)}🌵` }),
];

test('an exchange is recorded as in a journal in memory', (t) => {
  const local = journalOf({ maximumBodyLength: 64 });
  for (const exchange of exchanges) {
    local.record(exchange);
    const read = readExchange(writeExchange(exchange, 64));
    t.deepEqual(show(read), show(local.get(exchange.number)), String(exchange.number));
  }
  const request = { ...exchangeOf(1, {}).request, rawBody: 'too-large' as const };
  const large = { ...exchangeOf(10, {}), request };
  t.is(readExchange(writeExchange(large, 64))?.request.rawBody, 'too-large');
});

test('exchanges of another version are skipped', (t) => {
  t.is(readExchange(Buffer.from('2 1 {}\n')), undefined);
  t.is(readExchange(Buffer.from('cleared')), undefined);
  t.is(readExchange(Buffer.alloc(0)), undefined);
});

test('all replicas read what one has recorded, the oldest first', async (t) => {
  const namespace = createUniqueName();
  const first = await open(connect(t, namespace));
  const second = await open(connect(t, namespace));
  for (const exchange of exchanges) await first.record(exchange);
  const loaded = await second.load();
  t.deepEqual(
    loaded.exchanges.map(({ number }) => number),
    exchanges.map(({ number }) => number),
  );
  t.deepEqual(show(loaded.exchanges[6]), show(exchanges[6]));
  t.deepEqual((await second.load('counts')).exchanges, []);
  const other = await open(connect(t, namespace), 'another');
  t.deepEqual(await other.load(), { size: 0, dropped: 0, bytes: 0, exchanges: [] });
});

test('the oldest exchanges are dropped above the limits', async (t) => {
  const few = await create(t, { maximumExchanges: 3 });
  for (let number = 1; number <= 10; number++) await few.record(exchangeOf(number, {}));
  const loaded = await few.load();
  t.deepEqual(
    loaded.exchanges.map(({ number }) => number),
    [8, 9, 10],
  );
  t.is(loaded.dropped, 7);
  const small = await create(t, { maximumBytes: 3 * writeExchange(exchangeOf(1, {}), 100).length });
  for (let number = 1; number <= 9; number++) await small.record(exchangeOf(number, {}));
  const { size, dropped, bytes } = await small.load('counts');
  t.deepEqual([size, dropped], [3, 6]);
  t.is(bytes, 3 * writeExchange(exchangeOf(1, {}), 100).length);
  await small.record(exchangeOf(10, {}, { responseBody: 'x'.repeat(10_000) }));
  t.deepEqual(await small.load('counts'), { size, dropped: dropped + 1, bytes, exchanges: [] });
  const none = await create(t, { maximumExchanges: 0 });
  await none.record(exchangeOf(1, {}));
  t.deepEqual(await none.load('counts'), { size: 0, dropped: 1, bytes: 0, exchanges: [] });
});

test('exchanges of one moment are recorded in their order', async (t) => {
  const connection = connect(t, createUniqueName());
  const few = await open(connection, 'few', { maximumExchanges: 3 });
  const many = await open(connection, 'many');
  await few.record(exchangeOf(1, {}));
  const later = Array.from({ length: 9 }, (_, index) => exchangeOf(index + 2, {}));
  await Promise.all(later.flatMap((one) => [few.record(one), many.record(one)]));
  const [short, long] = [await few.load(), await many.load()];
  const numbersOf = (one: typeof short) => one.exchanges.map(({ number }) => number);
  t.deepEqual(numbersOf(short), [8, 9, 10]);
  t.is(short.dropped, 7);
  t.deepEqual(numbersOf(long), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const bytesOf = (all: typeof later) =>
    all.reduce((sum, one) => sum + writeExchange(one, 100).length, 0);
  t.deepEqual([short.bytes, long.bytes], [bytesOf(later.slice(6)), bytesOf(later)]);
  t.is(long.dropped, 0);
});

test('exchanges are removed by number, and all at once', async (t) => {
  const journal = await create(t);
  for (let number = 1; number <= 5; number++) await journal.record(exchangeOf(number, {}));
  t.is(await journal.remove([2, 4, 44]), 2);
  t.deepEqual(
    (await journal.load()).exchanges.map(({ number }) => number),
    [1, 3, 5],
  );
  t.is(await journal.remove([1, 3, 5]), 3);
  t.deepEqual(await journal.load('counts'), { size: 0, dropped: 0, bytes: 0, exchanges: [] });
  await journal.record(exchangeOf(6, {}));
  await journal.clear();
  t.deepEqual(await journal.load('counts'), { size: 0, dropped: 0, bytes: 0, exchanges: [] });
});

test('the journals of all sessions keep their limit, and the largest gives up room first', async (t) => {
  const connection = connect(t, createUniqueName());
  const size = writeExchange(exchangeOf(1, {}), 100).length;
  const sessions = ['noisy', 'quiet'];
  const maximumBytes = 64 * size;
  const shared = createSharedJournalBudget(connection, maximumBytes, async () => sessions);
  const [noisy, quiet] = await Promise.all(
    sessions.map((session) => open(connection, session, {}, shared)),
  );
  for (let number = 1; number <= 5; number++) await quiet?.record(exchangeOf(number, {}));
  for (let number = 10; number < 99; number++) await noisy?.record(exchangeOf(number, {}));
  await shared.enforce();
  const [most, least] = [await noisy?.load('counts'), await quiet?.load('counts')];
  t.is(least?.size, 5);
  t.true((most?.bytes ?? 0) + (least?.bytes ?? 0) <= maximumBytes);
  t.true((most?.size ?? 0) > 50);
  t.is((most?.size ?? 0) + (most?.dropped ?? 0), 89);
});

test('a response after the removal of its session restores nothing', async (t) => {
  const connection = connect(t, createUniqueName());
  const journal = await open(connection);
  const stores = new RedisStores(connection, { isOwned: true });
  const store = await stores.open('default');
  t.true(await removeSession({ connection, stores }, 'default'));
  await journal.record(exchangeOf(1, {}));
  await t.throwsAsync(async () => store.nextNumber('plants'), { message: /dropped/ });
  t.deepEqual(await journal.load('counts'), { size: 0, dropped: 0, bytes: 0, exchanges: [] });
  t.deepEqual(await connection.send('KEYS', `*${connection.namespace}:default*`), []);
});

test('listeners get the exchanges of other replicas in one order until the session ends', async (t) => {
  const namespace = createUniqueName();
  const journals = await Promise.all([1, 2, 3].map(() => open(connect(t, namespace))));
  const heard = journals.map((): (number | string)[] => []);
  const ended = journals.map(async (journal, index) => {
    const told = heard[index] ?? [];
    await new Promise<void>((resolve) => {
      void journal
        .on({
          recorded: ({ number }) => told.push(number),
          cleared: () => told.push('cleared'),
          closed: () => {
            told.push('closed');
            resolve();
          },
        })
        .then(() => listening.next());
    });
  });
  const listening = countdown(3);
  await listening.done;
  const recorded = Array.from({ length: 60 }, (_, index) =>
    journals[index % 3]?.record(exchangeOf(index + 1, {})),
  );
  await Promise.all(recorded);
  await journals[0]?.clear();
  const connection = connect(t, namespace);
  await removeSession({ connection, stores: new RedisStores(connection) }, 'default');
  await Promise.all(ended);
  t.is(heard[0]?.length, 62);
  t.deepEqual(heard[1], heard[0] ?? []);
  t.deepEqual(heard[2], heard[0] ?? []);
  t.deepEqual(heard[0]?.slice(-2), ['cleared', 'closed']);
});

function countdown(count: number) {
  let left = count;
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const next = (): void => {
    left--;
    if (left === 0) finish();
  };
  return { done, next };
}
