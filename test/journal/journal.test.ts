import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { systemClock } from '../../src/base/clock.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { type ItemPace, StreamProgress } from '../../src/delivery/transmission.ts';
import { describeExchange } from '../../src/journal/describe-exchange.ts';
import type { Exchange, KeptExchange } from '../../src/journal/exchange.ts';
import { ExchangeLog } from '../../src/journal/keep/exchange-log.ts';
import { JournalBudget } from '../../src/journal/keep/journal-budget.ts';
import type { SessionJournal } from '../../src/journal/keep/session-journal.ts';
import { findNearestRequests, findNearMisses } from '../../src/journal/near-misses.ts';
import { beginShowing } from '../../src/journal/redact/redaction.ts';
import { verify, verifyInOrder, waitUntil } from '../../src/journal/verify.ts';
import {
  entryWith,
  exchangeOf,
  journalOf,
  type RequestParts,
  redaction,
  showSecrets,
  viewOf,
} from '../support/journals.ts';
import { fc, holds } from '../support/properties.ts';
import { createStillClock } from '../support/still-clock.ts';

function show(exchange: Exchange): JsonObject {
  return describeExchange(exchange, beginShowing(redaction, viewOf(exchange)));
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const member = object[name];
  assert.ok(isJsonObject(member), name);
  return member;
}

const numbersOf = (exchanges: readonly Exchange[]): number[] =>
  exchanges.map(({ number }) => number);

/** Which journal is written to, and how long the body is. */
const writes = fc.array(fc.tuple(fc.nat(2), fc.nat(3000)), { maxLength: 200 });

test('no journal exceeds its limits, nor do all together, and the newest exchanges stay', (t) => {
  const bounds = fc.record({
    maximumExchanges: fc.nat(20),
    maximumBytes: fc.integer({ min: 1000, max: 40_000 }),
    shared: fc.integer({ min: 1000, max: 60_000 }),
  });
  const property = fc.property(writes, bounds, (all, { shared, ...own }) => {
    const budget = new JournalBudget(shared);
    const journals = [0, 1, 2].map(() => journalOf({ ...own, budget }));
    const written: number[][] = [[], [], []];
    for (const [index, [which, length]] of all.entries()) {
      journals[which]?.record(exchangeOf(index + 1, { body: 'x'.repeat(length) }));
      written[which]?.push(index + 1);
      const sum = journals.reduce((bytes, journal) => bytes + journal.bytes, 0);
      assert.equal(budget.bytes, sum);
      assert.ok(sum <= shared);
      for (const [at, journal] of journals.entries()) {
        assert.ok(journal.size <= own.maximumExchanges && journal.bytes <= own.maximumBytes);
        const numbers = written[at] ?? [];
        assert.equal(journal.dropped, numbers.length - journal.size);
        const kept = numbers.slice(numbers.length - journal.size).reverse();
        assert.deepEqual(numbersOf(journal.list()), kept);
      }
    }
  });
  holds(t, property, 100);
});

test('within its limits, a journal keeps everything', (t) => {
  const property = fc.property(writes, (all) => {
    const journal = journalOf();
    for (const [index, [, length]] of all.entries()) {
      journal.record(exchangeOf(index + 1, { body: 'x'.repeat(length) }));
    }
    assert.equal(journal.size, all.length);
    assert.equal(journal.dropped, 0);
  });
  holds(t, property, 20);
});

test('a busy session does not empty the journal of a quiet or new one', (t) => {
  const budget = new JournalBudget(100_000);
  const [quiet, noisy, late] = [0, 1, 2].map(() => journalOf({ budget }));
  quiet?.record(exchangeOf(1, {}));
  for (let number = 1; number <= 1000; number++) noisy?.record(exchangeOf(number, {}));
  for (let number = 1; number <= 20; number++) late?.record(exchangeOf(number, {}));
  t.is(quiet?.size, 1);
  t.is(late?.size, 20);
  t.true((noisy?.size ?? 0) > 20);
});

