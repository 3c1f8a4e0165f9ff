import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/assemble/mock.ts';
import type { MockOptions } from '../../src/assemble/mock-interface.ts';
import { closeStalled } from '../../src/serve/server.ts';
import { createFolder } from '../support/folder.ts';
import { testWith } from '../support/needs.ts';
import { createPlant } from '../support/plants.ts';
import { startMock } from '../support/program.ts';
import { headOfCreate, openRaw, rawCreate, sendRaw } from '../support/raw-socket.ts';

interface Listening {
  readonly mock: Mock;
  readonly port: number;
  readonly url: string;
}

async function listen(t: ExecutionContext, options: MockOptions = {}): Promise<Listening> {
  const mock = await createMock(options);
  const { port, url } = await mock.listen({ port: 0 });
  // Not awaited: the connections of a test may be open still.
  t.teardown(() => void mock.close());
  return { mock, port, url };
}

async function stateOf(mock: Mock): Promise<string> {
  return (await mock.fetch('/__admin/state/plants')).text();
}

const FERN = '{"id":1,"name":"Fern"}';

test('a body that arrives in single bytes is complete', async (t) => {
  const { mock, port } = await listen(t);
  const connection = await openRaw(t, port);
  for (const byte of rawCreate('{"id":9223372036854775807,"name":"Blåbär 🫐"}')) {
    connection.send(Uint8Array.of(byte));
    await sleep(0);
  }
  const { status, body } = await connection.answer();
  t.is(status, 200);
  t.is(body, '{"name":"Blåbär 🫐"}');
  t.is(await stateOf(mock), '[{"id":9223372036854775807,"name":"Blåbär 🫐"}]');
});

test('a body is read as bytes: invalid UTF-8 is refused, compression is decoded', async (t) => {
  const { mock, port } = await listen(t);
  const wrong = Buffer.concat([
    Buffer.from('{"id":1,"name":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}'),
  ]);
  const refused = await sendRaw(t, port, rawCreate(wrong));
  t.is(refused.status, 400);
  t.is(refused.fields.get('mock-source'), 'refusal; problem=INVALID_UTF8');
  const name = 'ÿ\u0080\u0000'.repeat(1_000);
  const zipped = gzipSync(JSON.stringify({ id: 1, name }));
  const taken = await sendRaw(t, port, rawCreate(zipped, 'Content-Encoding: gzip'));
  t.is(taken.status, 200);
  t.deepEqual(JSON.parse(await stateOf(mock)), [{ id: 1, name }]);
});

test('a large body and a chunked body are complete', async (t) => {
  const { mock, port } = await listen(t);
  const name = 'n'.repeat(5_000_000);
  t.is((await sendRaw(t, port, rawCreate(JSON.stringify({ id: 1, name })))).status, 200);
  const chunked = `${headOfCreate('Transfer-Encoding: chunked')}\r\n\r\n5\r\n{"id"\r\n8;x=y\r\n:2,"name\r\n5\r\n":"a"\r\n1\r\n}\r\n0\r\n\r\n`;
  t.is((await sendRaw(t, port, chunked)).body, '{"name":"a"}');
  t.is((JSON.parse(await stateOf(mock)) as unknown[]).length, 2);
});

test('a body above the limit is refused and the connection closed, declared or chunked', async (t) => {
  const { mock, port } = await listen(t, { bodyLimit: 100, undeclared: 'http' });
  const declared = await openRaw(t, port);
  declared.send(`${headOfCreate('Content-Length: 101')}\r\n\r\n`);
  const early = await declared.answer();
  t.is(early.status, 413);
  t.is(early.fields.get('mock-source'), 'refusal; problem=BODY_TOO_LARGE');
  t.is(early.fields.get('connection'), 'close');
  const chunked = await openRaw(t, port);
  chunked.send(`${headOfCreate('Transfer-Encoding: chunked')}\r\n\r\n`);
  chunked.send(`40\r\n${' '.repeat(64)}\r\n`.repeat(2));
  const late = await chunked.answer();
  t.is(late.status, 413);
  t.is(late.fields.get('connection'), 'close');
  t.true(await chunked.closed());
  const fitting = await sendRaw(t, port, rawCreate(FERN.padEnd(100)));
  t.is(fitting.status, 200);
  t.is(await stateOf(mock), `[${FERN}]`);
});

test('a compressed body must keep the limit when decompressed', async (t) => {
  const { port } = await listen(t, { bodyLimit: 10_000, undeclared: 'http' });
  const bomb = gzipSync(Buffer.alloc(1_000_000, ' '));
  t.is((await sendRaw(t, port, rawCreate(bomb, 'Content-Encoding: gzip'))).status, 413);
});

