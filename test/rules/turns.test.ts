import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import type { JsonValue } from '../../src/base/json/value.ts';
import { createRandom } from '../../src/base/random.ts';
import { Contract, type Operation } from '../../src/contract/contract.ts';
import { parseSource } from '../../src/document/source.ts';
import { FilePlace, SourceDocument } from '../../src/document/source-document.ts';
import { Fields, NO_BODY } from '../../src/http/message.ts';
import type { RequestView } from '../../src/request/view.ts';
import { checkForm } from '../../src/rules/schema/check-form.ts';
import { compileTurn } from '../../src/rules/turn/compile-turn.ts';
import { listScenarios, stateOf } from '../../src/rules/turn/conditions.ts';
import type { Turn, TurnMemory, TurnOutcome } from '../../src/rules/turn/turn.ts';
import { parseDocument } from '../support/documents.ts';
import { diagnosticsOf, inBrief } from '../support/failures.ts';
import { openForJudging } from '../support/judges.ts';
import { fc, holds } from '../support/properties.ts';

const START = 1_700_000_000_000;

const contract = new Contract(
  parseDocument(
    'garden.yaml',
    `
openapi: 3.1.0
info: { title: Garden, version: '1' }
paths:
  /beds:
    get: { operationId: listBeds, responses: { '200': { description: All } } }
  /beds/{bed}/plants/{plant}:
    get: { operationId: readPlant, responses: { '200': { description: One } } }
    delete: { operationId: removePlant, responses: { '200': { description: Gone } } }
`,
  ),
);

function operation(id: string): Operation {
  const found = contract.operation(id);
  assert.ok(found);
  return found;
}

interface ViewParts {
  readonly operation?: Operation;
  readonly path?: string;
  readonly credential?: string;
  readonly parameters?: Readonly<Record<string, readonly string[]>>;
}

/** @param parameters texts by place and name: `path bed` */
function viewOf({ path = '/beds', credential, parameters = {}, ...parts }: ViewParts): RequestView {
  return {
    request: { method: 'GET', target: path, fields: new Fields({}), rawBody: NO_BODY },
    path,
    query: '',
    operation: parts.operation,
    session: 'default',
    now: 0,
    caller: undefined,
    credential,
    body: undefined,
    bodyText: '',
    texts: (location, name) => parameters[`${location} ${name}`] ?? [],
    value: () => undefined,
  };
}

/** Reads the members of a rule, each on a line of its own from the second on. */
function read(members: Readonly<Record<string, unknown>>) {
  const rule = { ...members, name: 'rule', answer: { status: 400 } };
  const text = `{"rules":[${JSON.stringify(rule, undefined, 1)}]}`;
  const file = new SourceDocument(parseSource('rule.json', text));
  return { file, faults: checkForm(new FilePlace(file), 'file') };
}

/** @returns the turn of a rule with these members */
function turnOf(
  members: Readonly<Record<string, unknown>>,
  { operations = [], onlyDelays = false }: { operations?: Operation[]; onlyDelays?: boolean } = {},
): Turn {
  const { file, faults } = read(members);
  assert.deepEqual(faults, []);
  const owner = { name: 'rule', operations, onlyDelays };
  return compileTurn(new FilePlace(file, '/rules/0'), members, owner);
}

function createMemory(): TurnMemory {
  return { counters: new Map(), scenarios: new Map() };
}

/** A session in which a rule is asked at moments after the start. */
class Asking {
  readonly memory = createMemory();
  readonly random = createRandom('seed');
  readonly turn: Turn;

  constructor(turn: Turn) {
    this.turn = turn;
  }

  at(milliseconds: number, parts: ViewParts = {}): TurnOutcome {
    const occasion = { view: viewOf(parts), now: START + milliseconds, random: this.random };
    return this.turn.take(occasion, this.memory);
  }