test('a journal that gives up room keeps as much as any other', (t) => {
  const property = fc.property(
    fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }),
    (sizes) => {
      const before = sizes.reduce((sum, size) => sum + size, 0);
      const budget = new JournalBudget(before);
      const shares = sizes.map((size) => ({
        bytes: size,
        shrinkTo(bytes: number) {
          budget.subtract(this, this.bytes - bytes);
          this.bytes = bytes;
        },
      }));
      for (const share of shares) budget.add(share, share.bytes);
      const [first] = shares;
      assert.ok(first !== undefined);
      first.bytes += 1;
      budget.add(first, 1);
      const most = Math.max(...shares.map(({ bytes }) => bytes));
      assert.ok(budget.bytes <= before && budget.bytes >= 0.9 * before);
      for (const [index, { bytes }] of shares.entries()) {
        const had = (sizes[index] ?? 0) + (index === 0 ? 1 : 0);
        assert.ok(bytes === had || bytes === most, `${bytes} of ${had}, where one has ${most}`);
      }
    },
  );
  holds(t, property);
});

test('a closed journal frees its room and notifies its listeners', (t) => {
  const budget = new JournalBudget(100_000);
  const journal = journalOf({ budget });
  let hasEnded = false;
  journal.on({
    recorded() {},
    closed: () => {
      hasEnded = true;
    },
  });
  journal.record(exchangeOf(1, {}));
  t.true(budget.bytes > 0);
  journal.close();
  t.is(budget.bytes, 0);
  t.true(hasEnded);
});

test('a long body is truncated, and its length is recorded', (t) => {
  const journal = journalOf({ maximumBodyLength: 100 });
  journal.record(exchangeOf(1, { body: 'x'.repeat(500) }, { responseBody: 'é'.repeat(300) }));
  const [kept] = journal.list();
  t.is(kept?.request.rawBody.length, 100);
  t.is(kept?.requestBodyLength, 502);
  t.is(kept?.responseBody, 'é'.repeat(100));
  t.is(kept?.responseBodyLength, 300);
  t.is(memberOf(show(kept ?? exchangeOf(1, {})), 'request')['bodyLength'], 502);
});

test('a short body does not retain the buffer that it arrived in', (t) => {
  const buffer = Buffer.alloc(65_536, '{}');
  const journal = journalOf();
  journal.record(exchangeOf(1, { body: buffer.subarray(10, 12) }));
  const [kept] = journal.list();
  const body = kept?.request.rawBody;
  t.true(body instanceof Uint8Array && body.length === 2);
  t.deepEqual(body instanceof Uint8Array ? [...body] : [], [...Buffer.from('{}')]);
});

test('whatever characters and bytes an exchange has, it stays as it was while others are removed', (t) => {
  // Lone surrogates, characters beyond Latin-1, short and long bodies.
  const text = fc.string({ unit: 'binary', maxLength: 5000, size: 'max' });
  const bytes = fc.uint8Array({ maxLength: 5000, size: 'max' });
  const value = fc.stringMatching(/^[ -~\u0080-\u00ff]{0,20}$/);
  const parts = fc.record({
    body: bytes,
    target: fc.webPath().map((path) => `/${path}`),
    message: text,
    responseBody: fc.oneof(text, bytes, fc.constant(null)),
    responseFields: fc.dictionary(fc.stringMatching(/^[a-z-]{1,10}$/), value, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    isRemoved: fc.boolean(),
  });
  const property = fc.property(fc.array(parts, { maxLength: 30 }), (all) => {
    const journal = journalOf();
    for (const [index, { body, target, message, responseBody, responseFields }] of all.entries()) {
      const problem = { problem: 'INVALID_REQUEST', message, violations: [] } as const;
      const more = { problem, responseBody, responseFields };
      journal.record(exchangeOf(index + 1, { body, target }, more));
    }
    for (const [index, { isRemoved }] of all.entries()) if (isRemoved) journal.remove(index + 1);
    const rest = [...all.entries()].filter(([, { isRemoved }]) => !isRemoved);
    const kept = journal.list().map((exchange) => ({
      number: exchange.number,
      body: [...(exchange.request.rawBody as Uint8Array)],
      target: exchange.request.target,
      message: exchange.problem?.message,
      responseBody: toComparable(exchange.responseBody),
      responseFields: exchange.responseFields,
    }));
    const expected = rest.map(([index, { isRemoved, body, responseBody, ...same }]) => ({
      ...same,
      number: index + 1,
      body: [...body],
      responseBody: toComparable(responseBody),
    }));
    assert.deepEqual(kept, expected.reverse());
  });
  holds(t, property, 50);
});

/** A journal of several that share a log, and what it has. */
interface Kept {
  readonly session: string;
  readonly journal: SessionJournal;
  had: readonly Exchange[];
}

/** Changes a journal, and what it then has. */
type Step = (kept: Kept, index: number) => void;

const SESSION = '{session}';

const recordOne = fc
  .record({
    target: fc.constantFrom('/entries', '/entries?limit=7', '/nowhere', '/resets/a/b'),
    query: fc.constantFrom(0, 0, 100, 20_000, 40_000),
    headers: fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { 'x-trace': 'a' },
      { 'x-trace': 'ü' },
      { 'mock-session': SESSION, 'x-trace': 'a' },
      { 'x-trace': 'a', 'mock-session': SESSION },
      { 'mock-session': 's-0', 'x-trace': 'a' },
      { 'mock-session': 'other', 'x-trace': 'a' },
    ),
    responseFields: fc.constantFrom({}, { etag: '"1"' }, { etag: '"2"', link: '</>' }),
    length: fc.constantFrom(0, 10, 400, 600, 3000),
    rules: fc.constantFrom([], ['slow']),
  })
  .map(
    ({ length, target, query, headers, ...more }): Step =>
      (kept, index) => {
        const { journal, session, had } = kept;
        const named = Object.entries(headers).map(([name, value]) => [
          name,
          value.replace(SESSION, session),
        ]);
        const parts = {
          target: `${target}?${'q'.repeat(query)}`,
          headers: Object.fromEntries(named),
          body: Buffer.alloc(length, 'b'),
        };
        const all = { ...more, session, at: index + 0.5, responseBody: 'r'.repeat(length) };
        const exchange = exchangeOf(index, parts, all);
        const { dropped } = journal;
        journal.record(exchange);
        kept.had = [...had, exchange].slice(journal.dropped - dropped);
      },
  );

