import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import {
  type ExpressionExchange,
  type ExpressionMessage,
  fillExpressions,
} from '../../src/callbacks/callbacks.ts';
import type { Console } from '../../src/commands/console.ts';
import { runWebhook } from '../../src/commands/webhook.ts';
import { createLog } from '../../src/events/log.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { defaultSettings } from '../../src/settings/settings.ts';
import { createFolder } from '../support/folder.ts';
import { invocation } from '../support/invocation.ts';
import { startReceiver } from '../support/receiver.ts';

const document = `
openapi: 3.1.0
info: { title: Nursery, version: "1" }
paths:
  /orders:
    post:
      operationId: order
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [tell]
              properties: { tell: { type: string }, size: { type: integer } }
      responses:
        "201":
          description: Ordered
          content:
            application/json:
              schema: { type: object, required: [number], properties: { number: { type: integer } } }
              example: { number: 7 }
        "400": { description: Wrong }
      callbacks:
        delivered:
          "{$request.body#/tell}?order={$response.body#/number}":
            put:
              parameters:
                - { name: X-Gardener, in: header, required: true, schema: { type: string, enum: [rose] } }
                - { name: page, in: query, required: true, schema: { const: 3 } }
                - { name: optional, in: query, schema: { const: 4 } }
              requestBody:
                content: { application/json: { example: { state: delivered } } }
              responses: { "200": { description: Taken } }
  /seeds:
    post:
      operationId: sow
      parameters:
        - { name: tell, in: query, required: true, schema: { type: string } }
      responses: { "204": { description: Sown } }
      callbacks:
        grown: { $ref: "#/components/callbacks/grown" }
components:
  callbacks:
    grown:
      $request.query.tell:
        post:
          requestBody:
            content:
              application/json:
                schema:
                  type: object
                  required: [height]
                  properties: { height: { type: integer, minimum: 1, maximum: 9 } }
          responses: { "204": { description: Taken } }
webhooks:
  newPlant:
    post:
      requestBody:
        content: { application/json: { examples: { fern: { value: { name: Fern } } } } }
      responses: { "200": { description: Taken } }
`;

interface Nursery {
  readonly mock: Mock;
  /** The log so far. */
  told(): readonly Readonly<Record<string, unknown>>[];
  order(tell: string): Promise<Response>;
}

async function openNursery(t: ExecutionContext, options: MockOptions = {}): Promise<Nursery> {
  const folder = await createFolder(t, { 'nursery.yaml': document });
  let text = '';
  const log = createLog({
    level: 'info',
    form: 'json',
    hasColor: false,
    now: () => 0,
    write: (more) => {
      text += more;
    },
  });
  const mock = await createMock({ document: join(folder, 'nursery.yaml'), log, ...options });
  t.teardown(() => mock.close());
  return {
    mock,
    told: () => {
      log.flush();
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    },
    order: (tell) =>
      mock.fetch('/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tell }),
      }),
  };
}

/** Waits for a line of the log with this event. */
async function waitForEvent({ told }: Nursery, event: string) {
  for (;;) {
    const line = told().find((one) => one['event'] === event);
    if (line !== undefined) return line;
    await sleep(5);
  }
}

test('an operation sends its callback to the URL in the request', async (t) => {
  const receiver = await startReceiver(t);
  const nursery = await openNursery(t);
  t.is((await nursery.order(`${receiver.url}/tell`)).status, 201);
  const { method, target, headers, body } = await receiver.next();
  t.is(`${method} ${target}`, 'PUT /tell?order=7&page=3');
  t.is(headers['content-type'], 'application/json');
  t.is(headers['x-gardener'], 'rose');
  t.deepEqual(JSON.parse(body), { state: 'delivered' });
  const url = `${receiver.url}/tell?order=7&page=3`;
  const line = await waitForEvent(nursery, 'callback');
  t.like(line, { callback: 'delivered', method: 'PUT', url, status: 204, level: 'info' });
});

test('a callback without an example has a valid body, the same for one random seed', async (t) => {
  const receiver = await startReceiver(t);
  const bodies: string[] = [];
  for (const seed of [5, 5]) {
    const { mock } = await openNursery(t, { seed });
    await mock.fetch(`/seeds?tell=${encodeURIComponent(receiver.url)}`, { method: 'POST' });
    const { body } = await receiver.next();
    const { height } = JSON.parse(body) as { height: number };
    t.true(Number.isInteger(height) && height >= 1 && height <= 9);
    bodies.push(body);
  }
  t.is(bodies[0], bodies[1]);
});

test('callbacks go only to this machine, unless the settings allow another host', async (t) => {
  const nursery = await openNursery(t);
  t.is((await nursery.order('http://receiver.test/tell')).status, 201);
  const line = await waitForEvent(nursery, 'callback not sent');
  t.like(line, { level: 'warn', url: 'http://receiver.test/tell?order=7' });
  t.regex(String(line['message']), /may not go to receiver\.test.*--callback-host receiver\.test/);
});