  /** @returns a letter for each request: `A` acts, `-` does not */
  row(moments: readonly number[], parts: ViewParts = {}): string {
    return moments.map((moment) => (this.at(moment, parts).acts ? 'A' : '-')).join('');
  }
}

function ask(members: Readonly<Record<string, unknown>>, moments: readonly number[]): string {
  return new Asking(turnOf(members)).row(moments);
}

const ATONCE = Array.from({ length: 10 }, () => 0);

/** The turns of ten simultaneous requests. */
const counts: Readonly<Record<string, readonly [members: Record<string, unknown>, row: string]>> = {
  'a rule without counts always acts': [{}, 'AAAAAAAAAA'],
  'times limits how often a rule acts': [{ times: 3 }, 'AAA-------'],
  'after skips requests': [{ after: 3 }, '---AAAAAAA'],
  'every 2 acts on each second request': [{ every: 2 }, '-A-A-A-A-A'],
  'after 1, every 3 and times 2 combine': [{ after: 1, every: 3, times: 2 }, '---A--A---'],
  'failRequestCount works like times': [{ failRequestCount: 2 }, 'AA--------'],
  'succeedFirst works like after': [{ succeedFirst: 8 }, '--------AA'],
  'both names of MockServer combine': [{ succeedFirst: 1, failRequestCount: 2 }, '-AA-------'],
  'probability 0 never acts': [{ probability: 0 }, '----------'],
};

for (const [fact, [members, row]] of Object.entries(counts)) {
  test(`counting: ${fact}`, (t) => {
    t.is(ask(members, ATONCE), row);
  });
}

const times: Readonly<
  Record<string, readonly [Record<string, unknown>, moments: readonly number[], row: string]>
> = {
  'an outage starts after a time from the first request': [
    { outageAfterMillis: 100 },
    [50, 149, 150, 151, 9999],
    '--AAA',
  ],
  'an outage without a start time starts with the first request': [
    { outageDurationMillis: 100 },
    [50, 51, 149, 150, 151],
    'AAA--',
  ],
  'an outage ends': [
    { outageAfterMillis: 100, outageDurationMillis: 100 },
    [0, 99, 100, 199, 200],
    '--AA-',
  ],
  'counts and outage must both apply': [
    { outageAfterMillis: 100, after: 2, times: 2 },
    [0, 10, 20, 100, 110],
    '---A-',
  ],
};

for (const [fact, [members, moments, row]] of Object.entries(times)) {
  test(`time: ${fact}`, (t) => {
    t.is(ask(members, moments), row);
  });
}

test('a ramp raises the strength from its start to its end', (t) => {
  const members = { degradationRampMillis: 100, outageAfterMillis: 50 };
  const asking = new Asking(turnOf(members, { onlyDelays: true }));
  const strengths = [0, 50, 75, 100, 150, 500].map((moment) => asking.at(moment));
  t.deepEqual(
    strengths.map(({ acts, strength }) => [acts, strength]),
    [
      [false, 1],
      [true, 0],
      [true, 0.25],
      [true, 0.5],
      [true, 1],
      [true, 1],
    ],
  );
});

test('a ramp raises the share of requests that fail', (t) => {
  const asking = new Asking(turnOf({ degradationRampMillis: 10_000 }));
  const share = (from: number): number => {
    const row = asking.row(Array.from({ length: 1000 }, (_, index) => from + index));
    return row.replaceAll('-', '').length / 1000;
  };
  const shares = [0, 4500, 9000, 10_000].map(share);
  t.true(Math.abs((shares[0] ?? 1) - 0.05) < 0.03, `${shares}`);
  t.true(Math.abs((shares[1] ?? 1) - 0.5) < 0.06, `${shares}`);
  t.true(Math.abs((shares[2] ?? 0) - 0.95) < 0.03, `${shares}`);
  t.is(shares[3], 1);
});

