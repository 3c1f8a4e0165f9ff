import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/index.ts';
import { openRaw, type RawConnection, rawCreate } from '../support/raw-socket.ts';

type Serve = (t: ExecutionContext, mock: Mock) => Promise<number>;

const serveOwn: Serve = async (t, mock) => {
  const { port } = await mock.listen({ port: 0 });
  // Not awaited: the connections of a test may be open still.
  t.teardown(() => void mock.close());
  return port;
};

const serveOnNode: Serve = async (t, mock) => {
  const server = createServer(mock.handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
};

async function open(t: ExecutionContext, serve = serveOwn) {
  const mock = await createMock();
  const connection = await openRaw(t, await serve(t, mock));
  return { mock, connection };
}

/** Returns a request to the control API, or another one. */
function raw(method: string, target: string, ...lines: readonly string[]): Buffer {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', ...lines];
  return Buffer.from([...head, '', ''].join('\r\n'));
}

function plant(id: number): Buffer {
  return rawCreate(`{"id":${id},"name":"Plant ${id}"}`);
}

async function idsOf(mock: Mock): Promise<readonly unknown[]> {
  const stored = await (await mock.fetch('/__admin/state/plants')).json();
  return (stored as { readonly id: number }[]).map(({ id }) => id);
}

/** Returns numbers and statuses in the order of the journal, the first one first. */
async function recordedBy(mock: Mock): Promise<readonly string[]> {
  const all = await mock.session('default').journal.list();
  return all.map(({ number, answer }) => `${number} ${answer.status}`);
}

async function statuses(connection: RawConnection, count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) found.push((await connection.answer()).status);
  return found;
}

/** The bytes that Node reads from a connection at once. */
const READ_BYTES = 65_536;

for (const [name, serve] of [
  ['the server of a mock', serveOwn],
  ['a server of Node with the handler of a mock', serveOnNode],
] as const) {
  test(`${name} responds to a client that ends its side with the request, which fills a read`, async (t) => {
    for (let count = 0; count < 5; count++) {
      const { connection } = await open(t, serve);
      const { length } = rawCreate('{"id":1,"name":""}');
      const body = (size: number): string => `{"id":1,"name":"${'n'.repeat(size)}"}`;
      // The number of digits in Content-Length changes the length of the head.
      const digits = String(READ_BYTES - length).length - String(body(0).length).length;
      const request = rawCreate(body(READ_BYTES - length - digits));
      t.is(request.length, READ_BYTES);
      connection.socket.end(request);
      t.is((await connection.answer()).status, 200);
    }
  });

  test(`${name} responds to all requests of a client that ends its side behind them`, async (t) => {
    const { connection } = await open(t, serve);
    const bare = raw('GET', '/nothing', 'X-Pad: ').length;
    const request = raw('GET', '/nothing', `X-Pad: ${'p'.repeat(1024 - bare)}`);
    connection.socket.end(Buffer.concat(Array.from({ length: 64 }, () => request)));
    t.deepEqual(
      await statuses(connection, 64),
      Array.from({ length: 64 }, () => 404),
    );
  });

  test(`${name} handles no request behind one that closes the connection`, async (t) => {
    const { mock, connection } = await open(t, serve);
    const twice = rawCreate('{"id":2,"name":"Fern"}', 'Authorization: Bearer other');
    connection.send(Buffer.concat([plant(1), twice, plant(3)]));
    t.deepEqual(await statuses(connection, 2), [200, 400]);
    t.true(await connection.closed());
    t.deepEqual(await idsOf(mock), [1]);
  });

  test(`${name} handles requests behind a call of the control API after it`, async (t) => {
    const { mock, connection } = await open(t, serve);
    const fail = '{"operationId":"createPlant","status":503}';
    const failing = Buffer.concat([
      raw('POST', '/__admin/fail', 'Content-Type: application/json').subarray(0, -2),
      Buffer.from(`\r\n`),
    ]);
    const call = Buffer.from(
      String(failing).replace('Content-Length: 0', `Content-Length: ${fail.length}`) + fail,
    );
    connection.send(
      Buffer.concat([plant(1), raw('POST', '/__admin/reset'), plant(2), call, plant(3), plant(4)]),
    );
    const [created, reset, next, failed, refused, last] = await statuses(connection, 6);
    t.deepEqual([created, reset, next], [200, 204, 200]);
    t.true(failed === 200 || failed === 201);
    t.true(refused === 503 || refused === 400);
    t.is(last, 200);
    t.deepEqual(await idsOf(mock), [2, 4]);
  });
}

for (const [what, bytes, status] of [
  ['bytes that are no request', Buffer.from('GARBAGE\r\n\r\n'), 400],
  ['a CONNECT', raw('CONNECT', 'plants.test:1'), 400],
  ['fields that are too large', raw('GET', '/plants', `X-Pad: ${'p'.repeat(20_000)}`), 431],
  ['an expectation', raw('GET', '/plants', 'Expect: tea'), 417],
  [
    'a refusal that does not wait for the body',
    String(rawCreate('', 'Expect: 100-continue')).replace('Authorization', 'X-Authorization'),
    400,
  ],
] as const) {
  test(`a request gets its response and its number before ${what} in the same packet`, async (t) => {
    const { mock, connection } = await open(t);
    connection.send(Buffer.concat([plant(1), Buffer.from(bytes)]));
    t.deepEqual(await statuses(connection, 2), [200, status]);
    t.true(await connection.closed());
    t.deepEqual(await recordedBy(mock), ['1 200', `2 ${status}`]);
  });
}

