import { join } from 'node:path';
import test from 'ava';
import { createMock, UsageError } from '../../src/index.ts';
import { findExcuse } from '../../src/report/drill/run-drill.ts';
import { createFolder } from '../support/folder.ts';

const error = { description: 'An error' };
const seconds = { schema: { type: 'integer', minimum: 10 } };

const document = {
  openapi: '3.1.0',
  info: { title: 'Pots', version: '1' },
  paths: {
    '/pots': {
      get: {
        operationId: 'listPots',
        responses: { 200: { description: 'Pots' }, 404: error, '4XX': error, '5XX': error },
      },
      post: { responses: { 201: { description: 'A pot' }, default: error, 429: error } },
    },
    '/pots/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getPot',
        responses: {
          200: { description: 'A pot' },
          429: { ...error, headers: { 'Retry-After': seconds } },
        },
      },
    },
  },
};

const fixtures = {
  'rules.yaml':
    'rules:\n  - { name: late, enabled: false, answer: { fixedDelayMilliseconds: 9 } }\n',
};

test('a drill has each declared error, each disabled rule and each profile', async (t) => {
  const folder = await createFolder(t, fixtures);
  const mock = await createMock({ document, fixtures: join(folder, 'rules.yaml') });
  t.teardown(() => mock.close());
  const names = mock.drill().map(({ name }) => name);
  t.deepEqual(names.slice(0, 7), [
    'listPots.404',
    'listPots.429',
    'listPots.503',
    'POST /pots.429',
    'POST /pots.503',
    'getPot.429',
    'late',
  ]);
  t.deepEqual(names.slice(7, 10), ['brief-outage', 'corrupt', 'flaky']);
  t.is(mock.drill('flaky')[0]?.title, 'flaky: The service is unavailable.');
});

test('a name selects a failure, the failures of an operation, or those of a status', async (t) => {
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  const select = (...only: string[]) => mock.drill(...only).map(({ name }) => name);
  t.deepEqual(select('getPot'), ['getPot.429']);
  t.deepEqual(select('503', 'flaky'), ['listPots.503', 'POST /pots.503', 'flaky']);
  t.throws(() => mock.drill('getPots'), {
    instanceOf: UsageError,
    message: /did you mean getPot\.429/,
  });
});

test('an error that passes comes twice, with a pause of a second where the document allows it', async (t) => {
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  const [failure] = mock.drill('listPots.429');
  const session = await failure?.session();
  const responses = [1, 2, 3].map(() => session?.fetch('/pots'));
  const seen = (await Promise.all(responses)).map((one) => [
    one?.status,
    one?.headers.get('retry-after'),
  ]);
  t.deepEqual(seen, [
    [429, '1'],
    [429, '1'],
    [200, null],
  ]);
  const other = await mock.drill('getPot.429')[0]?.session();
  t.not((await other?.fetch('/pots/1'))?.headers.get('retry-after'), '1');
});

test('each failure has a session of its own', async (t) => {
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  const [failure] = mock.drill('listPots.404');
  const statuses = [];
  for (const _ of [1, 2]) {
    const session = await failure?.session();
    for (const _ of [1, 2]) statuses.push((await session?.fetch('/pots'))?.status);
  }
  t.deepEqual(statuses, [404, 200, 404, 200]);
});

test('a profile that acts by chance acts on the first request for certain', async (t) => {
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  const session = await mock.drill('flaky')[0]?.session();
  await t.throwsAsync(async () => session?.fetch('/pots'), { message: 'fetch failed' });
  t.is((await session?.fetch('/pots'))?.status, 503);
});

interface Hit {
  readonly method?: string;
  readonly status?: number;
  readonly fault?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const verdicts: readonly (readonly [hit: Hit, excuse: RegExp | undefined])[] = [
  [{ status: 503 }, undefined],
  [{ status: 404 }, /404 is not retried/],
  [{ status: 200 }, undefined],
  [{ method: 'POST', status: 503 }, undefined],
  [{ method: 'POST', status: 429 }, undefined],
  [{ method: 'POST', status: 500 }, /POST without Idempotency-Key/],
  [{ method: 'POST', status: 500, headers: { 'idempotency-key': 'a' } }, undefined],
  [{ method: 'PUT', status: 502 }, undefined],
  [{ fault: 'CONNECTION_RESET_BY_PEER', status: 0 }, undefined],
  [{ method: 'PATCH', fault: 'HANG', status: 0 }, /PATCH without/],
  [{ fault: 'TRUNCATED_BODY', status: 200 }, /breaks off/],
];

for (const [hit, excuse] of verdicts) {
  const { method = 'GET', status = 200, fault, headers = {} } = hit;
  const may = excuse === undefined ? 'must pass' : 'may fail';
  test(`a command ${may} after ${method} met ${fault ?? status} ${JSON.stringify(headers)}`, (t) => {
    const exchange = {
      request: { method, target: '/', headers },
      answer: { status, headers: {} },
      ...(fault !== undefined && { fault }),
    };
    const found = findExcuse({ isLasting: false }, [exchange]);
    if (excuse === undefined) t.is(found, undefined);
    else t.regex(found ?? '', excuse);
    t.regex(findExcuse({ isLasting: true }, [exchange]) ?? '', /outlasts/);
  });
}
