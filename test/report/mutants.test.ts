import test from 'ava';
import { judgeClient, openRange, type Workload } from '../support/resilience.ts';
import type { Attempt, Habits } from '../support/retrying-client.ts';

type Mutants = Readonly<Record<string, Partial<Habits>>>;

/** A rule with what a client does to show whether it keeps it, and clients that break it. */
interface Trial {
  readonly work: (workload: Workload) => Promise<void>;
  readonly mutants: Mutants;
  /** Habits of all its clients. */
  readonly base?: Partial<Habits>;
  /** Rules that a mutant breaks besides, for the reason beside it. */
  readonly others?: Readonly<Record<string, string>>;
  readonly isOptional?: boolean;
}

const MINUTE = 60_000;
const read = (index: number) => ({ method: 'GET', path: `/orders/${(index % 25) + 1}`, index });
const create = (index: number) => {
  return { method: 'POST', path: '/orders', body: { item: `Spade ${index}`, count: 1 }, index };
};
const all = (count: number, begin: (index: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, index) => begin(index)));

/** Reads orders one after the other, each of which fails a few times. */
async function readWithWaits({ client, session, clock }: Workload): Promise<void> {
  for (let index = 0; index < 60; index++) {
    await session.fixtures.put('fail', { times: 3, answer: { status: 503 } });
    await client.request(read(index));
    await clock.sleep(MINUTE);
  }
}