test('Expect: 100-continue is refused before the body when the body does not matter', async (t) => {
  const { port } = await listen(t);
  const fields = ['Content-Length: 22', 'Expect: 100-continue'];
  const unauthorized = headOfCreate(...fields).replace('Authorization: Bearer token\r\n', '');
  const refused = await sendRaw(t, port, `${unauthorized}\r\n\r\n`);
  t.is(refused.status, 400);
  t.is(refused.fields.get('www-authenticate'), 'Bearer');
  t.is(refused.fields.get('connection'), 'close');
  const lost = headOfCreate(...fields).replace('/plants', '/nothing');
  t.is((await sendRaw(t, port, `${lost}\r\n\r\n`)).status, 404);
});

test('Expect: 100-continue gets 100 when the body matters', async (t) => {
  const { port } = await listen(t);
  const connection = await openRaw(t, port);
  connection.send(
    `${headOfCreate(`Content-Length: ${FERN.length}`, 'Expect: 100-continue')}\r\n\r\n`,
  );
  t.is((await connection.answer()).status, 100);
  connection.send(FERN);
  const answer = await connection.answer();
  t.is(answer.status, 200);
  t.is(answer.fields.get('mock-request-id'), '1');
});

test('Expect: 100-continue with a body above the limit is refused before the body', async (t) => {
  const { port } = await listen(t, { bodyLimit: 100, undeclared: 'http' });
  const head = headOfCreate('Content-Length: 101', 'Expect: 100-continue');
  t.is((await sendRaw(t, port, `${head}\r\n\r\n`)).status, 413);
});

for (const [what, bytes, status, method] of [
  ['an unknown Expect', `${headOfCreate('Expect: 200-ok')}\r\n\r\n`, 417, 'POST'],
  ['a CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 400, 'CONNECT'],
  ['two Host fields', 'GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'GET'],
  ['a missing Host', 'GET /plants HTTP/1.1\r\n\r\n', 400, 'GET'],
  ['bytes that are not HTTP', 'hello\r\n\r\n', 400, '-'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, '-'],
  ['a long target', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, '-'],
  ['a large field', `${headOfCreate(`X: ${'x'.repeat(20_000)}`)}\r\n\r\n`, 431, '-'],
] as const) {
  test(`the journal has the refusal of ${what}`, async (t) => {
    const { mock, port } = await listen(t, { errors: true });
    const answer = await sendRaw(t, port, bytes);
    t.is(answer.status, status);
    const { exchanges } = JSON.parse(await (await mock.fetch('/__admin/journal')).text());
    t.is(exchanges.length, 1);
    t.is(exchanges[0].request.method, method);
    t.is(exchanges[0].answer.status, status);
    t.is(`refusal; problem=${exchanges[0].problem.type.split(':').at(-1)}`, exchanges[0].source);
  });
}

test('a request that asks for another protocol is answered by HTTP/1.1', async (t) => {
  const { mock, port } = await listen(t);
  const fields = ['Connection: Upgrade', 'Upgrade: websocket', `Content-Length: ${FERN.length}`];
  t.is((await sendRaw(t, port, `${headOfCreate(...fields)}\r\n\r\n${FERN}`)).status, 200);
  t.regex(await (await mock.fetch('/__admin/journal')).text(), /"upgrade":"websocket"/);
});

test('a client that does not read is disconnected, one that reads slowly or waits is not', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/late') setTimeout(() => response.end('late'), 4_500);
    else response.end(Buffer.alloc(16 * 2 ** 20));
  });
  closeStalled(server, 3_000);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const open = (path: string): Socket => {
    const options = { port, host: '127.0.0.1', highWaterMark: 2 ** 19 };
    const socket = connect(options);
    socket.on('error', () => {});
    t.teardown(() => socket.destroy());
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  };
  let closed = 0;
  server.on('connection', (socket) => socket.once('close', () => closed++));
  const [stalled, slow, waiting] = [open('/'), open('/'), open('/late')];
  let received = 0;
  const reading = setInterval(() => {
    received += slow.read()?.length ?? 0;
  }, 50);
  t.teardown(() => clearInterval(reading));
  waiting.resume();
  const [late] = await once(waiting, 'data');
  t.regex(String(late), /late/);
  while (closed === 0) await sleep(20);
  t.is(closed, 1);
  stalled.resume();
  await once(stalled, 'close');
  while (received < 16 * 2 ** 20 && !slow.closed) await sleep(20);
  t.true(received >= 16 * 2 ** 20);
});