test('a host can be allowed for one port, and * allows all', async (t) => {
  const [first, second] = [await startReceiver(t), await startReceiver(t)];
  const nursery = await openNursery(t, { callbackHost: [`127.0.0.1:${first.port}`] });
  await nursery.order(first.url);
  await first.next();
  await nursery.order(second.url);
  await waitForEvent(nursery, 'callback not sent');
  t.is(second.waiting, 0);
  const open = await openNursery(t, { callbackHost: ['*'] });
  await open.order(second.url);
  await second.next();
});

/** Ways to write an address of this machine; all but the last are one to a URL parser. */
const OWN_HOSTS = ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '0.0.0.0'];
const CONTROL_PATHS = [
  '/__admin/reset',
  '/__admin/requests/reset',
  '/x/../__admin/reset',
  '/%2e/__admin/reset',
  '/__session/default/__admin/reset',
];

for (const [where, ports] of [
  ['beside the document', {}],
  ['on its own port', { adminPort: 0 }],
] as const) {
  test(`no callback can use the control API ${where}, however its URL is written`, async (t) => {
    const nursery = await openNursery(t, { callbackHost: ['*'], ...ports });
    const { url, adminUrl = url } = await nursery.mock.listen({ port: 0, host: '0.0.0.0' });
    const port = new URL(adminUrl).port;
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    );
    const urls = [...new Set([...OWN_HOSTS, ...own])].flatMap((host) =>
      CONTROL_PATHS.map((path) => `http://${host}:${port}${path}`),
    );
    for (const one of urls) {
      await nursery.mock.fetch(`/seeds?tell=${encodeURIComponent(one)}`, { method: 'POST' });
    }
    const linesOf = () => nursery.told().filter(({ callback }) => callback !== undefined);
    while (linesOf().length < urls.length) await sleep(5);
    const wrong = linesOf().filter(
      (line) => line['status'] !== 403 && line['event'] !== 'callback not sent',
    );
    t.deepEqual(wrong, []);
    const { exchanges } = (await (
      await nursery.mock.fetch('/__admin/journal?limit=1000')
    ).json()) as {
      exchanges: readonly unknown[];
    };
    t.is(exchanges.length, 2 * urls.length, 'nothing was reset');
  });
}

test('a callback may go to an operation of the mock itself', async (t) => {
  const nursery = await openNursery(t);
  const { url } = await nursery.mock.listen({ port: 0, host: '127.0.0.1' });
  await nursery.order(`${url}/orders`);
  t.like(await waitForEvent(nursery, 'callback'), { status: 405 });
});

test('redirects are not followed', async (t) => {
  const receiver = await startReceiver(t, 307);
  const nursery = await openNursery(t);
  await nursery.order(receiver.url);
  await receiver.next();
  t.is((await waitForEvent(nursery, 'callback'))['status'], 307);
  t.is(receiver.waiting, 0);
});

test('a silent receiver delays nothing, and a close aborts the callback', async (t) => {
  const receiver = await startReceiver(t, 'never');
  const nursery = await openNursery(t);
  t.is((await nursery.order(receiver.url)).status, 201);
  await receiver.next();
  await nursery.mock.close();
  const line = await waitForEvent(nursery, 'callback not sent');
  t.is(line['message'], 'the mock was closed');
});

test('a callback that cannot be sent is logged and does not change the response', async (t) => {
  for (const [tell, message] of [
    ['http://127.0.0.1:1', /bad port/],
    ['http://127.0.0.1:9', /ECONNREFUSED|bad port/],
    ['ftp://127.0.0.1/x', /is no http URL/],
    ['nowhere', /is no http URL/],
  ] as const) {
    const nursery = await openNursery(t);
    t.is((await nursery.order(tell)).status, 201);
    t.regex(String((await waitForEvent(nursery, 'callback not sent'))['message']), message);
  }
});

test('a refused or failed request sends no callback', async (t) => {
  const receiver = await startReceiver(t);
  const { mock, order } = await openNursery(t);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ tell: receiver.url, size: 'large' });
  t.is((await mock.fetch('/orders', { method: 'POST', headers, body })).status, 400);
  const wrong = { method: 'POST', headers: { ...headers, prefer: 'code=400' } };
  const valid = JSON.stringify({ tell: receiver.url });
  t.is((await mock.fetch('/orders', { ...wrong, body: valid })).status, 400);
  await order(receiver.url);
  await receiver.next();
  await sleep(50);
  t.is(receiver.waiting, 0);
});

function speakOf(message: Partial<ExpressionMessage>): ExpressionMessage {
  const nothing = (): undefined => undefined;
  return { header: nothing, query: nothing, path: nothing, body: undefined, ...message };
}

