import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test, { type ExecutionContext } from 'ava';
import { type Fault, faults } from '../../src/delivery/transmission.ts';
import {
  type Clock,
  createMock,
  type Mock,
  type MockOptions,
  systemClock,
} from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { runCurl, testWithCurl } from '../support/needs.ts';
import { createPlant } from '../support/plants.ts';
import { type Ending, openRaw, type RawConnection, rawCreate } from '../support/raw-socket.ts';

/** How clients see a fault that corrupts or replaces `{"name":"Fern"}`. */
interface Sight {
  /** All bytes that come, but for the fields. */
  readonly bytes: RegExp;
  readonly ending: Ending | 'open';
  /** The fetch of Node: a body that is whole, or the code of the error that it fails with. */
  readonly fetch: string;
  /** Where the fetch fails. */
  readonly failsAt?: 'head' | 'body';
  readonly curl: number;
}

/** Silence is known by the patience of the client only. */
const PATIENCE_MILLISECONDS = 400;

const HEAD = 'HTTP/1\\.1 200 OK';
const NOISE = '[\\x80-\\xff][\\x00-\\xff]{63}';

const sights: Readonly<Record<Fault, Sight>> = {
  CONNECTION_RESET_BY_PEER: {
    bytes: /^$/,
    ending: 'RST',
    fetch: 'ECONNRESET',
    failsAt: 'head',
    curl: 56,
  },
  EMPTY_RESPONSE: {
    bytes: /^$/,
    ending: 'FIN',
    fetch: 'UND_ERR_SOCKET',
    failsAt: 'head',
    curl: 52,
  },
  RANDOM_DATA_THEN_CLOSE: {
    bytes: new RegExp(`^${NOISE}$`),
    ending: 'FIN',
    fetch: 'HTTPParserError',
    failsAt: 'head',
    curl: 1,
  },
  HANG: { bytes: /^$/, ending: 'open', fetch: 'TimeoutError', failsAt: 'head', curl: 28 },
  MALFORMED_RESPONSE_CHUNK: {
    bytes: new RegExp(`^${HEAD} transfer-encoding: chunked ${NOISE}$`),
    ending: 'FIN',
    fetch: 'HTTPParserError',
    failsAt: 'body',
    curl: 56,
  },
  TRUNCATED_BODY: {
    bytes: new RegExp(`^${HEAD} connection: close {"name"$`),
    ending: 'FIN',
    fetch: '{"name"',
    curl: 0,
  },
  CLOSE_MID_BODY: {
    bytes: new RegExp(`^${HEAD} content-length: 15 {"name"$`),
    ending: 'RST',
    fetch: 'ECONNRESET',
    failsAt: 'body',
    curl: 56,
  },
  SLOW_CLOSE: {
    bytes: new RegExp(`^${HEAD} connection: close {"name":"Fern"}$`),
    ending: 'open',
    fetch: 'TimeoutError',
    failsAt: 'body',
    curl: 28,
  },
  WRONG_CONTENT_LENGTH: {
    bytes: new RegExp(`^${HEAD} content-length: 31 {"name":"Fern"}$`),
    ending: 'FIN',
    fetch: 'UND_ERR_SOCKET',
    failsAt: 'body',
    curl: 18,
  },
  INVALID_JSON: {
    bytes: new RegExp(`^${HEAD} content-length: 7 {"name"$`),
    ending: 'open',
    fetch: '{"name"',
    curl: 0,
  },
  WRONG_MEDIA_TYPE: {
    bytes: new RegExp(`^${HEAD} content-length: \\d+ <!DOCTYPE html>[^]*</html>\\n$`),
    ending: 'open',
    fetch: '<!DOCTYPE html>',
    curl: 0,
  },
};

interface Faulty {
  readonly mock: Mock;
  readonly url: string;
  readonly port: number;
}