const leaveOne = fc.nat(99).map(
  (which): Step =>
    (kept, index) => {
      const number = kept.had[which % kept.had.length]?.number ?? -1;
      kept.journal.leave(number, index);
      kept.had = kept.had.map((one) => (one.number === number ? { leftAt: index, ...one } : one));
    },
);

/** Removes most of them, so that the others are moved. */
const removeMost = fc.integer({ min: 2, max: 9 }).map(
  (every): Step =>
    (kept) => {
      const isKept = ({ number }: Exchange): boolean => number % every === 0;
      for (const one of kept.had) if (!isKept(one)) assert.ok(kept.journal.remove(one.number));
      kept.had = kept.had.filter(isKept);
    },
);

const shrink = fc.nat(9).map(
  (tenths): Step =>
    (kept) => {
      const { dropped } = kept.journal;
      kept.journal.shrinkTo((kept.journal.bytes * tenths) / 10);
      kept.had = kept.had.slice(kept.journal.dropped - dropped);
    },
);

const clear = fc.constant<Step>((kept) => {
  kept.journal.clear();
  kept.had = [];
});

const step = fc.oneof(
  { weight: 20, arbitrary: recordOne },
  { weight: 2, arbitrary: leaveOne },
  { weight: 2, arbitrary: removeMost },
  { weight: 2, arbitrary: shrink },
  clear,
);
const steps = fc.array(fc.tuple(fc.nat(2), step), { maxLength: 150, size: 'max' });

test('what is recorded, dropped and removed leaves the same in journals as in lists', (t) => {
  const property = fc.property(steps, fc.integer({ min: 1, max: 100 }), (all, maximumExchanges) => {
    const log = new ExchangeLog();
    const settings = { maximumExchanges, maximumBodyLength: 2000, log };
    const journals = ['s-0', 's-1', 's-2'].map(
      (session): Kept => ({ session, journal: journalOf(settings, session), had: [] }),
    );
    for (const [index, [which, change]] of all.entries()) {
      const kept = journals[which];
      if (kept === undefined) continue;
      change(kept, index);
      assert.equal(kept.journal.size, kept.had.length);
    }
    for (const { journal, had } of journals) {
      assert.deepEqual(journal.list().map(toFacts), had.map(toFacts).reverse());
      for (const one of had) {
        assert.deepEqual(toFacts(journal.get(one.number) ?? one), toFacts(one));
      }
      assert.equal(journal.bytes > 0, had.length > 0);
    }
  });
  holds(t, property, 60);
});

