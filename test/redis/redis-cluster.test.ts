import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createUniqueName } from '../../src/base/random.ts';
import { createMock } from '../../src/index.ts';
import { RedisConnection } from '../../src/redis/connection.ts';
import { createRedisJournal } from '../../src/redis/journal.ts';
import { keysOf } from '../../src/redis/keys.ts';
import { RedisStores } from '../../src/redis/stores.ts';
import { exchangeOf } from '../support/journals.ts';
import { type RedisServer, startCluster } from '../support/redis-server.ts';
import { type MakeStores, testStores } from '../support/store-conformance.ts';
import { testStoresByModel } from '../support/store-model.ts';

const ends: (() => Promise<void>)[] = [];
let nodes: readonly RedisServer[] = [];

test.before('a cluster is started', async () => {
  nodes = await startCluster({ teardown: (end) => ends.push(end) });
});

test.after.always('the cluster is ended', async () => {
  for (const end of ends) await end();
});

function connect(t: ExecutionContext, namespace: string, node = 0): RedisConnection {
  const setting = `${nodes[node]?.url}?cluster=true&namespace=${namespace}`;
  const connection = new RedisConnection(setting, 10_000);
  t.teardown(() => connection.close());
  return connection;
}

const make: MakeStores = (t, beginning) => {
  const namespace = createUniqueName();
  const reopen = () =>
    new RedisStores(connect(t, namespace), beginning === undefined ? {} : { beginning });
  return { stores: reopen(), reopen };
};

testStores(test, 'Redis Cluster', make);
testStoresByModel(test, 'Redis Cluster', make, 30);

test('a message to one node of a cluster reaches all, and sessions work', async (t) => {
  const namespace = createUniqueName();
  const heard: string[] = [];
  for (const node of [0, 1, 2]) {
    await connect(t, namespace, node).subscribe('news', (message) =>
      heard.push(`${node} ${Buffer.from(message)}`),
    );
  }
  const connection = connect(t, namespace);
  const journals = Array.from({ length: 20 }, async (_, index) => {
    const session = `session-${index}`;
    await connection.send('HSET', keysOf(namespace, session).main, 'v', 1);
    const journal = createRedisJournal(connection, keysOf(connection.namespace, session), {
      maximumExchanges: 10,
      maximumBytes: 10_000,
      maximumBodyLength: 100,
    });
    const recorded = new Promise<number>((resolve) => {
      void journal
        .on({ recorded: ({ number }) => resolve(number) })
        .then(() => journal.record(exchangeOf(index, {})));
    });
    return recorded;
  });
  t.deepEqual(
    await Promise.all(journals),
    journals.map((_, index) => index),
  );
  await connection.send('PUBLISH', 'news', 'frost');
  while (heard.length < 3) await sleep(10);
  t.deepEqual(heard.toSorted(), ['0 frost', '1 frost', '2 frost']);
});

test.serial('requests that arrive at once ask a cluster for their session together', async (t) => {
  const mock = await createMock({
    store: `${nodes[0]?.url}?cluster=true&namespace=${createUniqueName()}`,
    storeTimeout: 10_000,
    document: fileURLToPath(new URL('../../bench/plants.openapi.yaml', import.meta.url)),
  });
  t.teardown(() => mock.close());
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
  const ids = Array.from({ length: 20 }, (_, id) => id + 1);
  const create = async (id: number) => {
    const body = JSON.stringify({ id, name: 'Fern' });
    const response = await mock.fetch('/plants', { method: 'POST', headers, body });
    return Number(response.headers.get('mock-request-id'));
  };
  t.deepEqual(await Promise.all(ids.map(create)), ids);
  const counts = () =>
    nodes.map((node) => {
      const [, calls = '0'] =
        /^cmdstat_evalsha:calls=(\d+)/m.exec(node.command('INFO', 'commandstats')) ?? [];
      return Number(calls);
    });
  const before = counts();
  const responses = await Promise.all(ids.map((id) => mock.fetch(`/plants/${id}`, { headers })));
  t.true(responses.every(({ status }) => status === 200));
  // One script begins all of them, one records all, on the node of the session.
  t.deepEqual(
    counts()
      .map((calls, node) => calls - (before[node] ?? 0))
      .toSorted(),
    [0, 0, 2],
  );
});
