import test from 'ava';
import { createRandom, type Random } from '../../src/base/random.ts';
import { judgeClient, openRange, type Workload } from '../support/resilience.ts';

const RUNS = 1000;

/** Rules of fixture files that fail what the document declares, each by a number from 0 to 1. */
const failures: readonly ((chance: number) => object)[] = [
  (chance) => ({ probability: chance / 2, answer: { status: 503 } }),
  (chance) => ({ probability: chance / 2, answer: { status: 500 } }),
  (chance) => ({
    probability: chance / 2,
    answer: { status: 429, headers: { 'Retry-After': String(1 + Math.floor(9 * chance)) } },
  }),
  (chance) => ({ probability: chance / 3, answer: { status: 404 } }),
  (chance) => ({ probability: chance / 3, answer: { fault: 'CONNECTION_RESET_BY_PEER' } }),
  (chance) => ({ probability: chance / 3, answer: { fault: 'EMPTY_RESPONSE' } }),
  (chance) => ({ probability: chance / 4, answer: { fault: 'HANG' } }),
  (chance) => ({
    probability: chance / 2,
    answer: { fixedDelayMilliseconds: Math.floor(30_000 * chance) },
  }),
  (chance) => ({ outageDurationMillis: 1 + Math.floor(20_000 * chance), answer: { status: 503 } }),
  (chance) => ({
    rateLimit: { limit: 1 + Math.floor(9 * chance), windowMillis: 10_000 },
    answer: { status: 429 },
  }),
];

function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[Math.floor(random.next() * items.length)];
}

/** Sends requests of every kind, one after the other and at once. */
async function work({ client, session, clock }: Workload, random: Random): Promise<void> {
  const count = 1 + Math.floor(3 * random.next());
  for (let index = 0; index < count; index++) {
    const rule = pick(failures, random)?.(random.next()) ?? {};
    await session.fixtures.add({ name: `rule-of-${index}`, ...rule });
  }
  const send = (index: number): Promise<unknown> => {
    const kind = random.next();
    const id = 1 + Math.floor(5 * random.next());
    if (kind < 0.1) return client.readAll(`/orders?limit=${1 + id}`, 1000 * (index + 1));
    if (kind < 0.4) {
      const body = { item: `Spade ${id}` };
      return client.request({ method: 'POST', path: '/orders', body, index });
    }
    return client.request({ method: 'GET', path: `/orders/${id}`, index });
  };
  for (let index = 0; index < 4; index++) {
    const together = random.next() < 0.3 ? 12 : 1;
    await Promise.all(Array.from({ length: together }, (_, other) => send(100 * index + other)));
    await clock.sleep(Math.round(20_000 * random.next() ** 3));
  }
}

test(`a good client breaks no rule in ${RUNS} runs with random failures`, async (t) => {
  const range = await openRange(t);
  const results = { kept: 0, broken: 0, undecided: 0 };
  for (let run = 0; run < RUNS; run++) {
    const random = createRandom(`run ${run}`);
    const habits = { identifies: random.next() < 0.5 };
    const rules = await judgeClient(range, `run ${run}`, habits, (one) => work(one, random));
    for (const { result } of rules) results[result]++;
    const broken = rules.filter(({ result }) => result === 'broken');
    if (broken.length > 0) t.deepEqual(broken, [], `run ${run}`);
  }
  t.log(JSON.stringify(results));
  t.true(results.kept > RUNS, 'many rules are judged');
});