for (const [what, field, problem] of [
  ['two Host fields', 'Host: evil.test', 'MALFORMED_HOST'],
  ['two equal Host fields', 'Host: localhost', 'MALFORMED_HOST'],
  ['two Authorization fields', 'Authorization: Bearer other', 'REPEATED_FIELD'],
  ['two Content-Type fields', 'content-type: text/plain', 'REPEATED_FIELD'],
] as const) {
  test(`${what} are refused, and nothing is stored`, async (t) => {
    const { mock, port } = await listen(t);
    const { status, fields, body } = await sendRaw(t, port, rawCreate(FERN, field));
    t.is(status, 400);
    t.is(fields.get('mock-source'), `refusal; problem=${problem}`);
    t.is((JSON.parse(body) as { error: unknown }).error, 400);
    t.is(await stateOf(mock), '[]');
  });
}

for (const [what, bytes] of [
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x0d, 0x0a])],
  ['two different lengths', `${headOfCreate('Content-Length: 1', 'Content-Length: 2')}\r\n\r\n{}`],
  [
    'a length with chunks',
    `${headOfCreate('Content-Length: 1', 'Transfer-Encoding: chunked')}\r\n\r\n0\r\n\r\n`,
  ],
  ['a field name with a space before the colon', `${headOfCreate('X-A : b')}\r\n\r\n`],
  ['a malformed Host', 'GET /plants HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['no Host', 'GET /plants HTTP/1.1\r\n\r\n'],
  ['a head of 100 KB', `${headOfCreate(`X-A: ${'a'.repeat(100_000)}`)}\r\n\r\n`],
  [
    '20,000 fields',
    `${headOfCreate(...Array.from({ length: 20_000 }, (_, i) => `X-${i}: a`))}\r\n\r\n`,
  ],
  ['escapes that are no UTF-8', 'GET /%E0%A4%A HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['an Accept field of commas', rawCreate('{', 'Accept: ;;;,,,/')],
] as const) {
  test(`${what} gets a 4xx, and the next request is answered`, async (t) => {
    const { port } = await listen(t);
    const { status } = await sendRaw(t, port, bytes);
    t.true(status >= 400 && status < 500, `${status}`);
    t.is((await sendRaw(t, port, rawCreate(FERN))).status, 200);
  });
}

test('a client that disconnects during its body changes nothing', async (t) => {
  const { mock, port } = await listen(t);
  for (let round = 0; round < 20; round++) {
    const connection = await openRaw(t, port);
    connection.send(rawCreate(FERN).subarray(0, -1));
    connection.socket.resetAndDestroy();
  }
  const halfClosed = await openRaw(t, port);
  halfClosed.socket.end(rawCreate(FERN).subarray(0, -1));
  await halfClosed.closed();
  t.is(await stateOf(mock), '[]');
  t.is((await sendRaw(t, port, rawCreate(FERN))).status, 200);
});

test('a client that keeps its side open after a refusal is disconnected', async (t) => {
  const { port } = await listen(t);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.write('CONNECT plants:443 HTTP/1.1\r\nHost: plants\r\n\r\n');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'end');
  t.regex(received, /^HTTP\/1\.1 400 /);
  let isClosed = false;
  socket.on('error', () => {});
  socket.once('close', () => {
    isClosed = true;
  });
  // What it sends on reaches nobody, which the system reports at the next attempt.
  for (let waited = 0; waited < 10_000 && !isClosed; waited += 100) {
    socket.write('a');
    await sleep(100);
  }
  t.true(isClosed);
});

test('requests on one connection are answered in order, sequential or pipelined', async (t) => {
  const { port } = await listen(t);
  const connection = await openRaw(t, port);
  for (let id = 1; id <= 10; id++) {
    connection.send(rawCreate(`{"id":${id},"name":"${id}"}`));
    const { body, fields } = await connection.answer();
    t.is(body, `{"name":"${id}"}`);
    t.not(fields.get('connection'), 'close');
  }
  const pipelined = Array.from({ length: 100 }, (_, id) =>
    rawCreate(`{"id":${id},"name":"${id}"}`),
  );
  connection.send(Buffer.concat(pipelined));
  for (let id = 0; id < 100; id++) t.is((await connection.answer()).body, `{"name":"${id}"}`);
});

test('a delayed response blocks only those after it on its connection', async (t) => {
  const folder = await createFolder(t, {
    'slow.yaml':
      'rules:\n  - name: wait\n    enabled: false\n    answer: { fixedDelayMilliseconds: 400 }\n',
  });
  const { port } = await listen(t, { fixtures: [join(folder, 'slow.yaml')] });
  const slow = await openRaw(t, port);
  slow.send(rawCreate('{"id":1,"name":"first"}', 'Mock-Fixture: wait'));
  slow.send(rawCreate('{"id":2,"name":"second"}'));
  let isAnswered = false;
  const first = slow.answer().then((answer) => {
    isAnswered = true;
    return answer;
  });
  t.is((await sendRaw(t, port, rawCreate(FERN))).status, 200);
  t.false(isAnswered);
  t.is((await first).body, '{"name":"first"}');
  t.is((await slow.answer()).body, '{"name":"second"}');
});

