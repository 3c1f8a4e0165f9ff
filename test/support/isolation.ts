import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext, TestFn } from 'ava';
import { createRandom, type Random } from '../../src/base/random.ts';
import { createFolder } from './folder.ts';

const TESTS = 200;
const STEPS = 7;

const DOCUMENT = `
openapi: 3.1.0
info: { title: Isolation, version: '1' }
paths:
  /plants:
    post:
      operationId: createPlant
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Plant' }
      responses:
        '201':
          description: Created
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Plant' }
        '400': { $ref: '#/components/responses/Error' }
        '429': { $ref: '#/components/responses/Error' }
        '503': { $ref: '#/components/responses/Error' }
  /measurement:
    get:
      operationId: measure
      responses:
        '200':
          description: Made up anew each time
          content:
            application/json:
              schema:
                type: object
                required: [at, value, notes]
                properties:
                  at: { type: string, format: date-time }
                  value: { type: number }
                  notes: { type: array, minItems: 1, maxItems: 5, items: { type: string } }
        '503': { $ref: '#/components/responses/Error' }
components:
  responses:
    Error:
      description: It failed
      content:
        application/json:
          schema:
            type: object
            required: [message]
            properties: { message: { type: string }, code: { type: integer } }
  schemas:
    Plant:
      type: object
      required: [id, name]
      properties: { id: { type: integer, format: int64 }, name: { type: string } }
`;

const FIXTURES = `
rules:
  - { name: flaky, enabled: false, probability: 0.3, answer: { fail: 503 } }
  - name: reset
    enabled: false
    probability: 0.2
    match: { operationId: createPlant }
    answer: { fault: CONNECTION_RESET_BY_PEER }
  - name: cut
    enabled: false
    probability: 0.2
    match: { operationId: measure }
    answer: { fault: TRUNCATED_BODY }
  - name: third
    enabled: false
    every: 3
    match: { operationId: createPlant }
    answer: { fail: 429 }
  - name: late
    enabled: false
    probability: 0.5
    answer: { delayDistribution: { type: uniform, lower: 0, upper: 3 } }
`;

const NAMES = ['flaky', 'reset', 'cut', 'third', 'late'];

interface Wish {
  readonly method: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The response without its time of day. */
interface Seen {
  readonly status: number;
  readonly fields: string;
  readonly body: string;
  readonly fault: string;
}

/** Sends requests of one session, in one of the ways in which it can be named. */
class Client {
  readonly #port: number;
  readonly #agent: Agent;
  readonly #prefix: string;
  readonly #fields: Readonly<Record<string, string>>;

  constructor(port: number, agent: Agent, session: string, way: number) {
    this.#port = port;
    this.#agent = agent;
    this.#prefix = way === 0 ? `/__session/${session}` : '';
    const ways: readonly Readonly<Record<string, string>>[] = [
      {},
      { 'mock-session': session },
      { baggage: `other=1,mock-session=${session}` },
      { cookie: `other=1; mock-session=${session}` },
    ];
    this.#fields = ways[way] ?? {};
  }

  send({ method, path, fields = {}, body }: Wish): Promise<Seen> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method,
        path: this.#prefix + path,
        headers: {
          ...type,
          'content-length': String(Buffer.byteLength(text)),
          ...this.#fields,
          ...fields,
        },
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        resolve({ status: 0, fields: '', body: '', fault: error.code ?? error.message });
      });
      outgoing.on('response', (incoming) => resolve(read(incoming)));
      outgoing.end(text);
    });
  }

  async json<Value>(wish: Wish): Promise<Value> {
    const { status, body } = await this.send(wish);
    if (status < 200 || status > 299) throw new Error(`${wish.path}: ${status} ${body}`);
    return (body === '' ? undefined : JSON.parse(body)) as Value;
  }
}

async function read(incoming: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('error', () => {});
  await once(incoming, 'close');
  const { date, ...headers } = incoming.headers;
  return {
    status: incoming.statusCode ?? 0,
    fields: JSON.stringify(headers),
    body: Buffer.concat(chunks).toString('latin1'),
    fault: incoming.complete ? '' : 'cut',
  };
}

function numberOf(random: Random, below: number): number {
  return Math.floor(random.next() * below);
}

