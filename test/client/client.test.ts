import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { PlantStore } from '../../examples/in-a-test/plant-store.d.ts';
import { readJsonText, writeJsonText } from '../../src/client/control-channel.ts';
import {
  type Connection,
  ControlError,
  connect,
  createMock,
  type MockOptions,
  type MockSession,
  VerificationError,
} from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { libraryDocument } from '../support/library-document.ts';
import { createPlant } from '../support/plants.ts';
import { fc } from '../support/properties.ts';

type PlantSession = MockSession<PlantStore>;

/** Opens sessions of one mock. */
interface Sessions {
  session(id?: string): PlantSession;
}

async function connectTo(
  t: ExecutionContext,
  options: MockOptions = {},
): Promise<Connection<PlantStore>> {
  const mock = await createMock(options);
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  return connect<PlantStore>(url);
}

const ways: readonly (readonly [
  way: string,
  open: (t: ExecutionContext, options?: MockOptions) => Promise<Sessions>,
])[] = [
  ['in process', (_, options) => createMock<PlantStore>(options)],
  ['over a socket', connectTo],
];

/** Declares a test of what is the same in process and over a socket. */
function testBothWays(
  title: string,
  body: (t: ExecutionContext, sessions: Sessions) => Promise<void>,
  options?: MockOptions,
): void {
  for (const [way, open] of ways) {
    test(`${title}, ${way}`, async (t) => body(t, await open(t, options)));
  }
}

async function create(session: PlantSession, plant?: unknown): Promise<number> {
  const response = await session.fetch('/plants', createPlant(plant));
  await response.arrayBuffer();
  return response.status;
}

testBothWays('the next calls fail with the status that the test asks for', async (t, mock) => {
  const session = mock.session();
  const { fixture, answers } = await session.createPlant.failNext(503, { times: 2 });
  t.truthy(fixture.name);
  t.like(answers[0], { operationId: 'createPlant', status: 503, undeclared: true });
  for (let round = 0; round < 2; round++) {
    const response = await session.fetch('/plants', createPlant());
    t.is(response.status, 503);
    t.like(await response.json(), { error: 503 });
  }
  t.is(await create(session), 200);
  t.is(await create(mock.session()), 200, 'another session never failed');
});

testBothWays('the next response is the one of the test', async (t, mock) => {
  const session = mock.session();
  await session.createPlant.answerNext({ status: 200, body: { name: 'Moss' } });
  const given = await session.fetch('/plants', createPlant());
  t.deepEqual(await given.json(), { name: 'Moss' });
  await session.createPlant.answerNext({ status: 400, example: 'badToken' });
  const example = await session.fetch('/plants', createPlant());
  t.deepEqual(await example.json(), { error: 401, message: 'The access token expired' });
  await session.createPlant.answerNext({ offContract: true, status: 418, body: ['a teapot'] });
  const teapot = await session.fetch('/plants', createPlant());
  t.is(teapot.status, 418);
  t.deepEqual(await teapot.json(), ['a teapot']);
  await session.createPlant.answerNext({ status: 504 });
  const late = await session.fetch('/plants', createPlant());
  t.is(late.status, 504);
  t.like(await late.json(), { error: 504 });
});

testBothWays('a response that breaks the contract is refused with a reason', async (t, mock) => {
  const { createPlant: operation } = mock.session();
  const wrong = { status: 200, body: { name: 7 } } as never;
  const error = await t.throwsAsync(operation.answerNext(wrong), { instanceOf: ControlError });
  t.regex(error.message, /name must be a string/);
  t.is(error.problem.status, 422);
});

testBothWays('only matching calls fail', async (t, mock) => {
  const session = mock.session();
  await session.createPlant.failNext(503, { match: { body: { tag: 'cactus' } } });
  t.is(await create(session), 200);
  t.is(await create(session, { id: 2, name: 'Saguaro', tag: 'cactus' }), 503);
  t.is(await create(session, { id: 2, name: 'Saguaro', tag: 'cactus' }), 200);
});