/** A mock that listens, with a fixture for each fault that a request asks for by its name. */
async function startFaulty(t: ExecutionContext, options: MockOptions = {}): Promise<Faulty> {
  const rules = faults.map(
    (fault) => `  - { name: ${fault}, enabled: false, answer: { fault: ${fault} } }\n`,
  );
  const more = [
    '  - { name: later, enabled: false, answer: { fixedDelayMilliseconds: 300 } }\n',
    '  - { name: pieces, enabled: false, answer: { chunkedDribbleDelay: { numberOfChunks: 3, totalDuration: 30 } } }\n',
    '  - { name: for-hours, enabled: false, answer: { chunkedDribbleDelay: { numberOfChunks: 2, totalDuration: 3600000 } } }\n',
    '  - { name: slowly, enabled: false, answer: { bandwidth: { bytesPerSecond: 1 } } }\n',
  ];
  const folder = await createFolder(t, {
    'faults.yaml': `rules:\n${[...rules, ...more].join('')}`,
  });
  const mock = await createMock({ fixtures: [join(folder, 'faults.yaml')], ...options });
  const { port, url } = await mock.listen({ port: 0 });
  t.teardown(() => mock.close());
  return { mock, port, url };
}

const FERN = '{"id":1,"name":"Fern"}';

function withFixture(name: string, init: RequestInit = createPlant()): RequestInit {
  return { ...init, headers: { ...init.headers, 'mock-fixture': name } };
}

/** The bytes of an answer as text, with those of its fields that say how it is framed. */
function withoutFields(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return text;
  const [statusLine, ...fields] = text.slice(0, end).split('\r\n');
  const framing = fields
    .map((field) => field.toLowerCase())
    .filter((field) => /^(?:content-length|transfer-encoding|connection: close)/.test(field));
  return [statusLine, ...framing, text.slice(end + 4)].join(' ');
}

/** Waits for what is expected to come, and then whether more comes, or the end. */
async function watch(
  connection: RawConnection,
  expected: RegExp,
  ending: Sight['ending'],
): Promise<Pick<Sight, 'ending'> & { readonly bytes: string }> {
  for (let waited = 0; waited < 10_000; waited += 10) {
    if (expected.test(withoutFields(connection.received))) break;
    if ((await connection.ending(10)) !== 'open') break;
  }
  const seen = await connection.ending(ending === 'open' ? PATIENCE_MILLISECONDS : undefined);
  return { ending: seen, bytes: withoutFields(connection.received) };
}

/**
 * Returns the result of a fetch, or the code of its error and when it was thrown.
 *
 * @param silence the part of the response that never arrives, which is awaited for a short time only
 */
async function sightOf(
  ask: (signal: AbortSignal) => Promise<Response>,
  silence: Sight['failsAt'],
): Promise<Pick<Sight, 'fetch' | 'failsAt'>> {
  const abort = new AbortController();
  const impatience = new DOMException('nothing comes', 'TimeoutError');
  const wait = (part: Sight['failsAt']): NodeJS.Timeout =>
    setTimeout(() => abort.abort(impatience), part === silence ? PATIENCE_MILLISECONDS : 30_000);
  let failsAt: 'head' | 'body' = 'head';
  let timer = wait(failsAt);
  try {
    const response = await ask(abort.signal);
    failsAt = 'body';
    clearTimeout(timer);
    timer = wait(failsAt);
    return { fetch: await response.text() };
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { name: string; code?: string } };
    // What else its code would be, Node 24 leaves out.
    const isUnreadable = cause?.name === 'HTTPParserError';
    return { fetch: isUnreadable ? cause.name : (cause?.code ?? name), failsAt };
  } finally {
    clearTimeout(timer);
  }
}

for (const fault of faults) {
  const { bytes, ending, fetch: seen, failsAt, curl } = sights[fault];

  test(`${fault} has its exact bytes on the socket`, async (t) => {
    const { port } = await startFaulty(t);
    const connection = await openRaw(t, port);
    connection.send(rawCreate(FERN, `Mock-Fixture: ${fault}`));
    const seen = await watch(connection, bytes, ending);
    t.is(seen.ending, ending);
    t.regex(seen.bytes, bytes);
  });

  for (const way of ['over a socket', 'in process'] as const) {
    test(`a fetch ${way} observes ${fault}`, async (t) => {
      const { mock, url } = await startFaulty(t);
      const ask = way === 'in process' ? mock.fetch : fetch;
      const sight = await sightOf(
        (signal) => ask(`${url}/plants`, { ...withFixture(fault), signal }),
        seen === 'TimeoutError' ? failsAt : undefined,
      );
      t.is(sight.failsAt, failsAt);
      t.true(sight.fetch.startsWith(seen), sight.fetch);
    });
  }

  testWithCurl(`curl observes ${fault}`, async (t) => {
    const { url } = await startFaulty(t);
    const words = ['-H', 'Authorization: Bearer token', '-H', `Mock-Fixture: ${fault}`];
    const patience = curl === 28 ? PATIENCE_MILLISECONDS / 1000 : 50;
    const run = await runCurl([...words, '-m', String(patience), '--json', FERN, `${url}/plants`]);
    t.is(run.code, curl, run.complaint);
  });
}