const exchange: ExpressionExchange = {
  url: 'http://mock.test/orders?a=1',
  method: 'POST',
  status: 201,
  request: speakOf({
    header: (name) => (name === 'x-tell' ? 'http://a.test' : undefined),
    query: (name) => (name === 'a' ? '1' : undefined),
    path: (name) => (name === 'id' ? '12' : undefined),
    body: {
      tell: 'http://b.test',
      'a/b': [{ 'c~d': 9223372036854775807n }],
      none: null,
      half: 'a\ud83c',
    },
  }),
  response: speakOf({ header: (name) => (name === 'location' ? '/o/1' : undefined), body: 'ok' }),
};

for (const [expression, text] of [
  ['$url', 'http://mock.test/orders?a=1'],
  ['$method', 'POST'],
  ['$statusCode', '201'],
  ['{$request.header.X-Tell}/done', 'http://a.test/done'],
  ['http://c.test?a={$request.query.a}', 'http://c.test?a=1'],
  ['http://c.test/{$request.path.id}', 'http://c.test/12'],
  ['{$request.body#/tell}', 'http://b.test'],
  ['$request.body#/tell', 'http://b.test'],
  ['http://c.test?u={$request.body#/tell}', 'http://c.test?u=http%3A%2F%2Fb.test'],
  ['http://c.test?u={$request.body#/half}', 'http://c.test?u=a%EF%BF%BD'],
  ['{$request.body#/a~1b/0/c~0d}', '9223372036854775807'],
  ['http://c.test{$response.header.Location}', 'http://c.test/o/1'],
  ['{$response.body}', 'ok'],
  [
    'http://c.test/hook?a=1{$response.header.Location}?b={$statusCode}',
    'http://c.test/hook?a=1%2Fo%2F1&b=201',
  ],
  ['http://c.test/{id}', 'http://c.test/{id}'],
] as const) {
  test(`the runtime expression ${expression} gives ${text}`, (t) => {
    t.is(fillExpressions(expression, exchange), text);
  });
}

for (const [expression, message] of [
  ['{$request.body#/missing}', /finds nothing/],
  ['{$request.body#/none}', /is no text/],
  ['{$request.query.b}', /finds nothing/],
  ['{$response.query.a}', /finds nothing/],
  ['{$request.cookie.a}', /is no runtime expression/],
  ['$uri', /is no runtime expression/],
] as const) {
  test(`the runtime expression ${expression} is refused: ${message.source}`, (t) => {
    t.throws(() => fillExpressions(expression, exchange), { message });
  });
}

test('a webhook can be sent by hand and returns its response', async (t) => {
  const receiver = await startReceiver(t, 202);
  const { mock } = await openNursery(t);
  const sent = await mock.webhook('newPlant', `${receiver.url}/plants`);
  t.like(await receiver.next(), { method: 'POST', target: '/plants', body: '{"name":"Fern"}' });
  t.is(sent.response.status, 202);
  t.is(sent.request.headers['content-type'], 'application/json');
  await t.throwsAsync(() => mock.webhook('oldPlant', receiver.url), {
    message:
      'the document has no webhook or callback "oldPlant", it has newPlant, delivered, grown; did you mean newPlant?',
  });
});

test('the command webhook prints the request and the response', async (t) => {
  const receiver = await startReceiver(t, 202);
  const folder = await createFolder(t, { 'nursery.yaml': document });
  const settings = { ...defaultSettings, document: join(folder, 'nursery.yaml') };
  let written = '';
  let complained = '';
  const console: Console = {
    environment: {},
    nodeVersion: '20.19.0',
    folder,
    isTerminal: false,
    hasColor: false,
    write: (text) => {
      written += text;
    },
    writeError: (text) => {
      complained += text;
    },
    cacheFolder: undefined,
    importFile: () => Promise.resolve({}),
    availableMemory: () => 0,
    openFiles: undefined,
    writeLog: () => {},
    onUncaught: () => {},
    endGroup: () => {},
    exitSoon: () => {},
    ended: new Promise(() => {}),
  };
  t.is(
    await runWebhook(invocation(settings, console, { operands: ['newPlant'], to: receiver.url })),
    0,
  );
  t.regex(
    written,
    /^POST http:\/\/127\.0\.0\.1:\d+\/\n(?:[a-z-]+: .+\n)*content-type: application\/json\n(?:[a-z-]+: .+\n)*\n\{"name":"Fern"\}\n\n202\n/,
  );
  t.is(
    await runWebhook(
      invocation(settings, console, { operands: ['newPlant'], to: 'http://127.0.0.1:1' }),
    ),
    1,
  );
  t.regex(complained, /ECONNREFUSED|bad port/);
  t.is(
    await runWebhook(invocation(settings, console, { operands: ['oldPlant'], to: receiver.url })),
    1,
  );
  t.regex(complained, /no webhook or callback "oldPlant", it has newPlant/);
  await t.throwsAsync(
    () => runWebhook(invocation(settings, console, { operands: ['newPlant'], to: undefined })),
    {
      message: /coldframe webhook NAME --to URL/,
    },
  );
});