testBothWays('a response is delayed until the session’s clock advances', async (t, mock) => {
  const session = mock.session();
  await session.createPlant.delayNext('1h');
  let isAnswered = false;
  const answer = create(session).then((status) => {
    isAnswered = true;
    return status;
  });
  await session.clock.read();
  t.false(isAnswered);
  while (!isAnswered) await session.clock.advance('1h');
  t.is(await answer, 200);
});

testBothWays('a broken connection makes fetch fail as usual', async (t, mock) => {
  const session = mock.session();
  await session.createPlant.breakNext('CONNECTION_RESET_BY_PEER');
  await t.throwsAsync(create(session), { instanceOf: TypeError, message: 'fetch failed' });
  t.is(await create(session), 200);
});

testBothWays('the calls of an operation are listed in order', async (t, mock) => {
  const session = mock.session();
  t.is(await session.createPlant.lastCall(), undefined);
  await create(session, { id: 1, name: 'Fern' });
  await create(session, { id: 9223372036854775807n.toString(), name: 'Ivy' });
  await create(session, '{"id": 9223372036854775807, "name": "Moss"}');
  const calls = await session.createPlant.calls();
  t.deepEqual(
    calls.map(({ number, body, answer }) => [number, body?.name, answer.status]),
    [
      [1, 'Fern', 200],
      [2, 'Ivy', 400],
      [3, 'Moss', 200],
    ],
  );
  t.is(await session.createPlant.count(), 3);
  t.is(await session.createPlant.count({ body: { name: 'Ivy' } }), 1);
  const last = await session.createPlant.lastCall();
  t.is(last?.body?.id, 9223372036854775807n);
  t.like(last, { operationId: 'createPlant', session: session.id, source: 'state' });
  t.is(await mock.session().createPlant.count(), 0);
});

testBothWays('a test waits for expected calls', async (t, mock) => {
  const session = mock.session();
  const waiting = session.createPlant.waitFor({ times: 2, within: '20s' });
  await create(session);
  await create(session, { id: 2, name: 'Ivy' });
  t.deepEqual(
    (await waiting).map(({ body }) => body?.name),
    ['Fern', 'Ivy'],
  );
  const late = session.createPlant.waitFor({ times: 3, within: 1 });
  await t.throwsAsync(late, { instanceOf: VerificationError, message: /createPlant/ });
});

testBothWays('a test seeds, reads and changes the state', async (t, mock) => {
  const { state } = mock.session();
  const plants = [
    { id: 9223372036854775807n, name: 'Bristlecone pine' },
    { id: 2, name: 'Fern', tag: 'shade' },
  ];
  t.deepEqual(await state.plants.seed(plants), plants);
  t.deepEqual(await state.plants.all(), plants);
  t.deepEqual(await state.all(), { plants });
  t.deepEqual(await state.plants.get(9223372036854775807n), plants[0]);
  t.is(await state.plants.get(3), undefined);
  await state.plants.put(3, { id: 3, name: 'Ivy' });
  await state.plants.remove(2);
  t.deepEqual(
    (await state.plants.all()).map(({ name }) => name),
    ['Bristlecone pine', 'Ivy'],
  );
  await state.plants.clear();
  t.deepEqual(await state.collection('plants').all(), []);
  await state.seed({ plants });
  await state.clear();
  t.deepEqual(await state.all(), { plants: [] });
  t.deepEqual(await mock.session().state.plants.all(), []);
});

testBothWays('an invalid seed names the resource and changes nothing', async (t, mock) => {
  const { state } = mock.session();
  await state.plants.seed([{ id: 1, name: 'Fern' }]);
  const wrong = [{ id: 2, name: 'Ivy' }, { id: 'x' }] as never;
  const error = await t.throwsAsync(state.plants.seed(wrong), { instanceOf: ControlError });
  t.regex(error.message, /body\/1\/name is required/);
  t.deepEqual(await state.plants.all(), [{ id: 1, name: 'Fern' }]);
  const unknown = await t.throwsAsync(state.collection('plans' as never).all());
  t.true(unknown instanceof ControlError && unknown.is('UNKNOWN_COLLECTION'));
});