test('a clock that is set back restarts an outage and blocks nothing', (t) => {
  const outage = new Asking(turnOf({ outageAfterMillis: 100, outageDurationMillis: 100 }));
  t.is(outage.row([1_000_000, 1_000_150, 0, 99, 100, 199, 200]), '-A--AA-');
  const limit = new Asking(turnOf({ rateLimit: { limit: 1, windowMillis: 1000 } }));
  t.is(limit.row([1_000_000, 1_000_001, 0, 999, 1000, 1001, 2000]), '-AA-AA-');
});

test('each probability takes one random number, and certainty none', (t) => {
  const drawn = (members: Readonly<Record<string, unknown>>): number => {
    let count = 0;
    const random = { next: () => [count++, 0.5][1] ?? 0 };
    const turn = turnOf(members);
    const memory = createMemory();
    for (let request = 0; request < 10; request++) {
      turn.take({ view: viewOf({}), now: START, random }, memory);
    }
    return count;
  };
  t.is(drawn({}), 0);
  t.is(drawn({ times: 4 }), 0);
  t.is(drawn({ probability: 0.9 }), 10);
  t.is(drawn({ probability: 0 }), 10);
  t.is(drawn({ probability: 0.9, after: 3, times: 4 }), 4);
});

test('matched and acted requests of a rule are counted', (t) => {
  const asking = new Asking(turnOf({ after: 1, times: 2, per: 'client' }));
  for (const credential of ['ann', 'ann', 'ann', 'ann', 'ben']) asking.at(0, { credential });
  const counters = [...(asking.memory.counters.get('rule') ?? [])];
  t.deepEqual(
    counters.map(([key, { matched, acted }]) => [key, matched, acted]),
    [
      ['ann', 4, 2],
      ['ben', 1, 0],
    ],
  );
});

test('an equal turn gives the same object', (t) => {
  const always = new Asking(turnOf({}));
  t.is(always.at(0), always.at(0));
  const never = new Asking(turnOf({ probability: 0 }));
  t.is(never.at(0), never.at(0));
});

const twoPlants = (id: string): readonly ViewParts[] =>
  ['fern', 'moss'].map((plant) => ({
    operation: operation(id),
    path: `/beds/1/plants/${plant}`,
    parameters: { 'path bed': ['1'], 'path plant': [plant] },
  }));

/** Two requests that differ in one thing, each sent twice by turns, to a rule with `times: 1`. */
const scopes: Readonly<
  Record<string, readonly [per: unknown, requests: readonly ViewParts[], row: string]>
> = {
  'without a scope, all requests count together': [
    undefined,
    [{ operation: operation('listBeds') }, { operation: operation('readPlant') }],
    'A---',
  ],
  'per operation': [
    'operation',
    [{ operation: operation('listBeds') }, { operation: operation('readPlant') }],
    'AA--',
  ],
  'one operation with two resources': ['operation', twoPlants('readPlant'), 'A---'],
  'per resource': ['resource', twoPlants('readPlant'), 'AA--'],
  'one resource with several operations': [
    'resource',
    [...twoPlants('readPlant').slice(0, 1), ...twoPlants('removePlant').slice(0, 1)],
    'A---',
  ],
  'an unknown path counts as a resource': ['resource', [{ path: '/a' }, { path: '/b' }], 'AA--'],
  'per client': ['client', [{ credential: 'ann' }, { credential: 'ben' }], 'AA--'],
  'requests without a credential are one client': ['client', [{}, { path: '/b' }], 'A---'],
  'per value of a header': [
    { header: 'x-tenant' },
    [{ parameters: { 'header x-tenant': ['a'] } }, { parameters: { 'header x-tenant': ['b'] } }],
    'AA--',
  ],
  'per value of a query parameter': [
    { query: 'page' },
    [{ parameters: { 'query page': ['1'] } }, { parameters: { 'query page': ['1', '2'] } }],
    'AA--',
  ],
  'per value of a cookie': [
    { cookie: 'visitor' },
    [{ parameters: { 'cookie visitor': ['1'] } }, {}],
    'AA--',
  ],
  'per one of two path parameters': [{ path: 'bed' }, twoPlants('readPlant'), 'A---'],
  'long values by their start, length and end': [
    'client',
    [{ credential: `${'x'.repeat(5000)}a` }, { credential: `${'x'.repeat(5000)}b` }],
    'AA--',
  ],
};