/** One step of a test: what it does is drawn, from the test's own chance. */
function drawStep(number: number, step: number, random: Random): Wish {
  const name = NAMES[numberOf(random, NAMES.length)] ?? '';
  const plant = { id: number * 1_000 + step, name: `plant of test ${number}` };
  const steps: readonly Wish[] = [
    { method: 'POST', path: '/plants', body: plant },
    { method: 'POST', path: '/plants', body: plant },
    { method: 'POST', path: '/plants', body: { ...plant, id: 'wrong' } },
    { method: 'GET', path: '/measurement' },
    { method: 'GET', path: '/measurement' },
    { method: 'PUT', path: `/__admin/fixtures/${name}/enabled`, body: { enabled: true } },
    { method: 'PUT', path: `/__admin/fixtures/${name}/enabled`, body: { enabled: true } },
    { method: 'PUT', path: `/__admin/fixtures/${name}/enabled`, body: { enabled: false } },
    {
      method: 'POST',
      path: '/__admin/fail',
      body: { operationId: 'createPlant', status: 503, times: 2 },
    },
    { method: 'POST', path: '/__admin/clock/advance', body: { by: '90s' } },
    { method: 'GET', path: '/__admin/state/plants' },
  ];
  return steps[numberOf(random, steps.length)] ?? { method: 'GET', path: '/measurement' };
}

interface Outcome {
  /** Everything that came, a line an answer. */
  readonly seen: string;
  readonly failures: number;
  /** Traces of another test; empty if there are none. */
  readonly strange: readonly string[];
}

interface Kept {
  readonly session?: string;
  readonly number: number;
  readonly status?: number;
}

/** A test as a user has it: a session of its own, failures, calls, and a look at what there is. */
async function runTest(port: number, agent: Agent, number: number): Promise<Outcome> {
  const random = createRandom(`test ${number}`);
  const client = new Client(port, agent, `test-${number}`, number % 4);
  const seen: unknown[] = [];
  await client.json({
    method: 'PUT',
    path: `/__admin/sessions/test-${number}`,
    body: { seed: `seed ${number}`, now: '2030-01-01T00:00:00Z', isFrozen: true },
  });
  const wishes = Array.from({ length: STEPS }, (_, step) => drawStep(number, step, random));
  let calls = 0;
  let failures = 0;
  for (const wish of [NAMES.slice(0, 3).map(switchOn), wishes].flat()) {
    const answer = await client.send(wish);
    seen.push(answer);
    if (!wish.path.startsWith('/__admin')) calls++;
    if (answer.fault !== '' || answer.status >= 429) failures++;
  }
  const plants = await client.json<{ readonly name: string }[]>({
    method: 'GET',
    path: '/__admin/state/plants',
  });
  const { exchanges } = await client.json<{ readonly exchanges: readonly Kept[] }>({
    method: 'GET',
    path: '/__admin/journal?limit=1000',
  });
  seen.push(plants, exchanges.map(withoutTiming));
  return {
    seen: seen.map((one) => JSON.stringify(one)).join('\n'),
    failures,
    strange: findStrange(number, plants, exchanges, calls),
  };
}

function switchOn(name: string): Wish {
  return { method: 'PUT', path: `/__admin/fixtures/${name}/enabled`, body: { enabled: true } };
}

/** How long something took is the machine's; so is the port of the Host. */
function withoutTiming(exchange: Kept): unknown {
  return JSON.parse(
    JSON.stringify(exchange, (name, value: unknown) =>
      /^(?:milliseconds|timing|host|Host|connection)$/.test(name) ? undefined : value,
    ),
  );
}

function findStrange(
  number: number,
  plants: readonly { readonly name: string }[],
  exchanges: readonly Kept[],
  calls: number,
): readonly string[] {
  const own = `plant of test ${number}`;
  return [
    ...plants.filter(({ name }) => name !== own).map(({ name }) => `state: ${name}`),
    ...exchanges
      .flatMap((exchange) => JSON.stringify(exchange).match(/plant of test \d+/g) ?? [])
      .filter((name) => name !== own)
      .map((name) => `journal: ${name}`),
    ...(exchanges.length === calls ? [] : [`${exchanges.length} exchanges for ${calls} calls`]),
  ].map((what) => `test ${number}: ${what}`);
}

/** Starts a mock, or several that are to be as one; @returns the port where it is reached */
export type Listen = (
  t: ExecutionContext,
  options: { readonly document: string; readonly fixtures: readonly string[] },
) => Promise<number>;

async function open(
  t: ExecutionContext,
  fixtures: string,
  listen: Listen,
): Promise<{ readonly port: number; readonly agent: Agent }> {
  const folder = await createFolder(t, { 'api.yaml': DOCUMENT, 'fixtures.yaml': fixtures });
  const port = await listen(t, {
    document: `${folder}/api.yaml`,
    fixtures: [`${folder}/fixtures.yaml`],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: TESTS });
  t.teardown(() => agent.destroy());
  return { port, agent };
}

