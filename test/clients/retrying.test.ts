import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMock, type Mock } from '../../src/index.ts';
import { testWith } from '../support/needs.ts';
import type { clients } from './retrying/clients.mjs';

const page = new URL('../../docs/explain/clients.md', import.meta.url);

/** `npm ci --prefix test/clients/retrying` installs the clients. */
const testWithClients = testWith(fileURLToPath(new URL('retrying/node_modules/', import.meta.url)));

interface Scenario {
  readonly method: 'GET' | 'POST';
  /** The rule that fails requests, besides its name. */
  readonly rule: Readonly<Record<string, unknown>>;
  /** The rules of verdicts that the page shows of it. */
  readonly asks: readonly string[];
  /** How many requests the client sends at once; 1 where it is left out. */
  readonly requests?: number;
  readonly timeout?: number;
}

/** By the number of their column on the page. */
const scenarios: readonly Scenario[] = [
  {
    method: 'GET',
    rule: { times: 1, answer: { fail: 429, headers: { 'Retry-After': '2' } } },
    asks: ['retry-after', 'retries-what-is-retryable'],
  },
  {
    method: 'GET',
    rule: { times: 2, per: { query: 'Marker' }, answer: { fail: 503 } },
    asks: ['back-off-grows', 'jitter'],
    requests: 8,
  },
  {
    method: 'GET',
    rule: { times: 1, answer: { fault: 'CONNECTION_RESET_BY_PEER' } },
    asks: ['retries-what-is-retryable'],
  },
  {
    method: 'POST',
    rule: { times: 1, answer: { fail: 400 } },
    asks: ['no-retry-of-client-errors'],
  },
  {
    method: 'POST',
    rule: { times: 1, answer: { fail: 503 } },
    asks: ['unsafe-retry-is-idempotent'],
  },
  {
    method: 'POST',
    rule: { times: 1, answer: { fault: 'CONNECTION_RESET_BY_PEER' } },
    asks: ['unsafe-retry-is-idempotent'],
  },
  {
    method: 'GET',
    rule: { times: 1, answer: { fault: 'HANG' } },
    asks: ['timeout-kept'],
    timeout: 3000,
  },
];

const TIMEOUT = 20_000;

const content = (schema: object) => ({ 'application/json': { schema, example: {} } });
const error = { description: 'An error' };
const responses = { 200: { description: 'Done', content: content({ type: 'object' }) } };
const errors = { 400: error, 429: error, 503: error };
const anyBody = {
  content: { ...content({ type: 'object' }), 'application/x-www-form-urlencoded': {} },
};

function pathOf(name: string) {
  const both = { responses: { ...responses, ...errors } };
  return {
    get: { operationId: `list${name}`, ...both },
    post: { operationId: `add${name}`, requestBody: anyBody, ...both },
  };
}

/** The second path is that of `@aws-sdk/client-lambda`. */
const document = {
  openapi: '3.1.0',
  info: { title: 'Seeds', version: '1' },
  paths: { '/seeds': pathOf('Seeds'), '/2015-03-31/functions': pathOf('Functions') },
};

/** Returns the rows of the table on the page: the cells by the name of the client. */
async function readTable(): Promise<ReadonlyMap<string, readonly string[]>> {
  const lines = (await readFile(page, 'utf8')).split('\n').filter((line) => line.startsWith('| ['));
  return new Map(
    lines.map((line) => {
      const [, client = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return [/\[`?([^`\]]+)/.exec(client)?.[1] ?? '', cells.slice(0, -1)];
    }),
  );
}

type Create = (typeof clients)[string];

/** Returns the cells of a scenario: the attempts and the result of each rule that it asks. */
async function tryClient(mock: Mock, create: Create, scenario: Scenario) {
  const { method, rule, asks, requests = 1, timeout = TIMEOUT } = scenario;
  const session = mock.session();
  await session.fixtures.add({ name: 'failing', ...rule });
  const send = create(session.url, timeout);
  const sent = Array.from({ length: requests }, (_, number) => send(method, number));
  await Promise.allSettled(sent);
  // The mock sees the end of a connection a moment after the client has closed it.
  await sleep(200);
  const { rules } = await session.verdict({ also: ['retries-what-is-retryable'] });
  const attempts = (await session.journal.list()).length / requests;
  const resultOf = (name: string) => rules.find((one) => one.rule === name)?.result ?? 'missing';
  const others = rules.filter(({ rule: name }) => ![...asks, 'retry-budget'].includes(name));
  return {
    cells: asks.map((name) => `${resultOf(name)}, ${attempts}`),
    broken: others.filter(({ result }) => result === 'broken').map(({ reason }) => reason),
  };
}

/** The columns of `retry-after`, `back-off-grows` and `jitter`. */
const RETRY_AFTER = 0;
const BACK_OFF = 2;
const JITTER = 3;

/**
 * Returns whether chance or a busy machine may show one cell in place of another: waits vary, and a
 * random one may be as short as the time in which other requests are under way.
 */
function mayBe(seen: string, shown: string | undefined, column: number): boolean {
  if (seen.startsWith('undecided')) return [RETRY_AFTER, BACK_OFF, JITTER].includes(column);
  // Equal waits seem to grow, or to vary, when the machine is slow in the last one.
  const isNoise = seen.startsWith('kept') && shown?.startsWith('kept') !== true;
  return isNoise && [BACK_OFF, JITTER].includes(column);
}

testWithClients(
  'docs/explain/clients.md says what each rule says of twelve public clients',
  async (t) => {
    t.timeout(120_000);
    const { clients } = await import('./retrying/clients.mjs');
    const mock = await createMock({ document });
    t.teardown(() => mock.close());
    await mock.listen({ port: 0 });
    // What a client loads with its first request is not to look like a slow one.
    for (const create of Object.values(clients)) {
      for (const method of ['GET', 'POST'] as const)
        await create(mock.session().url, TIMEOUT)(method, 0);
    }
    const expected = await readTable();
    t.deepEqual([...expected.keys()].sort(), Object.keys(clients).sort());
    await Promise.all(
      Object.entries(clients).map(async ([name, create]) => {
        const all = await Promise.all(scenarios.map((one) => tryClient(mock, create, one)));
        const cells = all.flatMap((one) => one.cells);
        const shown = expected.get(name) ?? [];
        const seen = cells.map((cell, index) =>
          mayBe(cell, shown[index], index) ? shown[index] : cell,
        );
        t.deepEqual(seen, [...shown], name);
        t.deepEqual(
          all.flatMap(({ broken }) => broken),
          [],
          name,
        );
      }),
    );
  },
);