test('journals take memory for what they have, whichever exchanges are removed', (t) => {
  const log = new ExchangeLog();
  const [busy, quiet] = ['busy', 'quiet'].map((session) =>
    journalOf({ log, maximumExchanges: 100 }, session),
  );
  let largest = 0;
  for (let number = 1; number <= 20_000; number++) {
    busy?.record(exchangeOf(number, {}));
    // A page of each hundred has one that stays.
    if (number % 400 === 0) quiet?.record(exchangeOf(number, {}));
    largest = Math.max(largest, log.size);
  }
  t.is(quiet?.size, 50);
  t.true(largest < 500_000, `${largest} bytes`);
  busy?.close();
  quiet?.close();
  t.true(log.size <= 65_536);
});

/** Returns the members of an exchange that a journal keeps, with its bodies cut. */
function toFacts(exchange: KeptExchange) {
  const { request, responseBody, problem, attribution: _, ...same } = exchange;
  const { rawBody, fields, method, target } = request;
  const body = rawBody === 'too-large' ? rawBody : Buffer.from(rawBody);
  return {
    ...same,
    leftAt: exchange.leftAt,
    stream: exchange.stream,
    callback: exchange.callback,
    method,
    target,
    fields: fields.entries(),
    body: body.toString('latin1').slice(0, 2000),
    bodyLength: exchange.requestBodyLength ?? body.length,
    requestBodyLength: undefined,
    response: String(responseBody).slice(0, 2000),
    responseLength: exchange.responseBodyLength ?? responseBody?.length,
    responseBodyLength: undefined,
    problem: problem?.problem,
    message: problem?.message,
  };
}

function toComparable(body: Exchange['responseBody']) {
  return body instanceof Uint8Array ? [...body] : body;
}

test('what one exchange had is collected once it is removed, though its page has others', async (t) => {
  const log = new ExchangeLog();
  const [gone, stays] = ['gone', 'stays'].map((session) => journalOf({ log }, session));
  stays?.record(exchangeOf(1, {}));
  const stream = new WeakRef(recordStream(gone));
  gone?.clear();
  // A weak reference keeps its object until the turn ends.
  await new Promise(setImmediate);
  collectGarbage();
  t.is(stream.deref(), undefined);
  t.is(stays?.size, 1);
});

/** Records an exchange with a stream, and returns that. */
function recordStream(journal: SessionJournal | undefined): ItemPace {
  const stream: ItemPace = { kind: 'items', items: [], progress: new StreamProgress() };
  journal?.record(exchangeOf(1, {}, { stream }));
  return stream;
}

