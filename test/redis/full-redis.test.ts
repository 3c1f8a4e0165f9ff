import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/index.ts';
import { startRedis } from '../support/redis-server.ts';

async function openGardens(t: ExecutionContext) {
  const redis = await startRedis(t);
  const mock = await createMock({
    document: 'spec/gardens.openapi.yaml',
    store: redis.url,
    storeTimeout: 10_000,
  });
  t.teardown(() => mock.close());
  return { redis, mock };
}

/** @returns the status of a response to a request with a body of JSON */
async function ask(mock: Mock, method: string, path: string, body?: unknown, session = 'default') {
  const { status } = await mock.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', 'mock-session': session },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return status;
}

test('a full Redis serves what needs no room, and is not ready', async (t) => {
  const { redis, mock } = await openGardens(t);
  for (const id of [1, 2]) t.is(await ask(mock, 'POST', '/gardens', { id, name: 'Kew' }), 201);
  t.is(await ask(mock, 'POST', '/gardens', { id: 1, name: 'Kew' }, 'named'), 201);
  const fail = { operationId: 'getGarden', status: 404, times: 2 };
  t.is(await ask(mock, 'POST', '/__admin/fail', fail), 201);
  redis.command('CONFIG', 'SET', 'maxmemory', '1');
  t.is(await ask(mock, 'POST', '/gardens', { id: 3, name: 'Kew' }), 507);
  t.is(await ask(mock, 'GET', '/gardens'), 200);
  t.is(await ask(mock, 'GET', '/gardens', undefined, 'named'), 200);
  const counted = [1, 2, 3].map(() => ask(mock, 'GET', '/gardens/1'));
  t.deepEqual(await Promise.all(counted), [404, 404, 200]);
  t.is(await ask(mock, 'DELETE', '/gardens/2'), 204);
  t.is(await ask(mock, 'POST', '/gardens', {}), 422);
  for (const path of ['state', 'state/gardens', 'requests', 'sessions', 'sessions/named']) {
    t.is(await ask(mock, 'GET', `/__admin/${path}`), 200, path);
  }
  t.is(await ask(mock, 'GET', '/gardens', undefined, 'new'), 507, 'a session needs room');
  const ready = await mock.fetch('/__admin/health/ready');
  t.is(ready.status, 503);
  t.regex(await ready.text(), /maxmemory/);
  t.is(await ask(mock, 'DELETE', '/__admin/requests'), 200);
  t.is(await ask(mock, 'PUT', '/__admin/snapshots/before'), 507, 'so does a snapshot');
  t.is(await ask(mock, 'DELETE', '/__admin/sessions/named'), 204);
  t.is(await ask(mock, 'POST', '/__admin/reset'), 204);
  t.is(await ask(mock, 'GET', '/gardens'), 200);
  redis.command('CONFIG', 'SET', 'maxmemory', '0');
  t.is(await ask(mock, 'GET', '/__admin/health/ready'), 200);
  t.is(await ask(mock, 'POST', '/gardens', { id: 3, name: 'Kew' }), 201);
});

test('the journal of a full Redis has the newest exchanges', async (t) => {
  const { redis, mock } = await openGardens(t);
  for (let id = 1; id <= 15; id++) await ask(mock, 'POST', '/gardens', { id, name: 'Kew' });
  redis.command('CONFIG', 'SET', 'maxmemory', '1');
  for (let asked = 0; asked < 20; asked++) await ask(mock, 'GET', '/gardens/1');
  const journal = await mock.fetch('/__admin/requests');
  const { requests } = (await journal.json()) as { requests: { id: string }[] };
  const numbers = requests.map(({ id }) => Number(id.slice(-12))).toSorted((a, b) => a - b);
  t.true(numbers.length > 7 && numbers.length < 20, String(numbers.length));
  t.deepEqual(
    numbers,
    numbers.map((_, index) => 36 - numbers.length + index),
  );
});

test('a Redis without room for large changes is not ready', async (t) => {
  const { redis, mock } = await openGardens(t);
  const used = Number(/^used_memory:(\d+)/m.exec(redis.command('INFO', 'memory'))?.[1]);
  redis.command('CONFIG', 'SET', 'maxmemory', String(used + 5000000));
  const name = 'x'.repeat(300_000);
  const isReady = async () => (await ask(mock, 'GET', '/__admin/health/ready')) === 200;
  const readings: boolean[] = [];
  for (let id = 1; readings.length < 20; id++) {
    if ((await ask(mock, 'POST', '/gardens', { id, name })) === 507) readings.push(await isReady());
  }
  // The journal gives up some room after the first refusals, and Redis frees buffers at times.
  const claims = readings.slice(10).filter((claim) => claim);
  t.true(claims.length <= 1, String(readings));
  t.is(await ask(mock, 'DELETE', '/__admin/requests'), 200);
  t.is(await ask(mock, 'DELETE', '/__admin/state'), 204);
  // Redis frees large values in the background.
  for (let tries = 0; tries < 200 && !(await isReady()); tries++) await sleep(20);
  t.true(await isReady());
});