test('Connection: close and HTTP/1.0 close the connection after the response', async (t) => {
  const { port } = await listen(t);
  const closing = await openRaw(t, port);
  closing.send(rawCreate(FERN, 'Connection: close'));
  t.is((await closing.answer()).status, 200);
  t.true(await closing.closed());
  const old = await openRaw(t, port);
  old.send(String(rawCreate(FERN)).replace('HTTP/1.1', 'HTTP/1.0'));
  t.is((await old.answer()).status, 200);
  t.true(await old.closed());
});

test('a server of a mock writes the same bytes as a server of Node with its handler', async (t) => {
  const { mock, port } = await listen(t);
  const onNode = await listenOnNode(t, mock);
  const get = (target: string, ...fields: readonly string[]): string =>
    [`GET ${target} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');
  const requests = [
    rawCreate(FERN),
    rawCreate('{"id":2,"name":"Blåbär 🫐"}', 'Origin: http://localhost:3000'),
    rawCreate('{"id":"2"}'),
    rawCreate(FERN, 'Connection: close'),
    String(rawCreate(FERN)).replace('HTTP/1.1', 'HTTP/1.0'),
    String(rawCreate(FERN, 'Connection: keep-alive')).replace('HTTP/1.1', 'HTTP/1.0'),
    get('/nothing'),
    get('/plants').replace('GET', 'HEAD'),
    get('/plants', 'Origin: http://a.example', 'Access-Control-Request-Method: POST').replace(
      'GET',
      'OPTIONS',
    ),
  ];
  for (const request of requests) {
    const [own, nodes] = [
      await wholeAnswer(t, port, request),
      await wholeAnswer(t, onNode, request),
    ];
    t.is(withoutNumbers(own), withoutNumbers(nodes));
  }
});

/** Returns the port of a server of Node that answers with the mock's handler. */
async function listenOnNode(t: ExecutionContext, mock: Mock): Promise<number> {
  const server = createServer({ keepAliveTimeout: 65_000 }, mock.handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Returns what a connection sends until it has been silent for a moment. */
async function wholeAnswer(t: ExecutionContext, port: number, request: string | Uint8Array) {
  const connection = await openRaw(t, port);
  connection.send(request);
  while (connection.received.length === 0) await sleep(5);
  await sleep(50);
  return connection.received.toString('latin1');
}

/** Returns an answer without the number of the request and the time. */
function withoutNumbers(answer: string): string {
  return answer.replace(/(?<=mock-request-id: )\d+/, '1').replace(/(?<=Date: ).*/, 'now');
}

test('a field beyond ASCII is sent in Latin-1, whatever the body has', async (t) => {
  const examples = { ascii: { value: 'fine' }, other: { value: 'schön' } };
  const content = { 'application/json': { schema: { type: 'string' }, examples } };
  const headers = { 'X-Place': { required: true, schema: { type: 'string', const: 'Café' } } };
  const responses = { 200: { description: 'text', headers, content } };
  const info = { title: 'Places', version: '1' };
  const document = { openapi: '3.1.0', info, paths: { '/place': { get: { responses } } } };
  const { mock, port } = await listen(t, { document });
  for (const server of [port, await listenOnNode(t, mock)]) {
    for (const name of Object.keys(examples)) {
      const request = `GET /place HTTP/1.1\r\nHost: localhost\r\nPrefer: example=${name}\r\n\r\n`;
      const answer = await wholeAnswer(t, server, request);
      t.regex(answer, /\r\nx-place: Café\r\n/);
      t.regex(answer, name === 'ascii' ? /"fine"$/ : /"schÃ¶n"$/);
    }
  }
});

test('a connection stays open after the control API has answered a body on it', async (t) => {
  const { port } = await listen(t);
  const connection = await openRaw(t, port);
  const reset = 'POST /__admin/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
  const seed = '[{"id":1,"name":"Fern"}]';
  const put = `PUT /__admin/state/plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${seed.length}\r\n\r\n${seed}`;
  for (const request of [reset, put]) {
    connection.send(request);
    t.true((await connection.answer()).status < 300);
    t.is(await connection.ending(700), 'open');
  }
});

// Alone: others of this process would wait for their turn.
test.serial('1,000 concurrent requests are all answered and stored', async (t) => {
  const { mock, url } = await listen(t);
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, async (_, id) => {
      const response = await fetch(`${url}/plants`, createPlant({ id, name: `plant ${id}` }));
      return `${response.status} ${await response.text()}`;
    }),
  );
  t.deepEqual(
    answers,
    Array.from({ length: 1_000 }, (_, id) => `200 {"name":"plant ${id}"}`),
  );
  t.is((JSON.parse(await stateOf(mock)) as unknown[]).length, 1_000);
});

test('a client that does not finish its head or its body gets 408 and is disconnected', async (t) => {
  const { port } = await listen(t);
  const cutOff = async (sent: string, milliseconds: number): Promise<void> => {
    const connection = await openRaw(t, port);
    connection.send(sent);
    t.is((await connection.answer(milliseconds)).status, 408);
    t.true(await connection.closed());
  };
  await Promise.all([
    cutOff('POST /plants HTTP/1.1\r\nHost: local', 20_000),
    cutOff(`${headOfCreate('Content-Length: 22')}\r\n\r\n{"id":1`, 45_000),
  ]);
});

const badInputs = fileURLToPath(new URL('../../../shared/bad-inputs/', import.meta.url));

testWith(join(badInputs, 'run.mjs'))(
  'no bad input gets a wrong response, hangs or ends the process',
  async (t) => {
    const { running, url } = await startMock(t, [
      'mock',
      join(badInputs, 'document.yaml'),
      '--no-watch',
    ]);
    const folder = await createFolder(t);
    const results = join(folder, 'results.json');
    const words = [
      join(badInputs, 'run.mjs'),
      url,
      join(badInputs, 'inputs.jsonl'),
      '--quiet',
      '--json',
      results,
    ];
    const runner = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    runner.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [code] = (await once(runner, 'close')) as [number | null];
    t.is(code, 0, output.slice(-4_000));
    t.notRegex(output, /[1-9]\d* FAIL/);
    t.is(running.child.exitCode, null, 'it runs still');
  },
);

/** Returns the status of a request to an address, or the code of the error. */
async function statusAt(host: string, port: number): Promise<number | string> {
  try {
    const { status } = await fetch(`http://${host}:${port}/__admin/health`, {
      headers: { connection: 'close' },
    });
    return status;
  } catch (error) {
    const { cause } = error as Error;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
  }
}