/** Node's own function for it, without the flag for the whole process. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

test('exchanges are listed, found, counted, read and removed', (t) => {
  const journal = journalOf();
  const [fern, ivy] = [entryWith({ tag: 'fern' }), entryWith({ tag: 'ivy' })];
  journal.record(exchangeOf(1, { body: { tag: 'fern' } }));
  journal.record(exchangeOf(2, { body: { tag: 'ivy' } }));
  journal.record(exchangeOf(3, { body: { tag: 'fern' } }, { status: 503 }));
  journal.record(exchangeOf(4, { target: '/nowhere' }));
  journal.record(exchangeOf(5, { body: { id: 'one' } }));
  t.deepEqual(numbersOf(journal.list()), [5, 4, 3, 2, 1]);
  t.deepEqual(numbersOf(journal.find(fern)), [1, 3]);
  t.is(journal.count(fern, 503), 1);
  t.deepEqual(numbersOf(journal.unmatched()), [5, 4]);
  t.is(journal.get(2)?.number, 2);
  t.is(journal.get(6), undefined);
  t.deepEqual(numbersOf(journal.removeMatching(fern)), [1, 3]);
  t.true(journal.remove(2));
  t.false(journal.remove(2));
  t.is(journal.count(ivy), 0);
  t.is(journal.size, 2);
  journal.clear();
  t.is(journal.size, 0);
  t.is(journal.bytes, 0);
});

test('a listener gets each exchange once, and can throw without harm', (t) => {
  const journal = journalOf();
  const told: number[] = [];
  journal.on({
    recorded: () => {
      throw new Error('no');
    },
  });
  const off = journal.on({ recorded: ({ number }) => told.push(number) });
  journal.record(exchangeOf(1, {}));
  off();
  journal.record(exchangeOf(2, {}));
  t.deepEqual(told, [1]);
});

test('an exchange is described completely, with exact numbers', (t) => {
  const headers = { 'x-trace': 'abc', cookie: 'theme=dark' };
  const body = '{"id": 9223372036854775807, "tag": "fern"}';
  const exchange = exchangeOf(
    7,
    {
      target: '/entries?limit=3&also=1',
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(body),
    },
    {
      rules: ['slow'],
      delayMilliseconds: 20,
      replay: 'seed=1; call=7',
      responseFields: { etag: '"1"' },
    },
  );
  const described = show(exchange);
  t.is(
    stringifyJson(described),
    stringifyJson({
      number: 7,
      session: 'default',
      at: '2023-11-14T22:13:20.123Z',
      readyAt: '2023-11-14T22:13:20.143Z',
      operationId: 'createEntry',
      request: {
        method: 'POST',
        target: '/entries?limit=3&also=1',
        headers: { 'x-trace': 'abc', cookie: '[redacted]', 'content-type': 'application/json' },
        body,
      },
      parameters: {
        query: { limit: 3, also: '1' },
        header: { 'X-Trace': 'abc' },
        cookie: { theme: '[redacted]' },
      },
      body: { id: 9223372036854775807n, tag: 'fern' },
      source: 'state',
      answer: {
        status: 200,
        mediaType: 'application/json',
        headers: { etag: '"1"' },
        body: '{"id":1}',
      },
      rules: ['slow'],
      delayMilliseconds: 20,
      milliseconds: 0.25,
      replay: 'seed=1; call=7',
    }),
  );
});

test('a refusal is described with each violation', (t) => {
  const described = show(exchangeOf(1, { body: { id: 'one' } }));
  t.is(memberOf(described, 'problem')['detail'], 'body/id must be an int64, got the string "one"');
  const { violations } = described;
  t.true(Array.isArray(violations) && violations.length === 1);
});

test('a recorded refusal is described with each violation', (t) => {
  const journal = journalOf();
  const exchange = exchangeOf(1, { body: { id: 'one', password: 7 } });
  journal.record(exchange);
  const [kept] = journal.list();
  if (kept === undefined) return t.fail('it was not kept');
  const violations = journal.violations(kept);
  const described = describeExchange(kept, journal.show(kept), violations);
  t.deepEqual(described, show(exchange));
  t.deepEqual(journal.violations(kept), exchange.problem?.violations);
});

test('a refusal whose violations cannot be restored keeps its message, without secrets', (t) => {
  const journal = journalOf({ refuseAgain: () => undefined });
  journal.record(exchangeOf(1, { body: { id: 'one', password: 'zyxw' } }));
  const [kept] = journal.list();
  if (kept === undefined) return t.fail('it was not kept');
  const violations = journal.violations(kept);
  const described = describeExchange(kept, journal.show(kept), violations);
  t.is(
    memberOf(described, 'problem')['detail'],
    'body/id must be an int64, got the string "one"; ' +
      'body/password must NOT have more than 3 characters, got [redacted]',
  );
});

test('a binary body is described as Base64', (t) => {
  const body = Buffer.from([0xff, 0x00]);
  const described = show(exchangeOf(1, { body, headers: { 'content-type': 'image/png' } }));
  t.is(memberOf(described, 'request')['bodyBase64'], '/wA=');
});

type Hiding = readonly [place: string, hide: (secret: string) => RequestParts];

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const uri = encodeURIComponent;

function multipart(secret: string): Buffer {
  return Buffer.from(
    `--b\r\ncontent-disposition: form-data; name="password"\r\n\r\n${secret}\r\n--b--\r\n`,
  );
}

const hidings: readonly Hiding[] = [
  ['a bearer token', (secret) => ({ headers: { authorization: `Bearer ${secret}` } })],
  [
    'a password of Basic',
    (secret) => ({ headers: { authorization: `Basic ${btoa(`me:${uri(secret)}`)}` } }),
  ],
  [
    'a proxy’s credential',
    (secret) => ({ headers: { 'proxy-authorization': `Bearer ${secret}` } }),
  ],
  ['a cookie', (secret) => ({ headers: { cookie: `a=b; sid=${uri(secret)}` } })],
  ['the key of a scheme in a field', (secret) => ({ headers: { 'garden-gate': secret } })],
  ['a field by its name', (secret) => ({ headers: { 'x-auth-token': secret } })],
  [
    'the query of a referer',
    (secret) => ({ headers: { referer: `http://a/?api_key=${uri(secret)}` } }),
  ],
  [
    'the key of a scheme in the query',
    (secret) => ({ target: `/entries?limit=9&gate=${uri(secret)}` }),
  ],
  [
    'a query parameter by its name',
    (secret) => ({ target: `/entries?access%5Ftoken=${uri(secret)}` }),
  ],
  ['a query parameter by its schema', (secret) => ({ target: `/entries?hint=${uri(secret)}` })],
  [
    'a member of a parameter',
    (secret) => ({ target: `/entries?filter%5Bpassword%5D=${uri(secret)}` }),
  ],
  [
    'an object in a parameter',
    (secret) => ({ target: `/entries?q=${uri(JSON.stringify({ password: secret }))}` }),
  ],
  [
    'a query that is one object',
    (secret) => ({ target: `/entries?${uri(JSON.stringify({ password: secret }))}` }),
  ],
  ['a path parameter', (secret) => ({ method: 'GET', target: `/resets/${uri(secret)}/1` })],
  [
    'a path that refuses the method',
    (secret) => ({ method: 'GET', target: `/entries?token=${uri(secret)}` }),
  ],
  ['a user in the target', (secret) => ({ target: `http://me:a:${uri(secret)}@host/entries` })],
  ['a member of a body', (secret) => ({ body: { password: secret } })],
  [
    'a member of a body, refused for another',
    (secret) => ({ body: { id: 'x', client_secret: secret } }),
  ],
  ['an object below such a name', (secret) => ({ body: { credentials: { a: [secret] } } })],
  ['a member deep in a body', (secret) => ({ body: { others: [{ owner: { pin: secret } }] } })],
  ['a member of format password', (secret) => ({ body: { pin: secret } })],
  ['a member that is writeOnly', (secret) => ({ body: { once: secret } })],
  ['a form', (secret) => ({ headers: form, body: Buffer.from(`password=${uri(secret)}`) })],
  [
    'a form to nowhere',
    (secret) => ({ target: '/no', headers: form, body: Buffer.from(`passw%6frd=${uri(secret)}`) }),
  ],
  ['JSON to nowhere', (secret) => ({ target: '/no', body: { a: [{ apiKey: secret }] } })],
  [
    'JSON that breaks off',
    (secret) => ({ headers: json, body: Buffer.from(`{"password":${JSON.stringify(secret)}`) }),
  ],
  [
    'JSON that breaks off, with a declared secret',
    (secret) => ({ headers: json, body: Buffer.from(`{"pin":${JSON.stringify(secret)}`) }),
  ],
  [
    'a body of several parts',
    (secret) => ({
      target: '/no',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: multipart(secret),
    }),
  ],
  [
    'a body that is compressed',
    (secret) => ({
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ password: secret })),
    }),
  ],
  [
    'a compressed body to nowhere',
    (secret) => ({
      target: '/no',
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(`password=${secret}`),
    }),
  ],
];

/** No shorter than what is looked for in places where nobody would look for it. */
const secretTexts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcXYZ0189-_.~'), minLength: 8, maxLength: 200 }),
  fc
    .string({ unit: fc.constantFrom(...'aZ9"\\/ +%é€&=;'), minLength: 8, maxLength: 40 })
    .filter((text) => text.trim().length >= 8),
);