const trials: Readonly<Record<string, Trial>> = {
  'retry-after': {
    async work({ client, fail, clock }) {
      for (let index = 0; index < 6; index++) {
        const date = new Date(clock.now() + 5000).toUTCString();
        await fail(index % 2 === 0 ? 503 : 429, 1, { 'Retry-After': index < 3 ? '4' : date });
        await Promise.all([
          client.request(read(index)),
          clock.sleep(100).then(() => client.request(read(index + 10))),
        ]);
        await clock.sleep(MINUTE);
      }
    },
    mutants: {
      'waits half of it': { obey: (asked) => asked / 2, sharesRetryAfter: false },
      'ignores it': { readRetryAfter: () => undefined },
      'takes seconds for milliseconds': {
        readRetryAfter: (field) => (field === null ? undefined : Number.parseInt(field, 10) || 0),
        sharesRetryAfter: false,
      },
      'does not read dates': {
        readRetryAfter: (field) =>
          field !== null && /^\d+$/.test(field) ? Number(field) * 1000 : undefined,
      },
      'lets other requests through': { sharesRetryAfter: false },
      'comes back a second early': { obey: (asked) => asked - 1000, sharesRetryAfter: false },
    },
  },
  'back-off-grows': {
    work: readWithWaits,
    mutants: {
      'waits for the same time at random': { wait: ({ random }) => 2000 * random.next() },
      'waits for about a second': { wait: ({ random }) => 800 + 400 * random.next() },
      'waits less each time': { wait: ({ attempt, random }) => (4000 * random.next()) / attempt },
      'does not wait': { wait: () => 0 },
      'grows by a twentieth': {
        wait: ({ attempt, random }) => 1000 * 1.05 ** attempt * (0.5 + random.next()),
      },
    },
  },
  jitter: {
    work: readWithWaits,
    mutants: {
      'has none': { wait: ({ attempt }) => 500 * 2 ** attempt },
      'has one in a hundred': {
        wait: ({ attempt, random }) => 500 * 2 ** attempt * (1 + 0.01 * random.next()),
      },
      'draws by the number of the attempt': {
        wait: ({ attempt }) => 500 * 2 ** attempt * (0.5 + Math.abs(Math.sin(attempt))),
      },
      'has some before the second attempt only': {
        wait: ({ attempt, random }) => (attempt === 1 ? 1000 * random.next() : 1000 * 2 ** attempt),
      },
      'rounds it away': {
        wait: ({ attempt, random }) => 1000 * Math.round(2 ** attempt + 0.4 * random.next()),
      },
    },
  },
  'attempts-bounded': {
    async work({ client, fail, clock }) {
      for (let index = 0; index < 3; index++) {
        for (let turn = 0; turn < 10; turn++) await fail(turn % 2 === 0 ? 503 : 429, 1);
        await client.request(read(index));
        await clock.sleep(10 * MINUTE);
        for (let turn = 0; turn < 10; turn++) await client.request(read(turn));
      }
    },
    mutants: {
      'makes six': { attempts: 6 },
      'makes eight': { attempts: 8 },
      'makes ten, with long waits': { attempts: 10, wait: ({ random }) => 9000 * random.next() },
      'has no limit': { attempts: 1000 },
      'multiplies two limits': { attempts: 3 * 3 },
    },
    others: {
      'back-off-grows': 'long waits at random do not grow',
      'timeout-kept': 'a client without a limit goes on for minutes',
    },
  },
  'retry-budget': {
    async work({ client, fail, clock }) {
      for (let index = 0; index < 40; index++) {
        await fail(index % 3 === 0 ? 503 : 429, 1);
        await client.request(read(index));
        await client.request(read(index + 1));
        await clock.sleep(200);
      }
    },
    mutants: {
      'has none': { affords: () => true },
      'has a reserve of forty': { affords: (retries) => retries < 40 },
      'allows one for each request': { affords: (retries, requests) => retries < 8 + requests },
      'does not count 429': {
        affords: (retries, requests, status) => status === 429 || retries < 8 + 0.15 * requests,
      },
      'allows one half': { affords: (retries, requests) => retries < 8 + 0.5 * requests },
    },
  },
  'no-retry-of-client-errors': {
    async work({ client, fail, clock }) {
      for (const [index, status] of [400, 401, 404, 409, 422].entries()) {
        await fail(status, 1);
        await client.request(read(index));
        await clock.sleep(10 * MINUTE);
      }
    },
    mutants: Object.fromEntries(
      [400, 401, 404, 409, 422].map((also) => [
        `retries ${also}`,
        { retries: (status: number) => status === also || status >= 500 },
      ]),
    ),
  },
  'unsafe-retry-is-idempotent': {
    async work({ client, fail, clock }) {
      for (let index = 0; index < 4; index++) {
        await fail(index % 2 === 0 ? 503 : 500, 2);
        await client.request(create(index));
        await clock.sleep(MINUTE);
      }
    },
    mutants: {
      'takes a new key for each attempt': { keyOf: ({ id, attempt }) => `${id}-${attempt}` },
      'sends no key': { keyOf: () => undefined },
      'drops the key': { keyOf: ({ id, attempt }) => (attempt === 1 ? id : undefined) },
      'has one key for all bodies': { keyOf: ({ path }) => path },
      'has one key for two bodies': { keyOf: ({ index }) => `key-${index >> 1}` },
      'takes a new key for the third attempt': {
        keyOf: ({ id, attempt }) => (attempt < 3 ? id : `${id}-again`),
      },
    },
  },
  'same-request': {
    async work({ client, fail, clock }) {
      for (let index = 0; index < 4; index++) {
        await fail(503, 1);
        await client.request(create(index));
        await clock.sleep(MINUTE);
      }
    },
    mutants: {
      'adds a parameter': {
        targetOf: ({ path, attempt }) => (attempt === 1 ? path : `${path}?retry=${attempt}`),
      },
      'writes the body in another order': {
        bodyOf: ({ attempt }) => {
          return attempt === 1 ? '{"item":"Rake","count":1}' : '{"count":1,"item":"Rake"}';
        },
        keyOf: ({ id, method }) => (method === 'POST' ? id : undefined),
      },
      'drops a member': {
        bodyOf: ({ body, attempt }) => JSON.stringify(attempt === 1 ? body : { item: 'Spade' }),
      },
      'adds the number of the attempt to the body': {
        bodyOf: ({ body, attempt }: Attempt) => {
          return JSON.stringify({ ...(body as object), note: `attempt ${attempt}` });
        },
      },
      'accepts something else': {
        fieldsOf: ({ attempt }) => ({ accept: attempt === 1 ? 'application/json' : '*/*' }),
      },
    },
    others: {
      'unsafe-retry-is-idempotent': 'a changed body has the key of the other body',
    },
  },
  'timeout-kept': {
    async work({ client, session, clock }) {
      for (let index = 0; index < 4; index++) {
        await session.fixtures.add({ times: 1, answer: { fixedDelayMilliseconds: 90_000 } });
        await client.request(read(index));
        await clock.sleep(10 * MINUTE);
      }
    },
    mutants: {
      'has none': { timeout: Number.MAX_SAFE_INTEGER },
      'waits for 45 seconds': { timeout: 45_000 },
      'leaves the connection open': { aborts: false },
      'sends another while the first is open': { hedgesAfter: 3000 },
      'comes back after ten minutes': { wait: () => 10 * MINUTE },
    },
  },
  'concurrency-bounded': {
    async work({ client, session, fail, clock }) {
      await session.fixtures.add({ answer: { fixedDelayMilliseconds: 400 } });
      await all(60, (index) => client.request(read(index)));
      await clock.sleep(10 * MINUTE);
      await fail(503, 25);
      await all(30, (index) => client.request(read(index)));
    },
    mutants: {
      'has no limit': { concurrency: 1000 },
      'has a limit of 25': { concurrency: 25 },
      'has a limit of 40': { concurrency: 40 },
      'does not count further attempts': {
        concurrency: 18,
        limitsRetries: false,
        affords: () => true,
        trips: 1000,
        wait: () => 100,
      },
      'has a limit of 21': { concurrency: 21 },
    },
    others: {
      'retry-budget': 'the further attempts that need no place are many',
      'no-thundering-herd': 'they all wait for the same time',
      jitter: 'they all wait for the same time',
      circuit: 'they are not stopped',
    },
  },
  'no-thundering-herd': {
    base: { concurrency: 18, affords: () => true, trips: 1000 },
    others: { 'retry-budget': 'many come back, or there would be no herd' },
    async work({ client, session, fail, clock }) {
      await session.fixtures.add({ answer: { fixedDelayMilliseconds: 100 } });
      await fail(503, 18, { 'Retry-After': '3' });
      await all(18, (index) => client.request(read(index)));
      await clock.sleep(10 * MINUTE);
    },
    mutants: {
      'waits exactly as long as asked': { obey: (asked) => asked },
      'adds the same to each wait': { obey: (asked) => asked + 500 },
      'rounds to whole seconds': { obey: (asked) => 1000 * Math.ceil(asked / 1000) },
      'adds a few milliseconds': { obey: (asked, { random }) => asked + 4 * random.next() },
      'adds the same by the attempt': { obey: (asked, { attempt }) => asked + 100 * attempt },
    },
  },
  circuit: {
    base: { attempts: 1 },
    async work({ client, session, clock }) {
      await session.fixtures.add({ answer: { status: 503 } });
      for (let index = 0; index < 280; index++) {
        await client.request(read(index));
        const isBurst = index < 40 || index % 12 > 0;
        await clock.sleep(isBurst ? 100 : 10_500);
      }
    },
    mutants: {
      'has none': { trips: 1_000_000 },
      'opens after a hundred': { trips: 100 },
      'rests for a moment': { rests: 50 },
      'does not count 503': { countsAsFailure: (status) => status === 500 },
      'rests for a fifth of a second': { rests: 200 },
    },
  },
  'retries-what-is-retryable': {
    isOptional: true,
    async work({ client, session, fail, clock }) {
      for (let index = 0; index < 5; index++) {
        if (index === 4) {
          const answer = { fault: 'CONNECTION_RESET_BY_PEER' };
          await session.fixtures.add({ times: 1, answer });
        } else await fail(index < 2 ? 503 : 429, 1, index === 1 ? { 'Retry-After': '5' } : {});
        await client.request(read(index));
        await clock.sleep(MINUTE);
      }
    },
    mutants: {
      'never tries again': { attempts: 1 },
      'does not try again after 429': { retries: (status) => status >= 500 },
      'does not try again after 503': { retries: (status) => status === 429 },
      'does not try again after a reset': { retriesBreaks: () => false },
      'tries again once at most in all': { affords: (retries) => retries < 1 },
    },
  },
  'pagination-ends': {
    async work({ client }) {
      await client.readAll('/orders?limit=10', 0);
      await client.readAll('/orders?limit=5', 100);
    },
    mutants: {
      'asks for each page twice': {
        nextPages: ({ next, path }) =>
          next === undefined ? [] : path.includes('page=2') ? [next] : [next, next],
      },
      'asks for the last page again': {
        nextPages: ({ next, path, count }) =>
          next !== undefined ? [next] : count < 9 ? [path] : [],
      },
      'goes on after the last page': {
        nextPages: ({ count, path }) =>
          count < 9 ? [`${path.replace(/&page=\d+/, '')}&page=${count + 1}`] : [],
      },
      'goes one page too far': {
        nextPages: ({ next, path, count }) =>
          next !== undefined
            ? [next]
            : path.endsWith(`page=${count}`)
              ? [path.replace(/page=\d+/, `page=${count + 1}`)]
              : [],
      },
      'begins again with the second page': {
        nextPages: ({ next, count }) =>
          next !== undefined ? [next] : count < 6 ? ['/orders?limit=10&page=2'] : [],
      },
    },
    others: { 'follows-links': 'no response links to a page after the last' },
  },
  'follows-links': {
    async work({ client }) {
      await client.readAll('/orders?limit=5', 0);
    },
    mutants: {
      'forgets the size of pages': {
        nextPages: ({ next }) => (next === undefined ? [] : [next.replace('limit=5', 'limit=6')]),
      },
      'counts the pages and skips one': {
        nextPages: ({ next, count }) =>
          next === undefined || count > 2 ? [] : [`/orders?limit=5&page=${2 * count + 2}`],
      },
      'adds a parameter': {
        nextPages: ({ next }) => (next === undefined ? [] : [`${next}&again=true`]),
      },
      'begins with the third page': {
        nextPages: ({ next, count }) =>
          next === undefined || count > 1 ? [] : ['/orders?limit=5&page=3'],
      },
      'reads pages backwards': {
        nextPages: ({ count }) => (count < 4 ? [`/orders?limit=5&page=${6 - count}`] : []),
      },
    },
  },
  conditional: {
    isOptional: true,
    async work({ client, clock }) {
      for (let index = 0; index < 5; index++) {
        await client.request(read(index % 2));
        await clock.sleep(MINUTE);
      }
    },
    mutants: {
      'sends no ETag': { condition: () => ({}) },
      'sends it as If-Match': { condition: (etag) => ({ 'if-match': etag }) },
      'sends it as If-Range': { condition: (etag) => ({ 'if-range': etag }) },
      'sends it once': {
        condition: (etag, times): Readonly<Record<string, string>> =>
          times === 1 ? { 'if-none-match': etag } : {},
      },
      'sends a time': {
        condition: () => ({ 'if-modified-since': 'Sat, 31 Jan 2026 12:00:00 GMT' }),
      },
    },
  },
};

for (const [rule, { work, mutants, base = {}, others = {}, isOptional = false }] of Object.entries(
  trials,
)) {
  const also = isOptional ? [rule] : [];
  test.serial(`${rule}: a good client keeps it, and each spoiled one breaks it`, async (t) => {
    const range = await openRange(t);
    const good = await judgeClient(range, rule, base, work, also);
    t.deepEqual(
      good.filter((one) => one.result === 'broken' && !(one.rule in others)),
      [],
    );
    t.is(good.find((one) => one.rule === rule)?.result, 'kept', JSON.stringify(good));
    for (const [name, habits] of Object.entries(mutants)) {
      const rules = await judgeClient(range, name, { ...base, ...habits }, work, also);
      const broken = rules.filter(({ result }) => result === 'broken');
      const own = rules.find((one) => one.rule === rule);
      t.is(own?.result, 'broken', `${name}: ${JSON.stringify(own)}`);
      const unexpected = broken.filter((one) => one.rule !== rule && !(one.rule in others));
      t.deepEqual(unexpected, [], name);
    }
  });
}