testBothWays('rules are enabled and disabled for one session', async (t, mock) => {
  const [session, other] = [mock.session(), mock.session()];
  await session.fixtures.on('fail-first-two');
  t.is(await create(session), 400);
  t.is(await create(other), 200);
  await session.fixtures.off('fail-first-two');
  t.is(await create(session), 200);
  await t.throwsAsync(session.fixtures.switch('slower', true), { instanceOf: ControlError });
});

testBothWays('a test adds and removes rules', async (t, mock) => {
  const own = mock.session();
  const { fixtures } = own;
  const [rule] = await fixtures.add({
    name: 'no-cactus',
    match: { operationId: 'createPlant', body: { tag: 'cactus' } },
    answer: { status: 400, example: 'unavailable' },
  });
  t.like(rule, { name: 'no-cactus', enabled: true, origin: 'api', matched: 0 });
  t.is(await create(own, { id: 1, name: 'Saguaro', tag: 'cactus' }), 400);
  const listed = (await fixtures.list()).find(({ name }) => name === 'no-cactus');
  t.like(listed, { matched: 1, acted: 1 });
  await fixtures.allOff();
  t.is(await create(own, { id: 1, name: 'Saguaro', tag: 'cactus' }), 200);
  await fixtures.put('no-cactus', {
    match: { operationId: 'createPlant' },
    answer: { status: 400, example: 'badToken' },
  });
  t.is(await create(own), 400);
  await fixtures.remove('no-cactus');
  t.is(await create(own), 200);
  const wrong = { name: 'wrong', match: { operationId: 'createPlans' }, answer: { status: 400 } };
  const error = await t.throwsAsync(fixtures.add(wrong), { instanceOf: ControlError });
  t.regex(error.message, /createPlans/);
  await fixtures.clear();
});

testBothWays('a scenario is set, listed and reset', async (t, mock) => {
  const session = mock.session();
  await session.fixtures.add({
    name: 'closed',
    match: { operationId: 'createPlant' },
    scenarioName: 'shop',
    requiredScenarioState: 'Closed',
    answer: { status: 400, example: 'unavailable' },
  });
  t.is(await create(session), 200);
  await session.scenarios.set('shop', 'Closed');
  t.is(await create(session), 400);
  const [shop] = await session.scenarios.list();
  t.like(shop, { name: 'shop', state: 'Closed' });
  await session.scenarios.reset();
  t.is(await create(session), 200);
  await t.throwsAsync(session.scenarios.set('no-such', 'x'), { instanceOf: ControlError });
});

testBothWays('a verification passes, or lists the requests that came instead', async (t, mock) => {
  const { journal, ...rest } = { journal: mock.session('verified').journal };
  t.deepEqual(rest, {});
  const session = mock.session('verified');
  await create(session, { id: 1, name: 'Fern', tag: 'shade' });
  await create(session, { id: 2, name: 'Ivy' });
  await journal.verify({ operationId: 'createPlant', exactly: 2 });
  await journal.verify({ operationId: 'createPlant', body: { tag: 'shade' } });
  await journal.verify({ operationId: 'createPlant', status: 400, exactly: 0 });
  const operationId = 'createPlant';
  const [fern, ivy] = [
    { operationId, body: { name: 'Fern' } },
    { operationId, body: { name: 'Ivy' } },
  ];
  await journal.verify({ inOrder: [fern, ivy] });
  await t.throwsAsync(journal.verify({ inOrder: [ivy, fern] }), {
    instanceOf: VerificationError,
  });
  const error = await t.throwsAsync(
    journal.verify({ operationId, body: { name: 'Fern', tag: 'sun' }, atLeast: 2 }),
    { instanceOf: VerificationError },
  );
  t.regex(error.message, /createPlant.* expected at least twice/);
  t.regex(error.message, /tag.*shade/);
  t.is(error.verification.count, 0);
  await t.throwsAsync(session.createPlant.verify({ atMost: 1 }), { message: /received twice/ });
});