for (const [fact, [per, requests, row]] of Object.entries(scopes)) {
  test(`separate counts: ${fact}`, (t) => {
    const asking = new Asking(turnOf({ times: 1, ...(per !== undefined && { per }) }));
    const acts = [...requests, ...requests].map((parts) => asking.at(0, parts).acts);
    t.is(acts.map((one) => (one ? 'A' : '-')).join(''), row);
  });
}

test('of ten thousand and one clients, the first is forgotten', (t) => {
  const asking = new Asking(turnOf({ times: 1, per: 'client' }));
  for (let client = 0; client < 10_000; client++) asking.at(0, { credential: `${client}` });
  t.false(asking.at(0, { credential: '0' }).acts);
  t.true(asking.at(0, { credential: 'one more' }).acts);
  t.is(asking.memory.counters.get('rule')?.size, 10_000);
  t.false(asking.at(0, { credential: '9999' }).acts);
  t.true(asking.at(0, { credential: '0' }).acts, 'the oldest, as if it came first');
});

test('a bucket allows its burst and then its refill', (t) => {
  const members = { rateLimit: { limit: 2, windowMillis: 1000, burst: 3 } };
  t.is(
    ask(members, [0, 0, 0, 0, 499, 500, 500, 999, 1000, 9000, 9000, 9000, 9000]),
    '---AA-AA----A',
  );
});

test('a rate limit reports the rest on every response, and when to retry', (t) => {
  const asking = new Asking(turnOf({ rateLimit: { limit: 2, windowMillis: 60_000 } }));
  t.deepEqual(
    [0, 0, 0, 29_500, 30_000].map((moment) => asking.at(moment).fields),
    [
      { 'ratelimit-policy': '"rule";q=2;w=60', ratelimit: '"rule";r=1;t=30' },
      { 'ratelimit-policy': '"rule";q=2;w=60', ratelimit: '"rule";r=0;t=60' },
      { 'ratelimit-policy': '"rule";q=2;w=60', ratelimit: '"rule";r=0;t=60', 'retry-after': '30' },
      { 'ratelimit-policy': '"rule";q=2;w=60', ratelimit: '"rule";r=0;t=31', 'retry-after': '1' },
      { 'ratelimit-policy': '"rule";q=2;w=60', ratelimit: '"rule";r=0;t=60' },
    ],
  );
});

test('a window of fractional seconds is not reported', (t) => {
  const asking = new Asking(turnOf({ rateLimit: { limit: 2, windowMillis: 1500 } }));
  t.is(asking.at(0).fields['ratelimit-policy'], '"rule";q=2');
});

test('a client that waits for Retry-After is served', (t) => {
  const property = fc.property(
    fc.integer({ min: 1, max: 1000 }),
    fc.integer({ min: 1, max: 100_000 }),
    fc.integer({ min: 1, max: 50 }),
    (limit, windowMillis, burst) => {
      const asking = new Asking(turnOf({ rateLimit: { limit, windowMillis, burst } }));
      let outcome = asking.at(0);
      while (!outcome.acts) outcome = asking.at(0);
      const wait = Number(outcome.fields['retry-after']);
      assert.ok(Number.isInteger(wait) && wait >= 1);
      assert.equal(asking.at(wait * 1000).acts, false);
    },
  );
  holds(t, property, 300);
});