test('a delayed response comes before the refusal of what is behind its request', async (t) => {
  const { mock, connection } = await open(t);
  await mock.session('default').operation('createPlant').delayNext('100ms');
  connection.send(Buffer.concat([plant(1), Buffer.from('GARBAGE\r\n\r\n')]));
  await sleep(20);
  connection.send('MORE');
  t.deepEqual(await statuses(connection, 2), [200, 400]);
  t.true(await connection.closed());
  t.is(connection.received.length, 0);
});

test('the last request of a connection gets its response, whatever is behind it', async (t) => {
  const { connection } = await open(t);
  const last = rawCreate('{"id":1,"name":"Fern"}', 'Connection: close');
  connection.send(Buffer.concat([last, Buffer.from('\r\nxx')]));
  t.is((await connection.answer()).status, 200);
  t.true(await connection.closed());
});

test('a refusal of what is no request has a Date', async (t) => {
  const { connection } = await open(t);
  connection.send('GARBAGE\r\n\r\n');
  const { fields } = await connection.answer();
  t.true(Math.abs(Date.parse(fields.get('date') ?? '') - Date.now()) < 60_000);
});

test('a client that leaves in the middle of its body is not recorded', async (t) => {
  const { mock, connection } = await open(t);
  connection.send(plant(1).subarray(0, -4));
  await sleep(50);
  connection.socket.end();
  t.true(await connection.closed());
  t.deepEqual(await recordedBy(mock), []);
});

test('the journal has the fields of each request in their order', async (t) => {
  const { mock, connection } = await open(t);
  connection.send(raw('GET', '/plants', 'X-A: 1', 'X-B: 2'));
  connection.send(raw('GET', '/plants', 'X-B: 2', 'X-A: 1'));
  await statuses(connection, 2);
  const { requests } = (await (await mock.fetch('/__admin/requests')).json()) as {
    readonly requests: readonly { readonly request: { readonly headers: object } }[];
  };
  const names = requests.map(({ request }) =>
    Object.keys(request.headers).filter((one) => one.startsWith('x-')),
  );
  t.deepEqual(names.sort(), [
    ['x-a', 'x-b'],
    ['x-b', 'x-a'],
  ]);
});

test('a client that ends its side gets the whole of a large response', async (t) => {
  const { connection } = await open(t);
  const name = 'n'.repeat(9_000_000);
  connection.socket.end(rawCreate(JSON.stringify({ id: 1, name })));
  const { body } = await connection.answer();
  t.is((JSON.parse(body) as { readonly name: string }).name.length, name.length);
  t.true(await connection.closed());
});

test('a client that ends its side gets what the control API responds', async (t) => {
  const { mock, connection } = await open(t);
  connection.socket.end(Buffer.concat([plant(1), raw('POST', '/__admin/reset'), plant(2)]));
  t.deepEqual(await statuses(connection, 3), [200, 204, 200]);
  t.true(await connection.closed());
  t.deepEqual(await idsOf(mock), [2]);
});

test('a client that ends its side while its response is delayed has left', async (t) => {
  const { mock, connection } = await open(t);
  const session = mock.session('default');
  await session.operation('createPlant').delayNext('1m');
  connection.send(Buffer.concat([plant(1), plant(2)]));
  await sleep(50);
  connection.socket.end();
  t.true(await connection.closed());
  t.is(connection.received.length, 0);
  const left = (await session.journal.list()).map(({ number, leftAt }) => [number, typeof leftAt]);
  t.deepEqual(left, [
    [1, 'string'],
    [2, 'undefined'],
  ]);
});

test('a client that ends its side behind two requests gets no response behind a delay', async (t) => {
  const { mock, connection } = await open(t);
  await mock.session('default').operation('createPlant').delayNext('1m', { times: 2 });
  connection.socket.end(Buffer.concat([raw('GET', '/plants'), plant(1), plant(2)]));
  t.deepEqual(await statuses(connection, 1), [405]);
  t.true(await connection.closed());
  t.is(connection.received.length, 0);
});

for (const [what, target, body] of [
  ['for requests', '/__admin/journal/wait', '{"timeout":"1m"}'],
  ['for events', '/__admin/events', undefined],
] as const) {
  test(`a client that ends its side while it waits ${what} is disconnected`, async (t) => {
    const { connection } = await open(t);
    if (body === undefined) connection.send(raw('GET', target));
    else {
      const head = [`POST ${target} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
      const length = `Content-Length: ${body.length}`;
      connection.send([...head, length, '', body].join('\r\n'));
    }
    await sleep(50);
    connection.socket.end();
    t.true(await connection.closed());
  });
}

test('the journal says that a client left in the middle of a large response', async (t) => {
  const { mock, connection } = await open(t);
  connection.socket.pause();
  connection.send(rawCreate(JSON.stringify({ id: 1, name: 'n'.repeat(8_000_000) })));
  let last: { readonly number: number; readonly leftAt?: string } | undefined;
  while (last === undefined) last = (await mock.session('default').journal.list()).at(-1);
  connection.socket.resetAndDestroy();
  for (let waited = 0; last?.leftAt === undefined && waited < 10_000; waited += 5) {
    await sleep(5);
    last = (await mock.session('default').journal.list()).at(-1);
  }
  t.not(last?.leftAt, undefined);
});