testBothWays('an unmatched request is listed with its near misses', async (t, mock) => {
  const session = mock.session('lost');
  const { journal } = session;
  await session.fetch('/plantz', createPlant());
  const [unmatched] = await journal.unmatched();
  t.is(unmatched?.request.target, '/plantz');
  t.is((await journal.list()).length, 1);
  t.like(await journal.get(1), { number: 1, session: 'lost' });
  const [near] = await journal.nearMisses();
  t.is(near?.exchange.number, 1);
  await journal.clear();
  t.deepEqual(await journal.list(), []);
  await t.throwsAsync(journal.wait({ within: 1 }), { instanceOf: VerificationError });
});

testBothWays('the clock of a session is frozen, set, advanced and resumed', async (t, mock) => {
  const { clock } = mock.session();
  const frozen = await clock.freeze('2030-01-01T00:00:00Z');
  t.true(frozen.isFrozen);
  t.is(Date.parse(frozen.now), Date.UTC(2030, 0, 1));
  const advanced = await clock.advance('5m');
  t.is(Date.parse(advanced.now), Date.UTC(2030, 0, 1, 0, 5));
  t.is(Date.parse((await clock.advance(250)).now), Date.UTC(2030, 0, 1, 0, 5, 0, 250));
  const set = await clock.set(new Date(0));
  t.deepEqual([Date.parse(set.now), set.isFrozen], [0, true]);
  t.false((await clock.resume()).isFrozen);
  t.true(Date.parse((await mock.session().clock.read()).now) > Date.UTC(2020));
});

testBothWays(
  'a session is restored from a snapshot, and a fork starts from it',
  async (t, mock) => {
    const session = mock.session();
    const fern = { id: 1, name: 'Fern' };
    await session.state.plants.seed([fern]);
    await session.snapshot('one-plant');
    await create(session, { id: 2, name: 'Ivy' });
    const fork = await session.fork();
    t.not(fork.id, session.id);
    await session.restore('one-plant');
    t.deepEqual(await session.state.plants.all(), [fern]);
    t.is((await fork.state.plants.all()).length, 2);
    const early = await session.fork({ id: 'early', snapshot: 'one-plant' });
    t.is(early.id, 'early');
    t.deepEqual(await early.state.plants.all(), [fern]);
    await t.throwsAsync(session.restore('no-such'), { instanceOf: ControlError });
  },
);

testBothWays('a session is reset as a whole or in parts', async (t, mock) => {
  const session = mock.session();
  await create(session);
  await session.reset('journal');
  t.is(await session.createPlant.count(), 0);
  t.is((await session.state.plants.all()).length, 1);
  await create(session);
  await session.fixtures.on('fail-first-two');
  await session.reset();
  t.deepEqual(await session.state.plants.all(), []);
  t.is(await session.createPlant.count(), 0);
  t.is(await create(session), 200);
});

testBothWays('every session has a unique id, and a closed session is dropped', async (t, mock) => {
  const ids = new Set(Array.from({ length: 100 }, () => mock.session().id));
  t.is(ids.size, 100);
  for (const id of ids) t.regex(id, /^[A-Za-z0-9._~-]{1,128}$/);
  const session = mock.session('named');
  t.deepEqual(session.headers, { 'Mock-Session': 'named' });
  await create(session);
  await session[Symbol.asyncDispose]();
  t.deepEqual(await mock.session('named').state.plants.all(), []);
});

testBothWays('a session can be awaited and printed, and is not a promise', async (t, mock) => {
  const session = mock.session('shown');
  t.is(await session, session);
  t.is(await session.state, session.state);
  t.is(String(session.id), 'shown');
});

