import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/assemble/mock.ts';
import { type ControlInput, controlInputs } from '../support/control-inputs.ts';
import { createPlant } from '../support/plants.ts';
import { startMock } from '../support/program.ts';

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const LONGEST_MILLISECONDS = 5_000;

/** Sends bytes on a connection of their own. @returns the first answer, or what came in its place */
function exchange(
  port: number,
  bytes: Uint8Array,
  milliseconds = LONGEST_MILLISECONDS,
): Promise<Answer | string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (outcome: Answer | string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish('no answer'), milliseconds);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (answer !== undefined) finish(answer);
    });
    let reason = 'closed without an answer';
    // What was answered before the server closed counts; what it did not read does not.
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => finish(readAnswer(received, true) ?? reason));
    socket.write(bytes);
  });
}

function readAnswer(received: Buffer, isClosed = false): Answer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? Number.NaN);
  const rest = received.subarray(end + 4);
  const isWhole = Number.isNaN(length)
    ? isClosed || !/^transfer-encoding/im.test(head)
    : rest.length >= length;
  if (!isWhole) return undefined;
  return { status: Number(head.slice(9, 12)), head, body: rest.toString('utf8') };
}

/** @returns what is wrong with the answer; nothing when it is right */
function judge({ expect, bytes }: ControlInput, answer: Answer | string): string {
  if (typeof answer === 'string') return answer;
  const { status, head, body } = answer;
  const isExpected = expect.some((one) =>
    one === '4xx' ? status >= 400 && status < 500 : one === status,
  );
  if (!isExpected) return `${status} ${body.slice(0, 200)}`;
  if (/^access-control-allow-origin:/im.test(head)) return 'a page may read the answer';
  if (status === 405 && !/^allow: *\S/im.test(head)) return '405 without Allow';
  return bytes.includes('HTTP/1.1\r\n') ? judgeBody(body, status) : '';
}

