import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { createMock, type MockSession } from '../../src/index.ts';
import { verdictRules } from '../../src/report/verdict/judge.ts';
import { createPlant } from '../support/plants.ts';

/** Sends a plant after each of these waits, by a session's clock that nobody waits for. */
async function sendAfter(session: MockSession, waits: readonly number[], plant?: unknown) {
  for (const wait of waits) {
    if (wait > 0) await session.clock.advance(wait);
    const given = createPlant(plant);
    const headers = { ...given.headers, 'X-Request-Id': 'one' };
    await session.fetch('/plants', { ...given, headers });
  }
}

async function openSession() {
  const session = (await createMock()).session('client');
  await session.clock.freeze('2026-01-31T12:00:00Z');
  return session;
}

async function findRule(session: MockSession, rule: string) {
  const { rules } = await session.verdict();
  return rules.find((one) => one.rule === rule);
}

test('a session without requests decides nothing', async (t) => {
  const session = await openSession();
  const { rules, ...verdict } = await session.verdict();
  t.deepEqual(verdict, { session: 'client', dropped: 0 });
  t.deepEqual(
    rules.filter(({ result }) => result !== 'undecided'),
    [],
  );
});

test('a request that may have been under way neither keeps nor breaks retry-after', async (t) => {
  const session = await openSession();
  await session.operation('createPlant').failNext(503);
  await session.fetch('/plants', createPlant());
  await session.clock.advance(10);
  await session.fetch('/plants', createPlant());
  const found = await findRule(session, 'retry-after');
  t.is(found?.result, 'undecided');
  t.regex(found?.reason ?? '', /so soon that they may have been under way$/);
});

test('a client that comes before Retry-After has passed breaks the rule, with its evidence', async (t) => {
  const session = await openSession();
  await session.operation('createPlant').failNext(503);
  await sendAfter(session, [0, 400]);
  const found = await findRule(session, 'retry-after');
  t.is(found?.result, 'broken');
  const [evidence] = found?.evidence ?? [];
  t.is(
    evidence?.message,
    '#2 POST /plants came 400 ms after the response to #1, which asks to wait 1000 ms',
  );
  t.deepEqual(evidence?.requests, [
    { number: 1, at: '2026-01-31T12:00:00.000Z' },
    { number: 2, at: '2026-01-31T12:00:00.400Z' },
  ]);
  const replayed = await session.fetch('/plants', {
    ...createPlant(),
    headers: { ...createPlant().headers, 'Mock-Replay': evidence?.replay ?? '' },
  });
  t.is(replayed.status, 503, 'the replay of the evidence brings the failure again');
});

test('a client that waits as long as Retry-After says keeps the rule', async (t) => {
  const session = await openSession();
  await session.operation('createPlant').failNext(503);
  await sendAfter(session, [0, 1000]);
  t.is((await findRule(session, 'retry-after'))?.result, 'kept');
});

test('a threshold decides how many attempts are too many', async (t) => {
  const session = await openSession();
  await session.operation('createPlant').failNext(503, { times: 9 });
  await sendAfter(session, [0, 1000, 2000, 4000]);
  const most = async (number: number) => {
    const thresholds = { 'attempts-bounded': { most: number } };
    const { rules } = await session.verdict({ rules: ['attempts-bounded'], thresholds });
    return rules.map(({ result }) => result);
  };
  t.deepEqual(await most(4), ['kept']);
  t.deepEqual(await most(3), ['broken']);
});

test('a refused request that comes again breaks the rule, with another credential it does not', async (t) => {
  const session = await openSession();
  await sendAfter(session, [0], '{}');
  t.is((await findRule(session, 'no-retry-of-client-errors'))?.result, 'kept');
  await sendAfter(session, [100], '{}');
  t.is((await findRule(session, 'no-retry-of-client-errors'))?.result, 'broken');
  await session.reset('journal');
  await session.fetch('/plants', { ...createPlant(), headers: { 'X-Request-Id': 'one' } });
  await sendAfter(session, [100]);
  t.is((await findRule(session, 'no-retry-of-client-errors'))?.result, 'kept');
});