testBothWays(
  'a path, a URL and a Request are sent in the session with their own header fields',
  async (t, mock) => {
    const session = mock.session();
    const base = await session.fetch('/plants', createPlant());
    const url = new URL(base.url === '' ? 'http://localhost/plants' : base.url);
    await session.fetch(url, createPlant({ id: 2, name: 'Ivy' }));
    await session.fetch(new Request(url, createPlant({ id: 3, name: 'Moss' })));
    t.is((await session.state.plants.all()).length, 3);
  },
);

test('a path prefix selects the session for a client that cannot send header fields', async (t) => {
  const connection = await connectTo(t);
  const session = connection.session();
  t.is(session.url, `${connection.url}/__session/${session.id}`);
  await fetch(`${session.url}/plants`, createPlant());
  t.is((await session.state.plants.all()).length, 1);
});

test('a mock that does not listen has no URL', async (t) => {
  const mock = await createMock();
  t.throws(() => mock.session().url, { message: /does not listen/ });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  t.is(mock.session('a').url, `${url}/__session/a`);
});

test('two mocks with one random seed name their sessions alike', async (t) => {
  const [first, second] = await Promise.all([createMock({ seed: 'a' }), createMock({ seed: 'a' })]);
  t.is(first.session().id, second.session().id);
});

test('operations and operation() reach an operation whose name is in use', async (t) => {
  const names = ['state', 'clock', 'then', 'toString', 'GET /plain'];
  const paths = names.map((name, index) => {
    const id = name.startsWith('GET') ? '' : `operationId: ${name}, `;
    const path = name.startsWith('GET') ? '/plain' : `/${index}`;
    return `  ${path}: { get: { ${id}responses: { '204': { description: done } } } }`;
  });
  const document = ['openapi: 3.1.0', "info: { title: Names, version: '1' }", 'paths:', ...paths];
  const folder = await createFolder(t, { 'names.yaml': document.join('\n') });
  const mock = await createMock({ document: join(folder, 'names.yaml') });
  const session = mock.session();
  for (const [index, name] of names.entries()) {
    await session.fetch(name.startsWith('GET') ? '/plain' : `/${index}`);
    t.is(await session.operation(name).count(), 1, name);
  }
  t.is(await session.operations['state']?.count(), 1);
  t.is(await session.operations['clock']?.count(), 1);
  t.is(await session['GET /plain']?.count(), 1);
});

test('a connection returns health, sessions and rules', async (t) => {
  const connection = await connectTo(t);
  t.like(await connection.health(), { status: 'ok', document: { title: 'Plant Store' } });
  await create(connection.session('a'));
  t.true((await connection.sessions()).includes('a'));
  await connection.fixtures.on('fail-first-two');
  t.is((await fetch(`${connection.url}/plants`, createPlant())).status, 400);
  await connection.closeSessions();
  t.false((await connection.sessions()).includes('a'));
  t.is((await fetch(`${connection.url}/plants`, createPlant())).status, 200);
});

test('a connection uses the fetch that you pass', async (t) => {
  const mock = await createMock();
  const connection = connect<PlantStore>('http://localhost', { fetch: mock.fetch });
  await connection.session('a').state.plants.seed([{ id: 1, name: 'Fern' }]);
  t.is((await mock.session('a').operation('createPlant').calls()).length, 0);
  t.deepEqual(await mock.session('a').state.collection('plants').all(), [{ id: 1, name: 'Fern' }]);
});

test('a token is sent to the control API, and a missing one is reported', async (t) => {
  const mock = await createMock({ adminToken: 'secret' });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  await connect(`${url}/`, { token: 'secret' }).session().state.clear();
  await mock.session().state.clear();
  const error = await t.throwsAsync(connect(url).session().state.clear());
  t.true(error instanceof ControlError && error.problem.status === 401, error?.message);
});