const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

test('without a host, a mock listens on both addresses of localhost', async (t) => {
  const { mock, port, url } = await listen(t);
  t.is(url, `http://localhost:${port}`);
  t.deepEqual(await Promise.all(LOOPBACK.map((host) => statusAt(host, port))), [200, 200, 200]);
  await mock.close();
  const after = await Promise.all(LOOPBACK.map((host) => statusAt(host, port)));
  t.deepEqual(after, ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
});

test('with a host, a mock listens on that address alone', async (t) => {
  for (const [host, statuses] of [
    ['127.0.0.1', [200, 'ECONNREFUSED']],
    ['::1', ['ECONNREFUSED', 200]],
  ] as const) {
    const mock = await createMock();
    t.teardown(() => mock.close());
    const { port } = await mock.listen({ port: 0, host });
    t.deepEqual(
      await Promise.all(LOOPBACK.slice(0, 2).map((one) => statusAt(one, port))),
      statuses,
    );
  }
});

test('a port that is in use on one address of localhost is in use', async (t) => {
  for (const host of ['127.0.0.1', '::1']) {
    const other = createServer().listen(0, host);
    t.teardown(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const mock = await createMock();
    t.teardown(() => mock.close());
    await t.throwsAsync(mock.listen({ port }), { code: 'EADDRINUSE' }, host);
    const free = host === '::1' ? '127.0.0.1' : '[::1]';
    t.is(await statusAt(free, port), 'ECONNREFUSED', 'nothing is left listening');
  }
});

test('connections to both addresses of localhost count together', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0, maximumConnections: 2 });
  const open = async (host: string): Promise<boolean> => {
    const socket = connect(port, host);
    t.teardown(() => socket.destroy());
    socket.on('error', () => undefined);
    socket.write('GET /plants HTTP/1.1\r\nHost: a\r\n\r\n');
    const closed = new Promise<boolean>((resolve) => socket.on('close', () => resolve(false)));
    return Promise.race([
      closed,
      new Promise<boolean>((resolve) => socket.on('data', () => resolve(true))),
    ]);
  };
  t.deepEqual([await open('127.0.0.1'), await open('::1')], [true, true]);
  t.deepEqual([await open('127.0.0.1'), await open('::1')], [false, false]);
});