test('the documentation describes what these clients observe for every fault', async (t) => {
  const text = await readFile(new URL('../../docs/reference/rules.md', import.meta.url), 'utf8');
  for (const fault of faults) {
    const { fetch: seen, failsAt, curl } = sights[fault];
    const row = text.split('\n').find((line) => line.startsWith(`| \`${fault}\``)) ?? '';
    t.true(row.includes(`| ${curl} `), `${fault}: curl`);
    if (failsAt !== undefined) t.true(row.includes(seen), `${fault}: fetch`);
  }
});

test('random bytes come from the random seed', async (t) => {
  const noiseOf = async (seed: string): Promise<string> => {
    const { port } = await startFaulty(t, { seed });
    const connection = await openRaw(t, port);
    connection.send(rawCreate(FERN, 'Mock-Fixture: RANDOM_DATA_THEN_CLOSE'));
    await connection.ending();
    return connection.received.toString('hex');
  };
  const noise = await noiseOf('rain');
  t.is(noise.length, 128);
  t.is(await noiseOf('rain'), noise);
  t.not(await noiseOf('sun'), noise);
});

test('a fault waits for earlier responses on its connection', async (t) => {
  const { port } = await startFaulty(t);
  for (const fault of ['CONNECTION_RESET_BY_PEER', 'CLOSE_MID_BODY'] as const) {
    const connection = await openRaw(t, port);
    connection.send(rawCreate(FERN, 'Mock-Fixture: later'));
    connection.send(rawCreate(FERN, `Mock-Fixture: ${fault}`));
    t.is((await connection.answer()).body, '{"name":"Fern"}');
    t.is(await connection.ending(), 'RST');
    t.regex(withoutFields(connection.received), sights[fault].bytes);
  }
});

test('a connection stays open after a complete response', async (t) => {
  const { port } = await startFaulty(t);
  const connection = await openRaw(t, port);
  connection.send(rawCreate(FERN, 'Mock-Fixture: INVALID_JSON'));
  t.is((await connection.answer()).body, '{"name"');
  connection.send(rawCreate(FERN));
  t.is((await connection.answer()).body, '{"name":"Fern"}');
});

test('a dribble has the given number of chunks, and none for an HTTP/1.0 client', async (t) => {
  const { port } = await startFaulty(t);
  const connection = await openRaw(t, port);
  connection.send(rawCreate(FERN, 'Mock-Fixture: pieces', 'Connection: close'));
  t.is(await connection.ending(), 'FIN');
  const chunks = '5\r\n{"nam\r\n5\r\ne":"F\r\n5\r\nern"}\r\n0\r\n\r\n';
  t.true(connection.received.toString().endsWith(`\r\n\r\n${chunks}`));
  const old = await openRaw(t, port);
  old.send(String(rawCreate(FERN, 'Mock-Fixture: pieces')).replace('HTTP/1.1', 'HTTP/1.0'));
  t.is(await old.ending(), 'FIN');
  t.true(old.received.toString().endsWith('\r\n\r\n{"name":"Fern"}'));
});

test('the response to a HEAD breaks in its head', async (t) => {
  const folder = await createFolder(t, {
    'document.yaml':
      'openapi: 3.1.0\ninfo: { title: Heads, version: "1" }\npaths:\n  /a:\n    head:\n' +
      '      operationId: headOfA\n      responses:\n        "200": { description: Yes }\n',
  });
  const { port } = await startFaulty(t, { document: join(folder, 'document.yaml') });
  const cut = /^HTTP\/1\.1? ?$|^HTTP\/1\.$/;
  for (const [fault, ending, bytes] of [
    ['TRUNCATED_BODY', 'FIN', cut],
    ['CLOSE_MID_BODY', 'RST', cut],
    ['WRONG_CONTENT_LENGTH', 'FIN', cut],
    ['INVALID_JSON', 'FIN', cut],
    ['MALFORMED_RESPONSE_CHUNK', 'FIN', new RegExp(`^HTTP/1\\.${NOISE}$`)],
    ['SLOW_CLOSE', 'open', /^HTTP\/1\.1 200 OK connection: close $/],
    ['WRONG_MEDIA_TYPE', 'open', /^HTTP\/1\.1 200 OK content-length: \d+ $/],
  ] as const) {
    const connection = await openRaw(t, port);
    connection.send(`HEAD /a HTTP/1.1\r\nHost: localhost\r\nMock-Fixture: ${fault}\r\n\r\n`);
    const seen = await watch(connection, bytes, ending);
    t.is(seen.ending, ending, fault);
    t.regex(seen.bytes, bytes, fault);
  }
});