/** @returns all texts of a value, keys among them, and what Base64 in it stands for */
function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* textsIn(member);
    }
  }
}

function findLeak(described: JsonValue, secret: string): string | undefined {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), uri(secret), btoa(uri(secret))];
  return [...textsIn(described)].find((text) => spellings.some((one) => text.includes(one)));
}

for (const [place, hide] of hidings) {
  test(`no secret is shown: ${place}`, (t) => {
    const property = fc.property(secretTexts, (secret) => {
      const exchange = exchangeOf(1, hide(secret));
      const described = show(exchange);
      assert.equal(findLeak(described, secret), undefined);
      assert.ok(stringifyJson(described).includes('[redacted]'));
    });
    holds(t, property, 60);
  });
}

test('secrets of the request are redacted in the response, and those of the response too', (t) => {
  const property = fc.property(
    secretTexts,
    fc.constantFrom(...hidings.slice(0, 11)),
    (secret, [, hide]) => {
      const exchange = exchangeOf(1, hide(secret), {
        responseBody: stringifyJson({ tag: `for ${secret}`, password: secret, id: 1 }),
        responseFields: {
          'set-cookie': `sid=${uri(secret)}; Path=/`,
          location: `/?token=${uri(secret)}`,
        },
      });
      assert.equal(findLeak(show(exchange), secret), undefined);
    },
  );
  holds(t, property, 200);
});

test('a short secret in a violation is redacted', (t) => {
  const text = stringifyJson(show(exchangeOf(1, { body: { password: 'zyxw', pin: 7777777 } })));
  t.false(text.includes('zyxw'), text);
  t.true(text.includes('got [redacted]'));
});