test('requests without an id that may be several calls decide nothing, and say so', async (t) => {
  const session = await openSession();
  for (let call = 0; call < 2; call++) {
    await session.fetch('/plant/9');
    await session.clock.advance(900);
  }
  const found = await findRule(session, 'no-retry-of-client-errors');
  t.is(found?.result, 'undecided');
  t.is(found?.reason, '#1 and what repeats it have no id in common, and may be several calls');
});

const SLOW = {
  'a response that never comes': { fault: 'HANG' },
  'a delayed response': { fixedDelayMilliseconds: 60_000 },
  'a slow body': { chunkedDribbleDelay: { numberOfChunks: 4, totalDuration: 60_000 } },
};

for (const [what, answer] of Object.entries(SLOW)) {
  test(`the journal says when a client left ${what}`, async (t) => {
    const mock = await createMock();
    t.teardown(() => mock.close());
    const { url } = await mock.listen({ port: 0 });
    const session = mock.session();
    // The first request opens the connection, so that those that are given up arrive in time.
    await (await fetch(`${url}/plants`, createPlant())).text();
    await session.fixtures.add({ answer });
    const headers = { ...createPlant().headers, ...session.headers };
    const leave = async (send: typeof fetch, target: string) => {
      const signal = AbortSignal.timeout(700);
      const response = await send(target, { ...createPlant(), headers, signal });
      await response.text();
    };
    await t.throwsAsync(leave(fetch, `${url}/plants`), { any: true });
    // A program in process does not say when it has a slow body.
    const isBody = answer === SLOW['a slow body'];
    if (!isBody) await t.throwsAsync(leave(mock.fetch, 'http://localhost/plants'), { any: true });
    // The system reports the end of a connection a moment later.
    for (let turn = 0; turn < 600; turn++) {
      const all = await session.journal.list();
      if (all.length > 0 && all.every(({ leftAt }) => leftAt !== undefined)) break;
      await setTimeout(50);
    }
    const exchanges = await session.journal.list();
    t.true(exchanges.length > 0);
    for (const { at, leftAt = '' } of exchanges) t.true(leftAt >= at, leftAt);
    t.is((await findRule(session, 'timeout-kept'))?.result, 'kept');
  });
}

test('several rules, and several thresholds, can be chosen', async (t) => {
  const session = await openSession();
  const thresholds = { 'retry-after': { slack: 5, flight: 5 }, circuit: { probes: 1 } };
  const rules = ['circuit', 'retry-after'];
  const verdict = await session.verdict({ rules, also: ['conditional'], thresholds });
  t.deepEqual(
    verdict.rules.map(({ rule }) => rule),
    ['retry-after', 'circuit', 'conditional'],
  );
  const optional = (await session.verdict()).rules.filter(({ rule }) => rule === 'conditional');
  t.deepEqual(optional, [], 'an optional rule is left out');
});

test('a name that is wrong is refused with the nearest', async (t) => {
  const session = await openSession();
  const refused = await t.throwsAsync(session.verdict({ rules: ['retry-afer'] }));
  t.regex(refused.message, /^there is no rule "retry-afer"; did you mean retry-after\? There is /);
  const other = { 'retry-after': { slak: 1 } };
  const threshold = await t.throwsAsync(session.verdict({ thresholds: other }));
  t.regex(threshold.message, /no threshold of retry-after "slak"; did you mean slack\? There is /);
});

test('the reference has every rule with its definition, source and thresholds', async (t) => {
  const text = await readFile('docs/reference/verdict-rules.md', 'utf8');
  const sections = new Map(
    text
      .split(/^## /m)
      .map((section) => [section.split('\n', 1)[0], section.replaceAll(/\s+/g, ' ')]),
  );
  for (const { name, definition, source, thresholds, isOptional } of verdictRules) {
    const section = sections.get(name) ?? '';
    t.true(section.includes(definition), name);
    t.true(section.includes(`Source: ${source}`), name);
    t.is(section.includes('Judged only where you ask for it'), isOptional === true, name);
    for (const [threshold, { value, meaning }] of Object.entries(thresholds)) {
      t.true(
        section.includes(`| \`${threshold}\` | ${value} | ${meaning} |`),
        `${name} ${threshold}`,
      );
    }
  }
  const rules = [...sections.keys()].filter((title) => /^[a-z-]+$/.test(title ?? ''));
  t.deepEqual(
    rules,
    verdictRules.map(({ name }) => name),
  );
});