test('a closing server drops hanging connections at once', async (t) => {
  const { mock, port } = await startFaulty(t);
  const connections = await Promise.all(
    ['HANG', 'SLOW_CLOSE'].map(async (fault) => {
      const connection = await openRaw(t, port);
      connection.send(rawCreate(FERN, `Mock-Fixture: ${fault}`));
      t.is(await connection.ending(PATIENCE_MILLISECONDS), 'open');
      return connection;
    }),
  );
  const hanging = mock.fetch('/plants', withFixture('HANG')).catch((error: Error) => error.cause);
  const slow = await mock.fetch('/plants', withFixture('SLOW_CLOSE'));
  const began = performance.now();
  await mock.close();
  t.true(performance.now() - began < 5_000);
  for (const connection of connections) t.is(await connection.ending(), 'FIN');
  t.like(await hanging, { code: 'UND_ERR_SOCKET' });
  t.is(await slow.text(), '{"name":"Fern"}');
});

/** The machine's clock, and how many sleep on it. */
function createCountingClock(): Clock & { readonly sleepers: number } {
  let sleepers = 0;
  return {
    ...systemClock,
    get sleepers() {
      return sleepers;
    },
    async sleep(milliseconds, signal) {
      sleepers++;
      await systemClock.sleep(milliseconds, signal);
      sleepers--;
    },
  };
}

test('a client that disconnects during a slow body blocks nothing', async (t) => {
  const clock = createCountingClock();
  const { mock, port } = await startFaulty(t, { clock });
  const connection = await openRaw(t, port);
  connection.send(rawCreate(FERN, 'Mock-Fixture: for-hours'));
  const abort = new AbortController();
  const init = { ...withFixture('for-hours'), signal: abort.signal };
  const text = (await mock.fetch('/plants', init)).text().catch(() => 'let go');
  await becomes(() => clock.sleepers === 2);
  t.is(clock.sleepers, 2);
  connection.socket.destroy();
  await becomes(() => clock.sleepers === 1);
  t.is(clock.sleepers, 1);
  abort.abort();
  t.is(await text, 'let go');
  await becomes(() => clock.sleepers === 0);
  t.is(clock.sleepers, 0);
});

test('an unread response blocks nothing', async (t) => {
  const clock = createCountingClock();
  const { mock } = await startFaulty(t, { clock });
  const response = await mock.fetch('/plants', withFixture('for-hours'));
  await sleep(50);
  t.is(clock.sleepers, 0);
  const reader = response.body?.getReader();
  const reading = reader?.read();
  await becomes(() => clock.sleepers === 1);
  await reader?.cancel();
  t.like(await reading, { done: true });
  await becomes(() => clock.sleepers === 0);
  t.is(clock.sleepers, 0);
});

async function becomes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !isSo(); turn++) await sleep(10);
}

test('an aborted program is released at once, during a hang and a body', async (t) => {
  const { mock } = await startFaulty(t);
  const abort = new AbortController();
  const hanging = mock.fetch('/plants', { ...withFixture('HANG'), signal: abort.signal });
  const init = { ...withFixture('slowly'), signal: abort.signal };
  const coming = (await mock.fetch('/plants', init)).text();
  const reason = new Error('no longer');
  abort.abort(reason);
  t.is(await t.throwsAsync(hanging), reason);
  t.is(await t.throwsAsync(coming), reason);
});

test('an abort reaches a hang that nothing else references', async (t) => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { mock } = await startFaulty(t);
  const abort = new AbortController();
  const hangs = Array.from({ length: 50 }, () =>
    mock.fetch('/plants', { ...withFixture('HANG'), signal: abort.signal }).catch(() => 'let go'),
  );
  // Requests are on their way by then, and whatever is not held goes.
  await sleep(50);
  collectGarbage();
  abort.abort();
  t.deepEqual(new Set(await Promise.all(hangs)), new Set(['let go']));
});