test('a response that is not from a mock is reported as it is', async (t) => {
  const server = createServer((_, response) => response.writeHead(502).end('<h1>Bad</h1>'));
  t.teardown(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = connect(`http://127.0.0.1:${port}`);
  await t.throwsAsync(connection.health(), {
    instanceOf: ControlError,
    message: 'the control API responded with 502 Bad Gateway: <h1>Bad</h1>',
  });
});

test('values are serialized like JSON.stringify and parsed like JSON.parse', (t) => {
  const isUsual = (value: unknown): boolean =>
    !JSON.stringify(value, (_, one) => (one === undefined ? null : one)).match(/\d{16}|e\+/);
  fc.assert(
    fc.property(fc.jsonValue().filter(isUsual), (value) => {
      const text = JSON.stringify(value);
      t.deepEqual(JSON.parse(writeJsonText(value)), JSON.parse(text));
      t.deepEqual(readJsonText(text), JSON.parse(text));
    }),
  );
  const odd = { at: new Date(0), none: undefined, list: [undefined, Number.NaN], big: 2n ** 64n };
  t.is(
    writeJsonText(odd),
    '{"at":"1970-01-01T00:00:00.000Z","list":[null,null],"big":18446744073709551616}',
  );
  t.deepEqual(readJsonText('[9007199254740993, 1.0, 0.10000000000000000555]'), [
    9007199254740993n,
    1,
    0.1,
  ]);
  t.throws(() => writeJsonText({ call: () => 1 }), { instanceOf: TypeError });
});

test('the state has what a read shows, and takes either form', async (t) => {
  const mock = await createMock({ document: libraryDocument });
  const session = mock.session();
  const books = session.state.collection('books');
  const seeded = await books.seed([
    { title: 'Moss', shelf: 'A' },
    { id: 7, title: 'Ferns' },
  ]);
  const read: unknown = await (await session.fetch('/books')).json();
  const all = await books.all();
  t.deepEqual(all, seeded);
  t.deepEqual(
    all.map(({ shelf, ...book }) => book),
    read,
  );
  t.is(all[0]?.['shelf'], 'A', 'only a create mentions it');
  t.deepEqual(await books.get(7), await (await session.fetch('/books/7')).json());
  t.deepEqual((await session.state.all())['books'], all);
  t.deepEqual(await books.seed(all), all, 'what is shown can be stored');
  t.like(await books.put(8, { title: 'Ivy' }), { id: 8, title: 'Ivy' });
  t.deepEqual(await books.get(8), await (await session.fetch('/books/8')).json());
});

test('the state has what reads show before the first write', async (t) => {
  const mock = await createMock({ document: libraryDocument });
  const session = mock.session();
  const books = session.state.collection('books');
  const listed = (await (await session.fetch('/books')).json()) as { readonly id: number }[];
  t.true(listed.length > 0);
  const all = await books.all();
  t.deepEqual(
    all.map(({ shelf, ...book }) => book),
    listed as object[] as Record<string, unknown>[],
  );
  const { id } = listed[0] ?? { id: 0 };
  t.deepEqual(await books.get(id), all[0]);
  t.deepEqual(await (await session.fetch('/__admin/state/books')).json(), [], 'nothing is stored');
  await books.clear();
  t.deepEqual(await books.all(), []);
  t.deepEqual(await (await session.fetch('/books')).json(), []);
  const bare = await createMock({ document: libraryDocument, emptyState: 'nothing' });
  t.deepEqual(await bare.session().state.collection('books').all(), []);
});

test('a resource without a key is read, stored and removed', async (t) => {
  const mock = await createMock<{
    operations: Record<string, never>;
    state: {
      me: {
        kind: 'singleton';
        shown: { email: string; name: string };
        given: { name?: string };
      };
    };
    fixtures: string;
  }>({ document: libraryDocument });
  const session = mock.session();
  const { me } = session.state;
  t.deepEqual(await me.get(), await (await session.fetch('/me')).json());
  const stored = await me.put({ name: 'Ada' });
  t.is(stored.name, 'Ada');
  t.deepEqual(await me.get(), stored);
  t.deepEqual(await (await session.fetch('/me')).json(), stored);
  t.deepEqual((await session.state.all()).me, stored);
  await me.clear();
  t.is(await me.get(), undefined);
});