/** A refusal says why: as a problem (RFC 9457), as the plant store's document says, or as WireMock. */
function judgeBody(body: string, status: number): string {
  let value: Readonly<Record<string, unknown>>;
  try {
    value = JSON.parse(body);
  } catch {
    return `the body is no JSON: ${body.slice(0, 200)}`;
  }
  const { type, title, detail, error, message, errors } = value;
  const isProblem = value['status'] === status && [type, title, detail].every(isText);
  const isDeclared = typeof error === 'number' && isText(message);
  const [refusal] = Array.isArray(errors) ? errors : [];
  const isOfWireMock = typeof refusal?.code === 'number' && isText(refusal.detail);
  return isProblem || isDeclared || isOfWireMock
    ? ''
    : `the body says not why: ${body.slice(0, 200)}`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

const PARTS = ['state', 'fixtures', 'sessions', 'snapshots', 'scenarios', 'mappings'];

/** Everything that a request to the control API can change, except counts of requests. */
async function pictureOf(mock: Mock): Promise<string> {
  const parts = await Promise.all(
    PARTS.map(async (part) => {
      const response = await mock.fetch(`/__admin/${part}`);
      if (part !== 'sessions') return response.text();
      const { sessions } = (await response.json()) as {
        readonly sessions: { readonly id: string }[];
      };
      return sessions.map(({ id }) => id).join(', ');
    }),
  );
  const { isFrozen } = (await (await mock.fetch('/__admin/clock')).json()) as { isFrozen: boolean };
  return [...parts, isFrozen].join('\n');
}

/** @returns the lines that are new */
function differenceOf(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  const news = after.split('\n').filter((line) => !known.has(line));
  return news.join(' ').slice(0, 300);
}

const PLANT = '{"id":9223372036854775807,"name":"Fern"}';

async function listen(
  t: ExecutionContext,
): Promise<{ readonly mock: Mock; readonly port: number }> {
  const mock = await createMock();
  t.teardown(() => mock.close());
  const { port } = await mock.listen({ port: 0 });
  const body = `[${PLANT}]`;
  const headers = { 'content-type': 'application/json' };
  await mock.fetch('/__admin/state/plants', { method: 'PUT', headers, body });
  return { mock, port };
}

const HEALTH = Buffer.from('GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n');

test('no invalid input to the control API gets a wrong response, changes anything or hangs', async (t) => {
  t.timeout(300_000);
  const { mock, port } = await listen(t);
  let before = await pictureOf(mock);
  t.true(before.includes(PLANT));
  const wrong: string[] = [];
  for (const input of controlInputs) {
    const fault = judge(input, await exchange(port, input.bytes));
    if (fault !== '') wrong.push(`${input.id} (${input.why}): ${fault}`);
    const after = await exchange(port, HEALTH);
    if (typeof after === 'string' || after.status !== 200)
      wrong.push(`${input.id}: not healthy after it`);
    const picture = await pictureOf(mock);
    if (picture !== before) {
      wrong.push(`${input.id}: it has changed something: ${differenceOf(before, picture)}`);
      before = picture;
    }
  }
  t.deepEqual(wrong, []);
});

/** Opens a connection, sends bytes, and reads nothing of what comes. */
async function openDeaf(t: ExecutionContext, port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(bytes);
  return socket;
}

function post(target: string, body: string, ...fields: readonly string[]): string {
  const head = [
    `POST ${target} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...fields,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

test('unread event streams block nothing and have limited buffers', async (t) => {
  t.timeout(120_000);
  const { running, url } = await startMock(t, ['mock', '--no-watch']);
  const port = Number(new URL(url).port);
  for (let count = 0; count < 20; count++) {
    await openDeaf(t, port, 'GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  }
  const note = 'n'.repeat(12_000);
  const before = residentMebibytes(running.child.pid);
  for (let count = 0; count < 600; count++) {
    const { status } = await fetch(
      `${url}/plants?note=${note}`,
      createPlant({ id: count, name: 'x' }),
    );
    if (status !== 200) t.is(status, 200);
  }
  const growth = residentMebibytes(running.child.pid) - before;
  t.log(`resident memory grew by ${growth.toFixed(0)} MiB`);
  // Each of 20 readers may leave a mebibyte or two; all that was said is more than 250.
  t.true(growth < 150, `${growth} MiB`);
  const { code } = await running.end();
  t.is(code, 0, 'and they do not keep it from ending');
});

function residentMebibytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

test('of thousands of waiting clients, some are refused and all get a response', async (t) => {
  t.timeout(120_000);
  const { mock, port } = await listen(t);
  const body = '{"match":{"operationId":"createPlant"},"times":1,"within":"60s"}';
  const bytes = Buffer.from(post('/__admin/journal/wait', body));
  const waiting: Promise<Answer | string>[] = [];
  for (let batch = 0; batch < 20; batch++) {
    for (let count = 0; count < 100; count++) waiting.push(exchange(port, bytes, 60_000));
    // Client and server share a process: a head that is not read in time would be given up.
    await exchange(port, HEALTH);
  }
  const answered = await mock.fetch('/plants', createPlant());
  t.is(answered.status, 200);
  const tally = new Map<string, number>();
  for (const one of await Promise.all(waiting)) {
    const what = typeof one === 'string' ? one : String(one.status);
    tally.set(what, (tally.get(what) ?? 0) + 1);
  }
  t.log(JSON.stringify([...tally]));
  t.deepEqual(
    [...tally.keys()].filter((what) => !['200', '429', '503'].includes(what)),
    [],
  );
  t.true((tally.get('200') ?? 0) > 0);
  const next = await exchange(port, bytes);
  t.true(typeof next === 'object' && next.status === 200, 'there is room again');
});

test('waiting clients that disconnect make room for others', async (t) => {
  t.timeout(60_000);
  const { port } = await listen(t);
  const body = '{"match":{"operationId":"createPlant"},"times":99,"within":"60s"}';
  for (let round = 0; round < 5; round++) {
    const sockets: Socket[] = [];
    for (let count = 0; count < 200; count++) {
      sockets.push(await openDeaf(t, port, post('/__admin/journal/wait', body)));
    }
    await exchange(port, HEALTH);
    for (const socket of sockets) socket.destroy();
  }
  const brief = Buffer.from(post('/__admin/journal/wait', '{"times":99,"within":"10ms"}'));
  // When a connection is seen to be gone is the machine's business; that it is seen is the mock's.
  const deadline = performance.now() + 20_000;
  let last: Answer | string = '';
  while (performance.now() < deadline) {
    last = await exchange(port, brief);
    if (typeof last === 'string' || last.status !== 429) break;
  }
  t.is(typeof last === 'string' ? last : last.status, 200);
});

test('slow and incomplete requests to the control API block no others', async (t) => {
  const { mock, port } = await listen(t);
  for (let count = 0; count < 300; count++) {
    const whole = post('/__admin/fail', '{"operationId":"createPlant","status":400}');
    await openDeaf(t, port, whole.slice(0, whole.length - 1 - (count % 150)));
  }
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(port, HEALTH)));
  t.true(answers.every((answer) => typeof answer === 'object' && answer.status === 200));
  t.is((await mock.fetch('/plants', createPlant())).status, 200, 'no failure came in force');
});

const SPECIAL_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

test('names of inherited members are ordinary names', async (t) => {
  const mock = await createMock();
  t.teardown(() => mock.close());
  for (const name of SPECIAL_NAMES) {
    const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
      const response = await mock.fetch(`/__admin${path}`, {
        method,
        headers: { 'mock-session': name, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return response.status;
    };
    const fixture = `named.${name}`;
    const rule = {
      name: fixture,
      scenarioName: name,
      newScenarioState: name,
      answer: { fail: 400 },
    };
    t.is(await ask('GET', `/fixtures/${fixture}`), 404, `${fixture} before it is made`);
    t.is(await ask('POST', '/fixtures', { rules: [rule] }), 201, fixture);
    t.is(await ask('GET', `/fixtures/${fixture}`), 200);
    t.is(await ask('PUT', `/fixtures/${fixture}/enabled`, { enabled: false }), 200);
    t.is(await ask('PUT', `/scenarios/${name}/state`, { state: name }), 200, `scenario ${name}`);
    t.is(await ask('PUT', `/snapshots/${name}`), 201, `snapshot ${name}`);
    t.is(await ask('POST', `/snapshots/${name}/restore`), 204);
    t.is(await ask('POST', `/sessions/${name}/fork`, { to: `${name}.2` }), 201, `session ${name}`);
    t.is(await ask('GET', `/sessions/${name}.2`), 200);
    t.is(await ask('DELETE', `/fixtures/${fixture}`), 204);
    t.is(await ask('DELETE', `/snapshots/${name}`), 204);
    t.is(await ask('DELETE', `/sessions/${name}`), 204);
  }
  t.is((await mock.fetch('/plants', createPlant())).status, 200);
  t.is(Object.keys(Object.prototype).length, 0, 'and nothing else has got them');
});

/** Rules that are taken, and whose work a request could make endless. */
const HUNGRY: Readonly<Record<string, unknown>> = {
  'an expression that backtracks': {
    match: { operationId: 'createPlant', urlPath: { matches: '(a+)+$|(.*)*x' } },
    answer: { fail: 400 },
  },
  'a template that loops': {
    match: { operationId: 'createPlant' },
    answer: {
      status: 400,
      template: true,
      body: {
        error: 400,
        message: '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}',
      },
    },
  },
  'a template that grows': {
    match: { operationId: 'createPlant' },
    answer: {
      status: 400,
      template: true,
      body: {
        error: 400,
        message:
          "{% assign a = 'xxxxxxxx' %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
      },
    },
  },
  'a path of JSON that goes everywhere': {
    match: { operationId: 'createPlant', body: { matchesJsonPath: '$..[?@..[?@..a==1]]' } },
    answer: { fail: 400 },
  },
};

test('a rule with endless work is refused, or its request is, without blocking others', async (t) => {
  t.timeout(60_000);
  for (const [name, rule] of Object.entries(HUNGRY)) {
    const { running, url } = await startMock(t, ['mock', '--no-watch']);
    const response = await fetch(`${url}/__admin/fixtures`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rules: [{ name: 'hungry', ...(rule as object) }] }),
    });
    await response.arrayBuffer();
    t.true(response.status < 500);
    const plant = { id: 1, name: 'a'.repeat(50_000), a: [[[[[[{ b: 2 }]]]]]] };
    const started = performance.now();
    const answer = await fetch(`${url}/plants?${'a'.repeat(5_000)}`, {
      ...createPlant(plant),
      signal: AbortSignal.timeout(10_000),
    });
    await answer.arrayBuffer();
    t.true(performance.now() - started < 3_000, `${name}: it is answered soon`);
    t.is((await fetch(`${url}/__admin/health`)).status, 200);
    await running.end();
  }
});