test('a short secret in a path is redacted', (t) => {
  const described = show(exchangeOf(1, { method: 'GET', target: '/resets/q%77e/2?also=1' }));
  t.is(memberOf(described, 'request')['target'], '/resets/[redacted]/2?also=1');
  t.deepEqual(described['parameters'], {
    path: { token: '[redacted]', step: '2' },
    query: { also: '1' },
  });
});

test('a secret that is missing, null or a boolean is shown as such', (t) => {
  const body = { password: null, hasToken: true };
  t.deepEqual(show(exchangeOf(1, { body }))['body'], body);
});

test('secrets are shown on request', (t) => {
  const parts = {
    headers: { authorization: 'Bearer open-sesame' },
    body: { password: 'abracadabra' },
  };
  const exchange = exchangeOf(1, parts, {}, showSecrets);
  const text = stringifyJson(
    describeExchange(exchange, beginShowing(showSecrets, viewOf(exchange))),
  );
  t.true(text.includes('open-sesame') && text.includes('abracadabra'));
  t.false(text.includes('[redacted]'));
});

test('patterns match redacted secrets', (t) => {
  const journal = journalOf();
  journal.record(exchangeOf(1, { body: { password: 'abc' } }));
  t.is(journal.count(entryWith({ password: 'abc' })), 1);
});

test('a verification states the expectation, the requests and the near misses', (t) => {
  const journal = journalOf();
  const fern = entryWith({ tag: 'fern', id: 1 });
  journal.record(exchangeOf(1, { body: { tag: 'cactus' } }));
  journal.record(exchangeOf(2, { body: { tag: 'fern', id: 2 } }));
  journal.record(exchangeOf(3, { body: { tag: 'fern', id: 1 } }));
  const missed = verify(journal, { pattern: fern, exactly: 2 });
  t.is(
    missed.message,
    [
      'createEntry was expected twice and received once',
      'Closest requests:',
      '  #2 POST /entries would have matched, but body.id was 2',
      '  #1 POST /entries would have matched, but body.tag was "cactus" and body.id was missing',
    ].join('\n'),
  );
  t.false(missed.isMet);
  t.deepEqual(numbersOf(missed.exchanges), [3]);
  const surplus = verify(journal, { pattern: entryWith({}), atMost: 2, name: 'a create' });
  t.is(
    surplus.message,
    [
      'a create was expected at most twice and received 3 times',
      ...[1, 2, 3].map((number) => `  #${number} POST /entries`),
    ].join('\n'),
  );
});

test('a verification by status lists the requests with other statuses', (t) => {
  const journal = journalOf();
  journal.record(exchangeOf(1, { body: { id: 'x' } }));
  const { isMet, message } = verify(journal, { pattern: entryWith({}), status: 200 });
  t.false(isMet);
  t.true(message.includes('#1 POST /entries was answered with 422'), message);
});

test('an expectation is met exactly when the count is within its bounds', (t) => {
  const bounds = fc.record(
    { exactly: fc.nat(4), atLeast: fc.nat(4), atMost: fc.nat(4) },
    { requiredKeys: [] },
  );
  const property = fc.property(fc.nat(4), bounds, (count, asked) => {
    const journal = journalOf();
    for (let number = 1; number <= count; number++) journal.record(exchangeOf(number, {}));
    const verification = verify(journal, { pattern: entryWith({}), ...asked });
    const { exactly, atLeast = asked.atMost === undefined ? 1 : 0, atMost = 9 } = asked;
    const expected =
      exactly === undefined ? count >= atLeast && count <= atMost : count === exactly;
    assert.equal(verification.isMet, expected);
    assert.equal(verification.count, count);
  });
  holds(t, property, 200);
});

test('an order is that of the requests, not of their responses', (t) => {
  const journal = journalOf();
  const [fern, ivy] = [entryWith({ tag: 'fern' }), entryWith({ tag: 'ivy' })];
  journal.record(exchangeOf(2, { body: { tag: 'ivy' } }));
  journal.record(exchangeOf(1, { body: { tag: 'fern' } }));
  journal.record(exchangeOf(3, { body: { tag: 'moss' } }));
  t.true(verifyInOrder(journal, [{ pattern: fern }, { pattern: ivy }]).isMet);
  journal.record(exchangeOf(5, { body: { tag: 'rose' } }));
  journal.record(exchangeOf(4, { body: { tag: 'rose' } }));
  const rose = { pattern: entryWith({ tag: 'rose' }) };
  t.true(verifyInOrder(journal, [rose, rose]).isMet);
  const wanted = [
    { pattern: ivy, name: 'an ivy' },
    { pattern: fern, name: 'a fern' },
  ];
  const missed = verifyInOrder(journal, wanted);
  t.is(
    missed.message,
    [
      'an ivy and a fern were expected in this order, and a fern was not received after #2',
      'Received in this order:',
      '  #2 POST /entries',
      'a fern was received as #1',
    ].join('\n'),
  );
  t.is(missed.count, 1);
});