test('a scenario starts in Started and changes when a rule acts', (t) => {
  const memory = createMemory();
  const scenario = (required: string | undefined, next: string | undefined, more = {}) =>
    turnOf({
      scenarioName: 'door',
      ...(required !== undefined && { requiredScenarioState: required }),
      ...(next !== undefined && { newScenarioState: next }),
      ...more,
    });
  const take = (turn: Turn): boolean =>
    turn.take({ view: viewOf({}), now: START, random: createRandom('a') }, memory).acts;
  const open = scenario('Started', 'open', { after: 1 });
  const pass = scenario('open', undefined);
  const close = scenario('open', 'Started', { probability: 0 });
  const any = scenario(undefined, 'broken');
  t.deepEqual([take(pass), take(open), stateOf(memory, 'door')], [false, false, 'Started']);
  t.deepEqual([take(open), stateOf(memory, 'door')], [true, 'open']);
  t.deepEqual(
    [take(pass), take(open), take(close), stateOf(memory, 'door')],
    [true, false, false, 'open'],
  );
  t.deepEqual([take(any), stateOf(memory, 'door')], [true, 'broken']);
});

test('a rule of another scenario state does not count requests', (t) => {
  const asking = new Asking(turnOf({ scenarioName: 's', requiredScenarioState: 'on', times: 1 }));
  t.is(asking.row([0, 0]), '--');
  asking.memory.scenarios.set('s', 'on');
  t.is(asking.row([0, 0]), 'A-');
});

test('the states of a scenario come from its rules, Started first', (t) => {
  const scenarios = [
    { scenarioName: 'a', newScenarioState: 'two' },
    { scenarioName: 'a', requiredScenarioState: 'two', newScenarioState: 'three' },
    {},
    { scenarioName: 'b' },
  ];
  const states = [...listScenarios(scenarios)].map(([name, all]) => [name, ...all]);
  t.deepEqual(states, [
    ['a', 'Started', 'two', 'three'],
    ['b', 'Started'],
  ]);
});

/** The same rules, but slowly and by the book: what happened is kept, and looked through. */
class NaiveRule {
  readonly #members: Members;
  readonly #random = createRandom('seed');
  readonly #moments = new Map<string, number[]>();
  /** In parts of a token: a window has one for each of its milliseconds. */
  readonly #bucket = new Map<string, { parts: number; at: number }>();

  constructor(members: Members) {
    this.#members = members;
  }

  acts(now: number, key: string): boolean {
    const moments = [...(this.#moments.get(key) ?? []), now];
    this.#moments.set(key, moments);
    const isSpent = this.#draw(key, now);
    const isDue = this.#isCounted(moments.length) && this.#isOut(moments) && isSpent;
    const chance = (this.#members.probability ?? 1) * this.#strength(moments);
    return isDue && (chance >= 1 || this.#random.next() < chance);
  }

  #isCounted(requests: number): boolean {
    const { after = 0, every = 1, times } = this.#members;
    let passed = 0;
    let waited = 0;
    let turns = 0;
    let isTurn = false;
    for (let request = 0; request < requests; request++) {
      isTurn = false;
      if (passed < after) passed += 1;
      else if (waited < every - 1) waited += 1;
      else {
        waited = 0;
        turns += 1;
        isTurn = times === undefined || turns <= times;
      }
    }
    return isTurn;
  }

  #isOut([first = 0, ...rest]: readonly number[]): boolean {
    const elapsed = (rest.at(-1) ?? first) - first;
    const { outageAfterMillis: begin = 0, outageDurationMillis: length } = this.#members;
    return elapsed >= begin && (length === undefined || elapsed < begin + length);
  }

  #strength([first = 0, ...rest]: readonly number[]): number {
    const { degradationRampMillis: ramp, outageAfterMillis: begin = 0 } = this.#members;
    if (ramp === undefined) return 1;
    const elapsed = (rest.at(-1) ?? first) - first - begin;
    return elapsed <= 0 ? 0 : elapsed >= ramp ? 1 : elapsed / ramp;
  }

  #draw(key: string, now: number): boolean {
    const { rateLimit } = this.#members;
    if (rateLimit === undefined) return true;
    const { limit, windowMillis, burst = limit } = rateLimit;
    const full = burst * windowMillis;
    const bucket = this.#bucket.get(key) ?? { parts: full, at: now };
    this.#bucket.set(key, bucket);
    for (; bucket.at < now; bucket.at++) bucket.parts = Math.min(full, bucket.parts + limit);
    if (bucket.parts < windowMillis) return true;
    bucket.parts -= windowMillis;
    return false;
  }
}

