import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { untilCalled } from '../support/calls.ts';
import { createFolder } from '../support/folder.ts';
import { openRaw, rawCreate } from '../support/raw-socket.ts';
import { type RedisServer, shareRedis, startRedis } from '../support/redis-server.ts';
import { openReplicas } from '../support/replicas.ts';

const redis = shareRedis(test);
let count = 0;

function storeOf(url = redis().url): string {
  return `${url}?namespace=shared-${++count}`;
}

async function openTwo(t: ExecutionContext, options: MockOptions = {}) {
  const [first, second] = await openReplicas(t, {
    store: storeOf(),
    storeTimeout: 10_000,
    ...options,
  });
  if (first === undefined || second === undefined) throw new Error('there are no replicas');
  return [first, second] as const;
}

function create(mock: Mock, id: number, fields: Readonly<Record<string, string>> = {}) {
  return mock.fetch('/plants', {
    method: 'POST',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json', ...fields },
    body: JSON.stringify({ id, name: 'Fern' }),
  });
}

function ask(mock: Mock, method: string, path: string, body?: unknown): Promise<Response> {
  return mock.fetch(`/__admin${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Returns how many scripts a Redis has run since its counts were reset. */
function countScripts(own: RedisServer): number {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(own.command('INFO', 'commandstats'))?.[1]);
}

async function json<Value>(answer: Promise<Response>): Promise<Value> {
  return (await (await answer).json()) as Value;
}

test('replicas share stored resources and call numbers', async (t) => {
  const [first, second] = await openTwo(t);
  t.is((await create(first, 1)).headers.get('mock-request-id'), '1');
  t.is((await create(second, 2)).headers.get('mock-request-id'), '2');
  const { plants } = await json<{ plants: { id: number }[] }>(ask(first, 'GET', '/state'));
  t.deepEqual(
    plants.map(({ id }) => id),
    [1, 2],
  );
});

test('every replica shows when a client left a response that hangs', async (t) => {
  const [first, second] = await openTwo(t);
  const session = first.session('left');
  await session.fixtures.add({ answer: { fault: 'HANG' } });
  const { url } = await first.listen({ port: 0 });
  const { journal } = second.session('left');
  const leaving = new AbortController();
  const response = fetch(`${url}/plants`, {
    method: 'POST',
    headers: { ...session.headers, authorization: 'Bearer t', 'content-type': 'application/json' },
    body: JSON.stringify({ id: 1, name: 'Fern' }),
    signal: leaving.signal,
  });
  await journal.wait({ times: 1 });
  leaving.abort();
  await t.throwsAsync(response, { any: true });
  let left: readonly (string | undefined)[] = [undefined];
  while (left[0] === undefined) left = (await journal.list()).map(({ leftAt }) => leftAt);
  t.is(left.length, 1);
});

test('a request asks Redis for its session and what it reads at once', async (t) => {
  const own = await startRedis(t);
  const [mock] = await openTwo(t, {
    store: storeOf(own.url),
    document: fileURLToPath(new URL('../../bench/plants.openapi.yaml', import.meta.url)),
  });
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
  const scriptsOf = async (method: string, path: string, plant?: unknown) => {
    const body = plant === undefined ? null : JSON.stringify(plant);
    await mock.fetch(path, { method, headers, body });
    own.command('CONFIG', 'RESETSTAT');
    t.true((await mock.fetch(path, { method, headers, body })).ok);
    return countScripts(own);
  };
  const plant = { id: 7, name: 'Fern' };
  // The last script of each records the exchange.
  t.is(await scriptsOf('POST', '/plants', plant), 3);
  t.is(await scriptsOf('GET', '/plants/7'), 2);
  t.is(await scriptsOf('PUT', '/plants/7', plant), 3);
  t.is(await scriptsOf('GET', '/plants?limit=1'), 2);
});

/** A document with lists of plants that take query parameters. */
function documentOfPlants(...parameters: readonly string[]) {
  const plant = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const content = (schema: object) => ({ 'application/json': { schema } });
  const ok = (schema: object) => ({ 200: { description: 'OK', content: content(schema) } });
  const schema = (name: string) => ({ type: name === 'name' ? 'string' : 'integer' });
  return {
    openapi: '3.1.0',
    info: { title: 'Plants', version: '1' },
    paths: {
      '/plants': {
        get: {
          parameters: parameters.map((name) => ({ name, in: 'query', schema: schema(name) })),
          responses: ok({ type: 'array', items: plant }),
        },
        post: { requestBody: { content: content(plant) }, responses: ok(plant) },
      },
      '/plants/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: ok(plant) },
      },
    },
  };
}

test('a list asks Redis for its page at once, and for all resources where it needs them', async (t) => {
  const own = await startRedis(t);
  const document = documentOfPlants('limit', 'offset', 'name');
  const [mock] = await openTwo(t, { store: storeOf(own.url), document });
  await ask(mock, 'PUT', '/state', { plants: [{ id: 1, name: 'Fern' }] });
  const scriptsOf = async (query: string) => {
    await mock.fetch(`/plants${query}`);
    own.command('CONFIG', 'RESETSTAT');
    t.deepEqual(await json(mock.fetch(`/plants${query}`)), [{ id: 1, name: 'Fern' }]);
    return countScripts(own);
  };
  t.is(await scriptsOf(''), 2);
  t.is(await scriptsOf('?limit=1&offset=0'), 2);
  t.is(await scriptsOf('?name=Fern'), 3);
});

for (const parameters of [
  ['limit', 'offset', 'name'],
  ['limit', 'page', 'name'],
]) {
  const [, place = ''] = parameters;
  test(`pages by ${place} of a list on a Redis are the same as in memory`, async (t) => {
    const document = documentOfPlants(...parameters);
    const [shared] = await openTwo(t, { document });
    const alone = await createMock({ document });
    const show = async (mock: Mock, method: string, query: string) => {
      const response = await mock.fetch(`/plants${query}`, { method });
      const fields = ['x-total-count', 'link', 'mock-source'].map((at) => response.headers.get(at));
      return [response.status, await response.text(), fields];
    };
    const of = (value: string): string => `${place}=${value}`;
    const queries = ['', '?limit=1', `?${of('1')}`, `?limit=3&${of('2')}`, `?limit=100&${of('0')}`];
    queries.push(
      ...['6', '7', '8', '250', '-1', '9007199254740993', 'x'].map((at) => `?${of(at)}`),
    );
    queries.push('?limit=0', '?limit=1&limit=2', '?l%69mit=2', '?limit=%32', '?other=1');
    queries.push('?name=Fern', `?limit=2&name=Rose&${of('1')}`);
    for (const size of [0, 1, 7, 250]) {
      const name = (at: number): string => (at % 2 === 0 ? 'Fern' : 'Rose');
      const plants = Array.from({ length: size }, (_, at) => ({ id: at + 1, name: name(at) }));
      for (const mock of [shared, alone]) {
        t.is((await ask(mock, 'PUT', '/state', { plants })).status, 200);
      }
      for (const query of queries) {
        for (const method of ['GET', 'HEAD']) {
          const expected = await show(alone, method, query);
          t.deepEqual(await show(shared, method, query), expected, `${method} ${query} of ${size}`);
        }
      }
    }
    await alone.close();
  });
}

test('lists that are large arrive whole, also several at once', async (t) => {
  const [mock] = await openTwo(t, { document: documentOfPlants('limit', 'offset') });
  const plants = Array.from({ length: 150 }, (_, at) => ({ id: at, name: 'x'.repeat(20_000) }));
  t.is((await ask(mock, 'PUT', '/state', { plants })).status, 200);
  const queries = ['?limit=100', '?limit=100&offset=50', '?limit=1&offset=149'];
  const lists = await Promise.all(queries.map((query) => json(mock.fetch(`/plants${query}`))));
  t.deepEqual(lists, [plants.slice(0, 100), plants.slice(50), plants.slice(149)]);
});

test('requests that arrive at once ask Redis for their session together', async (t) => {
  const own = await startRedis(t);
  const [mock] = await openTwo(t, {
    store: storeOf(own.url),
    document: fileURLToPath(new URL('../../bench/plants.openapi.yaml', import.meta.url)),
  });
  // The default one: of another, the last use is listed once a second, by a script of its own.
  const ids = Array.from({ length: 20 }, (_, id) => id + 1);
  const created = await Promise.all(ids.map((id) => create(mock, id)));
  const numbers = created.map(({ headers }) => Number(headers.get('mock-request-id')));
  t.deepEqual(numbers, ids);
  own.command('CONFIG', 'RESETSTAT');
  const headers = { authorization: 'Bearer t' };
  const read = await Promise.all(
    ids.map(async (id) => (await mock.fetch(`/plants/${id}`, { headers })).json()),
  );
  // One script begins all of them, one records all.
  t.is(countScripts(own), 2);
  t.deepEqual(
    read,
    ids.map((id) => ({ id, name: 'Fern' })),
  );
});

test('creates that arrive at once are stored together, each with its own outcome', async (t) => {
  const own = await startRedis(t);
  const [mock] = await openTwo(t, { store: storeOf(own.url), mode: 'stateful' });
  await create(mock, 1);
  own.command('CONFIG', 'RESETSTAT');
  // Whatever creates it first, the others find it there.
  const ids = [2, 3, 3, 1, 4];
  const statuses = await Promise.all(ids.map(async (id) => (await create(mock, id)).status));
  t.is(countScripts(own), 3);
  t.deepEqual(statuses, [200, 200, 200, 200, 200]);
  const { plants } = await json<{ plants: { id: number }[] }>(ask(mock, 'GET', '/state'));
  t.deepEqual(
    plants.map(({ id }) => id),
    [1, 2, 3, 4],
  );
});

test('a session on a Redis knows what its process has seen', async (t) => {
  const [first] = await openTwo(t);
  const session = first.session('covered');
  await create(first, 1, session.headers);
  t.deepEqual((await session.coverage()).sums.operations, { covered: 1, total: 1 });
  await session.close();
  t.deepEqual((await session.coverage()).sums.operations, { covered: 0, total: 1 });
});

test('a failure with five times acts five times over all replicas', async (t) => {
  const [first, second] = await openTwo(t);
  await ask(first, 'POST', '/fail', { operationId: 'createPlant', status: 429, times: 5 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, id) => create(id % 2 === 0 ? first : second, id)),
  );
  const failed = answers.filter(({ headers }) => headers.get('mock-source')?.startsWith('fixture'));
  t.is(failed.length, 5);
  const { fixtures } = await json<{ fixtures: { name: string; matched: number }[] }>(
    ask(second, 'GET', '/fixtures'),
  );
  t.is(fixtures.find(({ name }) => name === 'fail-1')?.matched, 40);
});

test('rules that replicas add at the same time all exist', async (t) => {
  const mocks = await openTwo(t);
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ask(mocks[index % 2] ?? mocks[0], 'PUT', `/fixtures/rule-${index}`, {
        match: { operationId: 'createPlant' },
        answer: { status: 400 },
      }),
    ),
  );
  t.deepEqual([...new Set(added.map(({ status }) => status))], [201]);
  const { fixtures } = await json<{ fixtures: { name: string }[] }>(
    ask(mocks[0], 'GET', '/fixtures'),
  );
  t.is(fixtures.filter(({ name }) => name.startsWith('rule-')).length, 20);
});

test('a wait on one replica ends by a request to another', async (t) => {
  const [first, second] = await openTwo(t);
  await create(first, 1);
  const waiting = json<{ verified: boolean; count: number }>(
    ask(first, 'POST', '/journal/wait', {
      match: { operationId: 'createPlant' },
      times: 2,
      within: '20s',
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  await create(second, 2);
  const { verified, count: came } = await waiting;
  t.true(verified);
  t.is(came, 2);
});

test('a clock that one replica advances ends delays on another', async (t) => {
  const folder = await createFolder(t, {
    'slow.yaml': 'rules:\n  - { name: late, answer: { fixedDelayMilliseconds: 3600000 } }\n',
  });
  const [first, second] = await openTwo(t, { fixtures: [`${folder}/slow.yaml`] });
  const waiting = create(first, 1);
  await untilCalled(second.fetch);
  // What is left to do until it waits asks nobody else.
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.is((await ask(second, 'POST', '/clock/advance', { by: '61m' })).status, 200);
  t.is((await waiting).status, 200);
});

test('each replica gets the events of all replicas once', async (t) => {
  const [first, second] = await openTwo(t);
  const stream = await ask(first, 'GET', '/events');
  const reader = stream.body?.getReader();
  if (reader === undefined) throw new Error('there is no stream');
  // Who is to tell has heard that somebody listens.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await create(second, 1);
  await ask(second, 'DELETE', '/state');
  await create(first, 2);
  // One's own come at once, those of others when Redis has carried them.
  const awaited = [/"number":1/, /^event: state$/m, /"number":2/];
  let text = '';
  while (!awaited.every((one) => one.test(text))) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  await reader.cancel();
  const names = [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  t.deepEqual(names.toSorted(), ['exchange', 'exchange', 'state']);
  t.true(text.indexOf('"number":1') < text.indexOf('event: state'), 'of one, in their order');
});

test('streams that are opened at the same time get each event of another replica once', async (t) => {
  const [first, second] = await openTwo(t);
  const opening = Array.from({ length: 20 }, () => ask(first, 'GET', '/events'));
  const streams = await Promise.all(opening);
  const texts = streams.map(() => '');
  const read = async ({ body }: Response, index: number) => {
    for await (const part of body ?? []) texts[index] += Buffer.from(part).toString();
  };
  for (const [index, stream] of streams.entries()) void read(stream, index);
  // Until the other replica has heard that somebody listens, it tells nothing.
  for (let id = 1; id < 200 && !texts.every((text) => text.includes('event: ')); id++) {
    await create(second, id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (const text of texts) {
    const numbers = [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => number);
    t.true(numbers.length > 0);
    t.deepEqual(numbers, [...new Set(numbers)]);
  }
});

test('a stream that is opened while another one ends gets the events of other replicas', async (t) => {
  const [first, second] = await openTwo(t);
  for (let turns = 0; turns < 12; turns++) {
    const ending = await ask(first, 'GET', '/events');
    const opening = ask(first, 'GET', '/events');
    // One of these moments is while the other stream waits for Redis.
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
    await ending.body?.cancel();
    const stream = await opening;
    await create(second, turns + 1);
    const heard = readUntil(stream, /^event: exchange$/m);
    const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'no event'));
    t.is(await Promise.race([heard, late]), undefined, `after ${turns} turns`);
  }
});

async function readUntil({ body }: Response, sign: RegExp): Promise<void> {
  let text = '';
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString();
    if (sign.test(text)) return;
  }
}

test('one replica restores the snapshot of another, with counts and resources', async (t) => {
  const [first, second] = await openTwo(t, { fixture: [] });
  await create(first, 1);
  await ask(first, 'POST', '/fail', { operationId: 'createPlant', status: 429, times: 2 });
  await create(first, 2);
  t.is((await ask(first, 'PUT', '/snapshots/then')).status, 201);
  await create(second, 3);
  await create(second, 4);
  t.is((await ask(second, 'POST', '/snapshots/then/restore')).status, 204);
  const { plants } = await json<{ plants: { id: number }[] }>(ask(first, 'GET', '/state'));
  t.deepEqual(
    plants.map(({ id }) => id),
    [1],
  );
  t.not((await create(first, 5)).headers.get('mock-source'), 'state');
  t.is((await create(second, 6)).headers.get('mock-source'), 'state');
});

test('a replay acts once over all replicas', async (t) => {
  const [first, second] = await openTwo(t, { replay: 'seed="coldframe", call=3' });
  await Promise.all([create(first, 1), create(second, 2), create(first, 3), create(second, 4)]);
  t.is((await create(first, 5)).status, 200);
});

test('a client that ends its side gets its responses', async (t) => {
  const mock = await createMock({ store: storeOf() });
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0 });
  const connection = await openRaw(t, port);
  const bodies = ['{"id":1,"name":"Fern"}', '{"id":2,"name":"Ivy"}', '{"id":3}'];
  connection.socket.end(Buffer.concat(bodies.map((body) => rawCreate(body))));
  for (const status of [200, 200, 400]) t.is((await connection.answer()).status, status);
  t.true(await connection.closed());
});

test('the password of a Redis is never shown', async (t) => {
  const mock = await createMock({ store: 'redis://fern:moss@127.0.0.1:1/0', storeTimeout: 300 });
  t.teardown(() => mock.close());
  const answers = [
    await ask(mock, 'GET', '/settings'),
    await ask(mock, 'GET', '/health/ready'),
    await create(mock, 1),
  ];
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  t.is(texts.filter((text) => text.includes('127.0.0.1:1')).length, 3);
  t.false(texts.some((text) => text.includes('moss')));
});

test('a mock that was closed, even twice, refuses what needs its store', async (t) => {
  const folder = await createFolder(t, {});
  for (const store of [`file:${folder}/state.db`, storeOf()]) {
    const mock = await createMock({ store });
    t.is((await create(mock, 1)).status, 200);
    await Promise.all([mock.close(), mock.close()]);
    t.is((await create(mock, 2)).status, 503, store);
  }
});

test('a session above the limit is dropped for all replicas', async (t) => {
  const [first, second] = await openTwo(t, { sessionLimit: 2 });
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    await create(index % 2 === 0 ? first : second, 1, { 'mock-session': id });
  }
  const { sessions } = await json<{ sessions: { id: string }[] }>(ask(second, 'GET', '/sessions'));
  t.deepEqual(
    sessions.map(({ id }) => id),
    ['default', 'c', 'b'],
  );
});

test('a session that one replica uses is never too many for another', async (t) => {
  const [first, second] = await openTwo(t, { sessionLimit: 3 });
  const busy = { 'mock-session': 'busy' };
  for (let id = 1; id <= 10; id++) {
    await create(first, id, busy);
    await create(second, 1, { 'mock-session': `passing-${id}` });
    const plants = await json<unknown[]>(first.fetch('/__admin/state/plants', { headers: busy }));
    t.is(plants.length, id);
  }
});

test('a session is idle when no replica has used it, whatever the list of sessions says', async (t) => {
  const store = storeOf();
  const [first, second] = await openTwo(t, { store });
  const namespace = new URL(store).searchParams.get('namespace');
  const list = async () => {
    const { sessions } = await json<{ sessions: { id: string }[] }>(
      ask(second, 'GET', '/sessions'),
    );
    return sessions.map(({ id }) => id);
  };
  for (const id of ['used', 'idle']) {
    await create(first, 1, { 'mock-session': id });
    redis().command('ZADD', `${namespace}:sessions`, '1', id);
  }
  redis().command('HSET', `{${namespace}:idle}:session`, 'u', '1');
  t.deepEqual(await list(), ['default', 'used']);
  t.deepEqual(await list(), ['default', 'used']);
});

test('sessions that are used while others are dropped lose nothing', async (t) => {
  const replicas = await openTwo(t, { sessionLimit: 30 });
  const pick = (index: number) => replicas[index % 2] ?? replicas[0];
  const use = async (_: unknown, worker: number) => {
    const own = { 'mock-session': `worker-${worker}` };
    for (let id = 1; id <= 40; id++) {
      t.is((await create(pick(id), id, own)).status, 200);
      await create(pick(worker), 1, { 'mock-session': `passing-${worker}-${id}` });
      const plants = await json<unknown[]>(
        pick(id + 1).fetch('/__admin/state/plants', { headers: own }),
      );
      t.is(plants.length, id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, use));
  const { total } = await json<{ total: number }>(ask(replicas[0], 'GET', '/sessions'));
  t.true(total <= 31, String(total));
});

test('a list of one session has only the default session', async (t) => {
  const [first] = await openTwo(t);
  for (const id of ['a', 'b']) await create(first, 1, { 'mock-session': id });
  const list = (limit: number) =>
    json<{ sessions: { id: string }[]; total: number }>(
      ask(first, 'GET', `/sessions?limit=${limit}`),
    );
  const [one, two] = [await list(1), await list(2)];
  t.deepEqual(
    [one, two].map(({ sessions }) => sessions.map(({ id }) => id)),
    [['default'], ['default', 'b']],
  );
  t.is(one.total, 3);
});

test.serial(
  'a lost Redis is refused at once with a declared status or 503, and recovers',
  async (t) => {
    const own = await startRedis(t, { persistent: true });
    const mock = await createMock({ store: own.url, storeTimeout: 500 });
    t.teardown(() => mock.close());
    t.is((await create(mock, 1)).status, 200);
    t.is((await ask(mock, 'GET', '/health/ready')).status, 200);
    await own.kill();
    const started = performance.now();
    const answers = await Promise.all([
      create(mock, 2),
      create(mock, 3, { 'mock-session': 'named' }),
      create(mock, 4, { 'mock-session': 'not a name' }),
    ]);
    // The plant store declares 400 alone; what is not the client's fault says so by its own status.
    for (const { status } of answers.slice(0, 2)) t.is(status, 503);
    t.true(performance.now() - started < 2_000);
    t.is((await ask(mock, 'GET', '/health/live')).status, 200);
    const ready = await ask(mock, 'GET', '/health/ready');
    t.is(ready.status, 503);
    t.regex(await ready.text(), /cannot be reached/);
    t.is((await ask(mock, 'GET', '/state')).status, 503);
    await own.start();
    await untilReady(mock);
    t.is((await create(mock, 5)).status, 200);
    const { plants } = await json<{ plants: { id: number }[] }>(ask(mock, 'GET', '/state'));
    t.deepEqual(
      plants.map(({ id }) => id),
      [1, 5],
    );
  },
);

test.serial('a stalled Redis is refused within two seconds', async (t) => {
  const own = await startRedis(t);
  const mock = await createMock({ store: own.url });
  t.teardown(() => mock.close());
  t.is((await create(mock, 1)).status, 200);
  own.pause();
  const started = performance.now();
  const answers = await Promise.all([create(mock, 2), create(mock, 3), create(mock, 4)]);
  t.true(performance.now() - started < 2_000);
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
  own.resume();
  await untilReady(mock);
  t.is((await create(mock, 5)).status, 200);
});

test('an emptied Redis starts every session anew', async (t) => {
  const own = await startRedis(t);
  const mock = await createMock({ store: own.url });
  t.teardown(() => mock.close());
  t.is((await create(mock, 1)).status, 200);
  await ask(mock, 'POST', '/fail', { operationId: 'createPlant', status: 429, times: 2 });
  own.command('FLUSHALL');
  const answer = await create(mock, 2);
  t.is(answer.status, 200);
  t.is(answer.headers.get('mock-request-id'), '1');
});

test('a mock starts without its Redis, and responds once it is available', async (t) => {
  const own = await startRedis(t);
  await own.stop();
  const mock = await createMock({ store: own.url, storeTimeout: 500 });
  t.teardown(() => mock.close());
  t.is((await ask(mock, 'GET', '/health/live')).status, 200);
  t.is((await ask(mock, 'GET', '/health/ready')).status, 503);
  await own.start();
  await untilReady(mock);
  t.is((await create(mock, 1)).status, 200);
});

async function untilReady(mock: Mock): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await ask(mock, 'GET', '/health/ready')).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it is not ready again');
}