test('near misses are ranked by distance, with reasons', (t) => {
  const rules = [
    { name: 'far', pattern: entryWith({ tag: 'fern', id: 1 }) },
    { name: 'matched', pattern: entryWith({ id: 2 }) },
    { name: 'slow-create', pattern: entryWith({ tag: 'fern', id: 2 }) },
  ];
  const view = viewOf(exchangeOf(1, { body: { tag: 'cactus', id: 2 } }));
  const misses = findNearMisses(view, rules, redaction);
  t.deepEqual(
    misses.map(({ message }) => message),
    [
      'would have matched slow-create, but body.tag was "cactus"',
      'would have matched far, but body.tag was "cactus" and body.id was 2',
    ],
  );
  t.true((misses[0]?.distance ?? 1) < (misses[1]?.distance ?? 0));
});

test('a near miss redacts secrets', (t) => {
  const journal = journalOf();
  const body = { password: 'zyx', tag: 'open-sesame', pin: 'pqr' };
  journal.record(exchangeOf(1, { headers: { authorization: 'Bearer open-sesame' }, body }));
  const pattern = entryWith({ password: 'a', tag: 'b', pin: 'c' });
  const [nearest] = findNearestRequests(journal, pattern);
  t.is(
    nearest?.message,
    '#1 POST /entries would have matched, but ' +
      'body.password was another, body.tag was "[redacted]" and body.pin was another',
  );
});

test('a wait ends as soon as enough requests came, even earlier ones', async (t) => {
  const journal = journalOf();
  const awaited = { pattern: entryWith({ tag: 'fern' }), count: 2 };
  journal.record(exchangeOf(1, { body: { tag: 'fern' } }));
  const waiting = waitUntil(journal, awaited, 60_000, { clock: systemClock });
  journal.record(exchangeOf(2, { body: { tag: 'ivy' } }));
  journal.record(exchangeOf(3, { body: { tag: 'fern' } }));
  t.deepEqual(await waiting, { isMet: true, count: 2 });
});

test('a wait ends with its timeout, its session or its client', async (t) => {
  const journal = journalOf();
  const awaited = { pattern: entryWith({}), count: 1 };
  const unmet = { isMet: false, count: 0 };
  t.deepEqual(await waitUntil(journal, awaited, 1000, { clock: createStillClock() }), unmet);
  const gone = new AbortController();
  const { signal } = gone;
  const left = waitUntil(journal, awaited, 60_000, { clock: systemClock, signal });
  gone.abort();
  t.deepEqual(await left, unmet);
  t.deepEqual(await waitUntil(journal, awaited, 60_000, { clock: systemClock, signal }), unmet);
  const dropped = waitUntil(journal, awaited, 60_000, { clock: systemClock });
  journal.close();
  t.deepEqual(await dropped, unmet);
});

test('a wait restarts its count when the journal is cleared', async (t) => {
  const journal = journalOf();
  journal.record(exchangeOf(1, {}));
  const awaited = { pattern: entryWith({}), count: 2 };
  const waiting = waitUntil(journal, awaited, 60_000, { clock: systemClock });
  journal.clear();
  journal.record(exchangeOf(1, {}));
  journal.record(exchangeOf(2, {}));
  t.deepEqual(await waiting, { isMet: true, count: 2 });
});

test('the number of waits per session is limited, and ended ones make room', async (t) => {
  const journal = journalOf();
  const awaited = { pattern: entryWith({}), count: 1 };
  for (let turn = 0; turn < 300; turn++) {
    await waitUntil(journal, awaited, 1, { clock: createStillClock() });
  }
  for (let turn = 0; turn < 256; turn++) journal.on({ recorded() {} });
  await t.throwsAsync(waitUntil(journal, awaited, 1, { clock: createStillClock() }), {
    message: /^256 wait already/,
  });
});