interface Members {
  readonly after?: number;
  readonly every?: number;
  readonly times?: number;
  readonly probability?: number;
  readonly outageAfterMillis?: number;
  readonly outageDurationMillis?: number;
  readonly degradationRampMillis?: number;
  readonly rateLimit?: { limit: number; windowMillis: number; burst?: number };
}

const small = fc.integer({ min: 1, max: 5 });
const members = fc.record(
  {
    after: fc.integer({ min: 0, max: 5 }),
    every: small,
    times: small,
    probability: fc.constantFrom(0, 0.25, 0.5, 1),
    outageAfterMillis: fc.integer({ min: 0, max: 60 }),
    outageDurationMillis: fc.integer({ min: 1, max: 100 }),
    degradationRampMillis: fc.integer({ min: 1, max: 100 }),
    rateLimit: fc
      .record({
        limit: small,
        windowMillis: fc.integer({ min: 1, max: 50 }),
        burst: fc.option(small),
      })
      .map(({ burst, ...rest }) => ({ ...rest, ...(burst !== null && { burst }) })),
  },
  { requiredKeys: [] },
);
const requests = fc.array(
  fc.record({ wait: fc.integer({ min: 0, max: 30 }), client: fc.constantFrom('ann', 'ben') }),
  { maxLength: 30 },
);

test('a rule acts as often as one that counts all events', (t) => {
  const property = fc.property(members, requests, (drawn, sent) => {
    const asking = new Asking(turnOf({ ...drawn, per: 'client' }));
    const naive = new NaiveRule(drawn);
    let now = 0;
    for (const { wait, client } of sent) {
      now += wait;
      assert.equal(asking.at(now, { credential: client }).acts, naive.acts(now, client));
    }
  });
  holds(t, property, 3000);
});

test('two sessions with one rule have separate counts', (t) => {
  const property = fc.property(
    members,
    fc.array(fc.boolean(), { maxLength: 30 }),
    (drawn, turns) => {
      const turn = turnOf(drawn);
      const mixed = [new Asking(turn), new Asking(turn)] as const;
      const alone = new Asking(turnOf(drawn));
      let now = 0;
      for (const isOther of turns) {
        now += 7;
        if (isOther) mixed[1].at(now);
        else assert.deepEqual(mixed[0].at(now), alone.at(now));
      }
    },
  );
  holds(t, property, 500);
});

/** Each is `line:column message` of a rule written as JSON, a member a line. */
const mistakes: Readonly<Record<string, readonly [Record<string, unknown>, RegExp]>> = {
  'times and failRequestCount together': [
    { times: 1, failRequestCount: 1 },
    /^3:22 failRequestCount cannot be combined with times/,
  ],
  'after and succeedFirst together': [
    { after: 1, succeedFirst: 1 },
    /^3:18 succeedFirst cannot be combined with after/,
  ],
  'a count of 0': [{ every: 0 }, /^2:11 every must be a whole number of at least 1, got 0/],
  'an outage of 0 ms': [{ outageDurationMillis: 0 }, /^2:26 outageDurationMillis must be/],
  'a ramp of 0 ms': [{ degradationRampMillis: 0 }, /^2:27 degradationRampMillis must be/],
  'an unknown scope': [{ per: 'user' }, /^2:9 per must be one of operation, resource, client/],
  'a scope of two parameters': [{ per: { query: 'a', header: 'b' } }, /^2:9 per must have one of/],
  'an empty scope': [{ per: {} }, /^2:9 per must have one of header, query, path, cookie/],
  'a scope of another kind': [{ per: { body: 'a' } }, /^3:3 "body" is not known here/],
  'a rate limit without a window': [
    { rateLimit: { limit: 1 } },
    /^2:15 rateLimit must have the member "windowMillis"/,
  ],
  'a rate limit that is a number': [{ rateLimit: 5 }, /^2:15 rateLimit must be an object, got 5/],
  'a limit of 0': [
    { rateLimit: { limit: 0, windowMillis: 1 } },
    /^3:12 limit must be a whole number/,
  ],
  'a state without a scenario': [
    { requiredScenarioState: 'on' },
    /^2:27 requiredScenarioState needs scenarioName/,
  ],
  'a new state without a scenario': [
    { newScenarioState: 'on' },
    /^2:22 newScenarioState needs scenarioName/,
  ],
};