/** @returns the first answer that is another, as it was and as it is */
function differenceOf(before: string, after: string): string {
  const lines = after.split('\n');
  const index = before.split('\n').findIndex((line, place) => line !== lines[place]);
  return `answer ${index} was\n${before.split('\n')[index]}\nand is\n${lines[index]}`;
}

function shuffle(count: number, random: Random): readonly number[] {
  return Array.from({ length: count }, (_, number) => ({ number, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ number }) => number);
}

const SWITCHED = `
rules:
  - name: out
    enabled: false
    match: { operationId: createPlant }
    answer: { fail: 503 }
`;
const SWITCHES_A_SECOND = 100;
const SECONDS = 3;

/**
 * Makes the tests that two sessions share nothing, and that a switch loses no request.
 *
 * @param runs of all tests at once, each of which must bring the same
 */
export function registerIsolation(test: TestFn, listen: Listen, runs: number): void {
  test.serial(
    `200 tests at once, each in its session: ${runs} runs give each the same bytes, and none sees another`,
    async (t) => {
      t.timeout(300_000);
      const { port, agent } = await open(t, FIXTURES, listen);
      const chance = new Client(port, agent, 'default', 1);
      let first: readonly Outcome[] | undefined;
      for (let run = 1; run <= runs; run++) {
        const outcomes: Outcome[] = [];
        // Who begins first changes from run to run, and so does who meets whom.
        await Promise.all(
          shuffle(TESTS, createRandom(`run ${run}`)).map(async (number) => {
            outcomes[number] = await runTest(port, agent, number);
          }),
        );
        const strange = outcomes.flatMap((outcome) => outcome.strange);
        t.deepEqual(strange, [], `run ${run}`);
        first ??= outcomes;
        for (const [number, { seen }] of outcomes.entries()) {
          const before = first[number]?.seen ?? '';
          if (seen !== before) t.fail(`run ${run}, test ${number}: ${differenceOf(before, seen)}`);
        }
        await chance.json({ method: 'DELETE', path: '/__admin/sessions' });
      }
      const failing = first?.filter(({ failures }) => failures > 0).length ?? 0;
      t.true(failing > TESTS / 2, `${failing} of ${TESTS} tests met a failure`);
      t.true(new Set(first?.map(({ seen }) => seen)).size > TESTS * 0.95, 'they differ');
    },
  );

  test.serial(
    'a fixture that is switched 100 times a second under load loses no request',
    async (t) => {
      t.timeout(60_000);
      const { port, agent } = await open(t, SWITCHED, listen);
      const client = new Client(port, agent, 'switched', 1);
      const answered = new Map<number, number>();
      const faults: string[] = [];
      let isOver = false;
      let id = 0;
      const load = async (): Promise<void> => {
        while (!isOver) {
          const number = ++id;
          const { status, fault } = await client.send(create(number));
          if (fault !== '') faults.push(fault);
          answered.set(number, status);
        }
      };
      const loads = Array.from({ length: 32 }, load);
      const started = performance.now();
      for (let count = 0; count < SWITCHES_A_SECOND * SECONDS; count++) {
        const enabled = count % 2 === 0;
        const { status } = await client.send({
          method: 'PUT',
          path: '/__admin/fixtures/out/enabled',
          body: { enabled },
        });
        t.is(status, 200);
        const number = ++id;
        const own = await client.send(create(number));
        answered.set(number, own.status);
        t.is(
          own.status,
          enabled ? 503 : 201,
          'a switch that was answered holds for what comes after',
        );
        await sleep(started + (count * 1_000) / SWITCHES_A_SECOND - performance.now());
      }
      isOver = true;
      await Promise.all(loads);
      t.log(`${answered.size} requests, ${SWITCHES_A_SECOND * SECONDS} switches`);
      t.deepEqual(faults, []);
      t.deepEqual([...new Set(answered.values())].sort(), [201, 503]);
      const plants = await client.json<{ readonly id: number }[]>({
        method: 'GET',
        path: '/__admin/state/plants',
      });
      const taken = [...answered].flatMap(([number, status]) => (status === 201 ? number : []));
      t.deepEqual(plants.map((plant) => plant.id).sort(byNumber), taken.sort(byNumber));
      const { count } = await client.json<{ readonly count: number }>({
        method: 'POST',
        path: '/__admin/journal/count',
        body: {},
      });
      t.is(count, Math.min(answered.size, 1_000), 'the journal has them, as many as it keeps');
    },
  );
}

function create(id: number): Wish {
  return { method: 'POST', path: '/plants', body: { id, name: 'Fern' } };
}

function byNumber(one: number, other: number): number {
  return one - other;
}
