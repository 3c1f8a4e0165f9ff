import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createLog, type LogSettings } from '../../src/events/log.ts';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { sendRaw } from '../support/raw-socket.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Login, version: '1' }
paths:
  /login:
    post:
      operationId: login
      security: [{ key: [] }, {}]
      parameters:
        - { name: X-Code, in: header, schema: { type: string, format: password } }
        - { name: SESSID, in: cookie, schema: { type: integer } }
        - { name: loose, in: query, schema: { $ref: '#/components/schemas/Login' } }
        - { name: filter, in: query, style: deepObject, schema: { $ref: '#/components/schemas/Login' } }
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Login' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Login' } }
          application/xml: { schema: { $ref: '#/components/schemas/Login' } }
          text/plain: { schema: { type: string, maxLength: 3 } }
      responses: { '204': { description: Done } }
  /logins:
    post:
      operationId: loginAll
      requestBody:
        content:
          application/json:
            schema: { type: array, items: { $ref: '#/components/schemas/Login' } }
      responses: { '204': { description: Done } }
  /resets/{token}:
    get:
      operationId: readReset
      parameters:
        - { name: token, in: path, required: true, schema: { type: string, maxLength: 5 } }
      responses: { '204': { description: Done } }
  /safes/{code}/doors:
    get:
      operationId: readSafe
      parameters:
        - { name: code, in: path, required: true, schema: { type: string, format: password } }
      responses: { '204': { description: Done } }
  /subscriptions:
    post:
      operationId: subscribe
      requestBody: { content: { text/plain: { schema: { type: string } } } }
      responses: { '204': { description: Done } }
      callbacks:
        call:
          '{$request.body}': { post: { responses: { '204': { description: Done } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: gate }
  schemas:
    Login:
      type: object
      properties:
        password: { type: string, maxLength: 3 }
        code: { type: [string, integer], format: password, maxLength: 3, maximum: 3 }
        user: { type: string, maxLength: 3 }
`;

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type Sent = readonly [target: string, init?: RequestInit];

function post(body: string, headers: Record<string, string>): RequestInit {
  return { method: 'POST', body, headers };
}

/** The message of a refusal names the first 25 of its violations. */
const MANY_WRONG = Array.from({ length: 30 }, () => ({ user: 'Long name' }));

/** Requests with a secret, of which each is `S3CR…`: some long, some short. */
const requests: readonly (readonly [where: string, ...Sent])[] = [
  ['the key of a scheme in the query', '/login?gate=S3CRET', post('{}', JSON_TYPE)],
  ['a key by its name', '/login?appkey=S3CRETappkey&x-api-key=S3CR', post('{}', JSON_TYPE)],
  ['a key named key', '/login?key=S3CRETkey&sig=S3CRETsignature', post('{}', JSON_TYPE)],
  [
    'a user in a URI in the query',
    '/login?next=https%3A%2F%2Fme%3AS3CR%40a%2F',
    post('{}', JSON_TYPE),
  ],
  ['a user in a URI in the body', '/login', post('{"user": "https://me:S3CR@a/"}', JSON_TYPE)],
  ['a password in a violation', '/login', post('{"password": "S3CRET"}', JSON_TYPE)],
  ['a long password', '/login', post(`{"password": "${'S3CRET'.repeat(40)}"}`, JSON_TYPE)],
  [
    'a password behind many violations',
    '/logins',
    post(JSON.stringify([...MANY_WRONG, { password: 'S3CRET' }]), JSON_TYPE),
  ],
  ['a password by its schema', '/login', post('{"code": "S3CRET"}', JSON_TYPE)],
  ['a password in a parameter', '/login?filter%5Bcode%5D=S3CRET', post('{}', JSON_TYPE)],
  ['a password in an object of the query', '/login?code=S3CR', post('{}', JSON_TYPE)],
  ['a password in a field', '/login', post('{}', { ...JSON_TYPE, 'x-code': 'S3CR' })],
  ['a session in a cookie', '/login', post('{}', { ...JSON_TYPE, cookie: 'SESSID=S3CR' })],
  ['a URI in a field', '/login', post('{}', { ...JSON_TYPE, link: '<http://a/?key=S3CR>; rel=b' })],
  ['a password in a text', '/login', post('password=S3CRET', { 'content-type': 'text/plain' })],
  ['a form that is badly encoded', '/login', post('password=S3CR%zz', FORM)],
  ['a longer such form', '/login', post('user=a&password=S3CRETpassword%zz', FORM)],
  ['a name that is encoded', '/login', post('passw%6frd=S3CR%zz', FORM)],
  ['a query that is badly encoded', '/login?gate=S3CR%25zz%zz', post('{}', JSON_TYPE)],
  ['JSON that breaks off', '/login', post('{"password": "S3CRET', JSON_TYPE)],
  [
    'XML',
    '/login',
    post('<Login><password>S3CRET</password>', { 'content-type': 'application/xml' }),
  ],
  ['a parameter of a path by its name', '/resets/S3CRET'],
  ['an encoded one', '/resets/S3CR%20ET'],
  ['one of a path without the method', '/resets/S3CR', { method: 'DELETE' }],
  ['one of a longer path', '/resets/S3CR/more'],
  ['a parameter of a path by its schema', '/safes/S3CR/doors'],
  ['such a one without the method', '/safes/S3CR/doors', { method: 'DELETE' }],
];

interface LoggedMock {
  readonly mock: Mock;
  readonly log: () => string;
}

async function startLogged(
  t: ExecutionContext,
  form: LogSettings['form'],
  options: MockOptions = {},
): Promise<LoggedMock> {
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const log = createLog({ level: 'info', form, hasColor: false, write, now: () => 0 });
  const folder = await createFolder(t, { 'login.yaml': DOCUMENT });
  const document = join(folder, 'login.yaml');
  const mock = await createMock({ document, log, ...options });
  t.teardown(() => mock.close());
  return {
    mock,
    log: () => {
      log.flush();
      return text;
    },
  };
}

for (const [where, ...request] of requests) {
  test(`neither the log, nor the journal, nor events, nor the response show ${where}`, async (t) => {
    const { mock, log } = await startLogged(t, 'json');
    const events = await mock.fetch('/__admin/events');
    const reader = events.body?.getReader();
    const response = await mock.fetch(...request);
    const answered = await response.text();
    const journal = await (await mock.fetch('/__admin/journal')).text();
    const misses = await (await mock.fetch('/__admin/journal/near-misses')).text();
    let event = '';
    while (!event.includes('event: exchange')) {
      const part = await reader?.read();
      event += Buffer.from(part?.value ?? []).toString();
    }
    await reader?.cancel();
    for (const text of [log(), journal, misses, event]) t.notRegex(text, /S3CR/);
    for (const text of [journal, event]) t.regex(text, /\[redacted\]/);
    t.regex(log(), /"event":"request"/);
    t.notRegex(answered, /S3CR/);
    t.notRegex([...response.headers.values()].join('\n'), /S3CR/);
  });
}

test('lines for people show no secrets', async (t) => {
  const { mock, log } = await startLogged(t, 'lines');
  await mock.fetch('/login?gate=S3CRET', post('{"password": "S3CRET"}', JSON_TYPE));
  t.regex(log(), /\/login\?gate=\[redacted\]/);
  t.notRegex(log(), /S3CR/);
});

test('the log does not show the user of a target in absolute form', async (t) => {
  const { mock, log } = await startLogged(t, 'json');
  const { port } = await mock.listen({ port: 0 });
  await sendRaw(t, port, 'GET http://me:S3CR@a/resets/1 HTTP/1.1\r\nHost: a\r\n\r\n');
  t.regex(log(), /http:\/\/\[redacted\]@a\/resets\/\[redacted\]/);
  t.notRegex(log(), /S3CR/);
});

test('what is no secret is logged as it was sent', async (t) => {
  const { mock, log } = await startLogged(t, 'json');
  const target = '/login?page_token=3&sort=-name&monkey=1&author=x&passage=2;a=b';
  await mock.fetch(target, post('{"user": "Long name"}', JSON_TYPE));
  t.true(log().includes(JSON.stringify(target)), log());
  t.true(log().includes('got the string \\"Long name\\"'), log());
});

test('the log shows secrets where the journal does', async (t) => {
  const { mock, log } = await startLogged(t, 'json', { journalSecrets: true });
  const response = await mock.fetch('/login?gate=S3C', post('{"password": "S3CRET"}', JSON_TYPE));
  t.regex(log(), /gate=S3C.*got the string \\"S3CRET\\"/);
  t.regex(await response.text(), /S3CRET/);
});

for (const url of [
  'http://me:S3CR@127.0.0.1:9/',
  'http://127.0.0.1:9/?key=S3CR',
  'ftp://S3CR@a/',
]) {
  test(`the log does not show the secrets of the URL of a callback, such as ${url}`, async (t) => {
    const { mock, log } = await startLogged(t, 'json', { callbackHost: ['*'] });
    await mock.fetch('/subscriptions', post(url, { 'content-type': 'text/plain' }));
    for (let waited = 0; waited < 500 && !log().includes('callback not sent'); waited++) {
      await sleep(10);
    }
    t.regex(log(), /callback not sent.*\[redacted\]/);
    t.notRegex(log(), /S3CR/);
  });
}
