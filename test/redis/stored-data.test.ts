import test, { type ExecutionContext } from 'ava';
import { createUniqueName } from '../../src/base/random.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { shareRedis } from '../support/redis-server.ts';

/** Data that another version or another program may leave in Redis. */

const redis = shareRedis(test);

async function open(t: ExecutionContext, document?: MockOptions['document']) {
  const namespace = createUniqueName();
  const mock = await createMock({
    ...(document !== undefined && { document }),
    store: `${redis().url}?namespace=${namespace}`,
    storeTimeout: 10_000,
  });
  t.teardown(() => mock.close());
  const key = (part: string, session = 'default'): string => `{${namespace}:${session}}:${part}`;
  return { mock, key, namespace };
}

const thing = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    },
  },
};

function create(mock: Mock, id: number): Promise<Response> {
  return mock.fetch('/plants', {
    method: 'POST',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
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

/** The response is 503 and names the kind of data, the key and what to do. */
async function refused(t: ExecutionContext, response: Promise<Response>, ...parts: string[]) {
  const { status, text } = await response.then(async (one) => ({
    status: one.status,
    text: await one.text(),
  }));
  t.is(status, 503, text);
  t.false(/"INTERNAL"|a bug in the mock/.test(text), text);
  for (const part of [...parts, 'delete', 'another namespace']) {
    t.true(text.includes(part), `${part} in ${text}`);
  }
}

const BROKEN_RECORDS = [
  '',
  'no JSON',
  'null',
  '{}',
  '{"seed":1,"clock":[0,null]}',
  '{"seed":"a","clock":[null,0]}',
  '{"seed":"a","clock":[0,"now"]}',
  '{"seed":"a","clock":[0,null],"fixtures":{}}',
  '{"seed":"a","clock":[0,null],"fixtures":{"files":[],"added":[["a",0]],"removed":[],"switches":[]}}',
];

for (const record of BROKEN_RECORDS) {
  test(`an invalid session record is refused: ${JSON.stringify(record)}`, async (t) => {
    const { mock, key } = await open(t);
    redis().command('HSET', key('session'), 'v', 'x', 'r', record, 'n', '0', 'c', '0');
    const parts = ['a session record', key('session')];
    await refused(t, create(mock, 1), ...parts);
    await refused(t, ask(mock, 'GET', '/clock'), ...parts);
    redis().command('DEL', key('session'));
    t.is((await create(mock, 1)).status, 200);
  });
}

test('a session without record or numbers is refused', async (t) => {
  const { mock, key } = await open(t);
  redis().command('HSET', key('session'), 'v', 'x');
  await refused(t, create(mock, 1), 'a session record', key('session'));
  await refused(t, ask(mock, 'GET', '/clock'), 'a session record', key('session'));
  redis().command('HSET', key('session'), 'n', 'many');
  await refused(t, create(mock, 1), key('session'));
});

for (const counter of ['', 'many', '1 2 3 4', '1 2 3 4 x', '1 2 3 4 5 6']) {
  test(`an invalid counter is refused: ${JSON.stringify(counter)}`, async (t) => {
    const { mock, key } = await open(t);
    await ask(mock, 'POST', '/fail', { operationId: 'createPlant', status: 429, times: 2 });
    t.not((await create(mock, 1)).headers.get('mock-source'), 'state');
    const field = 'fail-1 ';
    t.is(redis().command('HEXISTS', key('counters'), field).trim(), '1');
    redis().command('HSET', key('counters'), field, counter);
    await refused(t, ask(mock, 'GET', '/fixtures'), 'a counter', key('counters'));
    if (counter === '') return;
    const second = await create(mock, 2);
    t.is(second.status, 503);
    t.regex(await second.text(), /a counter/);
    redis().command('HDEL', key('counters'), field);
    t.not((await create(mock, 3)).headers.get('mock-source'), 'state');
  });
}

for (const snapshot of ['', '{}', '{"seed":"a","clock":[0,null],"calls":-1,"takenAt":0}']) {
  test(`an invalid snapshot is refused: ${JSON.stringify(snapshot)}`, async (t) => {
    const { mock, key } = await open(t);
    t.is((await ask(mock, 'PUT', '/snapshots/then')).status, 201);
    redis().command('HSET', key('snapshots'), 'then', snapshot);
    const parts = ['the snapshot then', key('snapshots')];
    await refused(t, ask(mock, 'POST', '/snapshots/then/restore'), ...parts);
    redis().command('HDEL', key('snapshots'), 'then');
    t.is((await ask(mock, 'POST', '/snapshots/then/restore')).status, 404);
  });
}

const HEAD = {
  number: 1,
  session: 'default',
  at: 0,
  method: 'GET',
  target: '/plants',
  fields: '',
  sent: ['none', 0],
  status: 200,
  answered: ['none', 0],
  source: 'state',
  rules: [],
  delayMilliseconds: 0,
  milliseconds: 1,
};

test('a valid exchange is read', async (t) => {
  const { mock, key } = await open(t);
  t.is((await create(mock, 1)).status, 200);
  await ask(mock, 'DELETE', '/journal');
  redis().command('RPUSH', key('journal'), `1 1 ${JSON.stringify(HEAD)}\n`);
  const journal = await ask(mock, 'GET', '/journal');
  t.is(journal.status, 200);
  t.true((await journal.text()).includes('"target":"/plants"'));
});

for (const [name, text] of Object.entries({
  'no JSON': '1 1 {\n',
  'no members': '1 1 {}\n',
  'an unknown problem': `1 1 ${JSON.stringify({ ...HEAD, refusal: ['NEWS', 'x', 0] })}\n`,
  'a truncated body': `1 1 ${JSON.stringify({ ...HEAD, answered: ['utf8', 10] })}\nabc`,
  'fields that are not strings': `1 1 ${JSON.stringify({ ...HEAD, fields: {} })}\n`,
  'another JSON value': 'news',
})) {
  test(`an invalid exchange is refused: ${name}`, async (t) => {
    const { mock, key } = await open(t);
    t.is((await create(mock, 1)).status, 200);
    redis().command('RPUSH', key('journal'), text);
    await refused(t, ask(mock, 'GET', '/journal'), 'an exchange', key('journal'));
    t.is((await create(mock, 2)).status, 200);
    t.is((await ask(mock, 'POST', '/reset', {})).status, 204);
    t.is((await ask(mock, 'GET', '/journal')).status, 200);
  });
}

test('an exchange of another version is skipped', async (t) => {
  const { mock, key } = await open(t);
  t.is((await create(mock, 1)).status, 200);
  redis().command('RPUSH', key('journal'), '2 7 {}\n');
  t.is((await ask(mock, 'GET', '/journal')).status, 200);
});

test('invalid counts of a journal are refused', async (t) => {
  const { mock, key } = await open(t);
  t.is((await create(mock, 1)).status, 200);
  redis().command('HSET', key('journal-info'), 'dropped', 'some');
  await refused(t, ask(mock, 'GET', '/journal'), 'counts', key('journal-info'));
});

for (const row of [
  '',
  'x',
  '3',
  '3 ',
  '3 {',
  '3 []',
  '3 "text"',
  'v3 {"id":1}',
  '3  {"id":1,"id":2}',
]) {
  test(`an invalid resource is refused: ${JSON.stringify(row)}`, async (t) => {
    const { mock, key } = await open(t);
    t.is((await create(mock, 1)).status, 200);
    redis().command('HSET', key('state:r:plants'), '1', row);
    const parts = ['a resource', key('state:r:plants')];
    await refused(t, ask(mock, 'GET', '/state/plants'), ...parts);
    await refused(t, ask(mock, 'GET', '/state/plants/1'), ...parts);
  });
}

test('invalid versions and numbers of a store are refused', async (t) => {
  const { mock, key } = await open(t);
  t.is((await create(mock, 1)).status, 200);
  redis().command('HSET', key('state:meta'), 'v', 'new');
  await refused(t, create(mock, 2), key('state:meta'));
  redis().command('HSET', key('state:meta'), 'v', '1', 'cplants', 'long ago');
  await refused(t, ask(mock, 'GET', '/state'), 'a collection', ':meta');
});

test('a session with invalid data can be dropped', async (t) => {
  const { mock, key } = await open(t);
  redis().command('HSET', key('session', 'a'), 'v', 'x', 'r', '{}', 'n', '0', 'c', '0');
  t.is((await ask(mock, 'DELETE', '/sessions/a')).status, 204);
  const answer = await mock.fetch('/plants', {
    method: 'POST',
    headers: {
      authorization: 'Bearer t',
      'content-type': 'application/json',
      'mock-session': 'a',
    },
    body: '{"id":1,"name":"Fern"}',
  });
  t.is(answer.status, 200);
});

test('a collection that another program has replaced fails no other request', async (t) => {
  const collection = (name: string) => ({
    [`/${name}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      put: {
        requestBody: { content: thing },
        responses: { 200: { description: '', content: thing } },
      },
      get: { responses: { 200: { description: '', content: thing } } },
    },
  });
  const paths = { ...collection('pets'), ...collection('shops') };
  const { mock, key } = await open(t, {
    openapi: '3.1.0',
    info: { title: '', version: '1' },
    paths,
  });
  const headers = { 'content-type': 'application/json' };
  for (const path of ['/pets/a', '/shops/a']) {
    const body = JSON.stringify({ id: 'a', name: 'A' });
    t.is((await mock.fetch(path, { method: 'PUT', headers, body })).status, 200);
  }
  redis().command('DEL', key('state:r:pets'));
  redis().command('SET', key('state:r:pets'), 'news');
  const [pet, shop] = await Promise.all([mock.fetch('/pets/a'), mock.fetch('/shops/a')]);
  t.is(pet.status, 503);
  t.regex(await pet.text(), /another program or version has written its keys/);
  t.is(shop.status, 200);
  t.like(await shop.json(), { name: 'A' });
});

for (const [what, damage] of [
  ['an index of another program', ['SET', 'state:o:pets', 'news']],
  ['an index with a key that has no resource', ['HDEL', 'state:r:pets', '"a"']],
] as const) {
  test(`${what} fails its own list, and no other request`, async (t) => {
    const list = { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } };
    const responses = { 200: { description: '', content: thing } };
    const collection = {
      post: { requestBody: { content: thing }, responses },
      get: { responses: { 200: { description: '', content: list } } },
    };
    const item = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses },
    };
    const { mock, key } = await open(t, {
      openapi: '3.1.0',
      info: { title: '', version: '1' },
      paths: { '/pets': collection, '/pets/{id}': item, '/shops': collection, '/shops/{id}': item },
    });
    const things = [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ];
    t.is((await ask(mock, 'PUT', '/state', { pets: things, shops: things })).status, 200);
    const [command, name, value] = damage;
    if (command === 'SET') redis().command('DEL', key(name));
    redis().command(command, key(name), value);
    const [pets, shops] = await Promise.all([mock.fetch('/pets'), mock.fetch('/shops')]);
    t.is(pets.status, 503);
    t.is(shops.status, 200);
    t.deepEqual(await shops.json(), things);
  });
}