for (const [mistake, [wrong, told]] of Object.entries(mistakes)) {
  test(`${mistake} is reported with its position`, (t) => {
    const faults = inBrief(read(wrong).faults);
    t.true(
      faults.some((fault) => told.test(fault)),
      faults.join('\n'),
    );
  });
}

const anything = fc.constantFrom<JsonValue>(null, 1, 'a', '', ' ', [], {}, false);
const numbers = fc.constantFrom<JsonValue>(0, 1, 2, 0.5, -1, 1000, '1', null);

/** Right and wrong members. */
const PARTS: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  after: numbers,
  succeedFirst: numbers,
  every: numbers,
  times: numbers,
  failRequestCount: numbers,
  probability: numbers,
  outageAfterMillis: numbers,
  outageDurationMillis: numbers,
  degradationRampMillis: numbers,
  scenarioName: anything,
  requiredScenarioState: anything,
  newScenarioState: anything,
  per: fc.oneof(
    anything,
    fc.constantFrom<JsonValue>('operation', 'resource', 'client', 'other'),
    fc.dictionary(fc.constantFrom('header', 'query', 'path', 'cookie', 'x'), anything),
  ),
  rateLimit: fc.oneof(
    anything,
    fc.record(
      { limit: numbers, windowMillis: numbers, burst: numbers, other: numbers },
      { requiredKeys: [] },
    ),
  ),
};

test('the published schema and the mock accept the same turns', async (t) => {
  const text = await readFile(
    new URL('../../fixtures/fixtures.schema.json', import.meta.url),
    'utf8',
  );
  const { value } = parseSource('schema.json', text);
  const judge = openForJudging(t, value, 'https://json-schema.org/draft/2020-12/schema');
  const isValid = await judge('');
  const few = fc.subarray(Object.keys(PARTS), { maxLength: 4 });
  const property = fc.property(fc.record(PARTS), few, (parts, kept) => {
    const entries = Object.entries(parts).filter(([name]) => kept.includes(name));
    const members = Object.fromEntries(entries);
    const rule = { name: 'a', answer: { status: 400 }, ...members };
    assert.equal(read(members).faults.length === 0, isValid({ rules: [rule] }));
  });
  holds(t, property, 2000);
});

async function refusalOf(
  t: ExecutionContext,
  wrong: Readonly<Record<string, JsonValue>>,
  id: string,
): Promise<string> {
  const faults = await diagnosticsOf(() => turnOf(wrong, { operations: [operation(id)] }));
  t.is(faults.length, 1);
  return `${inBrief(faults)[0]} (${faults[0]?.remedy})`;
}

test('an unknown path parameter is refused with the known ones', async (t) => {
  t.is(
    await refusalOf(t, { per: { path: 'id' } }, 'readPlant'),
    '3:11 readPlant has no path parameter "id" (It has bed, plant.)',
  );
});

test('per resource is refused for an operation without resources', async (t) => {
  t.regex(
    await refusalOf(t, { per: 'resource' }, 'listBeds'),
    /^2:9 listBeds has no path parameters that tell resources apart \(.*client/,
  );
});
