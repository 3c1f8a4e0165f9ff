import test from 'ava';
import type { Clock } from '../../src/base/clock.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import { Contract } from '../../src/contract/contract.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { Fields } from '../../src/http/message.ts';
import { ExchangeLog } from '../../src/journal/keep/exchange-log.ts';
import { JournalBudget } from '../../src/journal/keep/journal-budget.ts';
import { FixtureSet } from '../../src/rules/fixture-set.ts';
import { Call } from '../../src/session/call.ts';
import { SessionClock } from '../../src/session/clock.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { readReplay, writeReplay } from '../../src/session/replay.ts';
import type { Session } from '../../src/session/session.ts';
import { isSessionId, readSession } from '../../src/session/session-id.ts';
import { openOrDetached } from '../../src/session/sessions.ts';
import { defaultDocument } from '../../src/settings/settings.ts';
import { MemoryStores } from '../../src/state/memory-stores.ts';
import { StateBudget } from '../../src/state/state-budget.ts';
import { fc } from '../support/properties.ts';

/** A clock that a test moves. */
function createHandClock(): Clock & { tick(milliseconds: number): void } {
  let time = 0;
  return {
    now: () => 1_000_000 + time,
    monotonic: () => time,
    sleep: () => Promise.resolve(),
    tick: (milliseconds) => {
      time += milliseconds;
    },
  };
}

const { document } = await readDocument([{ location: defaultDocument }], {});
const contract = new Contract(document, () => []);

function createSessions(clock: Clock, budget = new StateBudget(1_000_000)): LocalSessions {
  const fixtures = new FixtureSet([], {
    contract,
    undeclaredFailures: 'send',
    engine: () => {
      throw new Error('there is no template');
    },
    readBodyFile: () => undefined,
    readProfiles: () => [],
  });
  const beginning = {
    seed: 'seed',
    clock,
    clockState: { offset: 0, frozenAt: undefined },
    fixtures: () => fixtures,
    journal: {
      maximumExchanges: 10,
      maximumBytes: 10_000,
      maximumBodyLength: 100,
      budget: new JournalBudget(100_000),
      log: new ExchangeLog(),
      refuseAgain: () => undefined,
      createView: nobodyLooks,
      redaction: nobodyLooks,
    },
    replay: undefined,
  };
  const bounds = { maximum: 3, idleMilliseconds: 1000 };
  return new LocalSessions(beginning, bounds, new MemoryStores({ budget }));
}

test('a session is created when it is first named, and stays the same', async (t) => {
  const sessions = createSessions(createHandClock());
  t.is(await sessions.find('a'), undefined);
  const session = await sessions.open('a');
  const first = await sessions.open(undefined);
  t.is(await sessions.open('a'), session);
  t.is(await sessions.open(undefined), first);
  t.is(await sessions.open('default'), first);
  t.not(session, first);
});

test('a session in memory is available without a promise', (t) => {
  const sessions = createSessions(createHandClock());
  t.false(sessions.open('a') instanceof Promise);
  t.false(sessions.open(undefined) instanceof Promise);
});

test('above the limit, the least recently used session is dropped, never the default one', async (t) => {
  const clock = createHandClock();
  const sessions = createSessions(clock);
  const dropped: string[] = [];
  sessions.on(({ kind, id }) => kind === 'dropped' && dropped.push(id));
  for (const id of ['a', 'b', 'c', 'a', 'd']) {
    clock.tick(1);
    await sessions.open(id);
  }
  t.deepEqual(dropped, ['b']);
  const listed = await sessions.list(100);
  t.deepEqual(
    listed.map(({ id }) => id),
    ['default', 'd', 'a', 'c'],
  );
});

const FERN = {
  collection: 'plants',
  key: '1',
  expected: 'any',
  resource: { name: 'Fern' },
} as const;

async function listPlants({ state }: Session): Promise<readonly JsonObject[]> {
  const stored = await state.list('plants', { offset: 0, limit: 10 });
  return stored.map(({ resource }) => resource);
}

test('an idle session is dropped and starts anew', async (t) => {
  const clock = createHandClock();
  const sessions = createSessions(clock);
  const first = await sessions.open('a');
  await first.state.commit([FERN]);
  clock.tick(999);
  t.is(await sessions.open('a'), first);
  clock.tick(1000);
  const second = await sessions.open('a');
  t.not(second, first);
  t.deepEqual(await listPlants(second), []);
});

test('a dropped session frees the room of its state and snapshots', async (t) => {
  const budget = new StateBudget(1_000_000);
  const sessions = createSessions(createHandClock(), budget);
  const session = await sessions.open('a');
  const empty = budget.taken;
  await session.state.commit([FERN]);
  await session.takeSnapshot('before');
  t.true(budget.taken > empty);
  t.true(await sessions.drop('a'));
  t.true(budget.taken <= empty);
  t.false(await sessions.drop('a'));
});

test('random numbers of a call depend only on the random seed and its number', async (t) => {
  const sessions = createSessions(createHandClock());
  const draw = async (id: string, calls: number): Promise<number[]> => {
    const session = await sessions.open(id);
    return Array.from({ length: calls }, () => new Call(session).random.next());
  };
  const first = await draw('a', 20);
  t.deepEqual(await draw('b', 20), first);
  t.is(new Set(first).size, 20);
  const other = await sessions.open('c');
  other.seed = 'another';
  t.notDeepEqual(await draw('c', 20), first);
});

test('a restored session continues as it did before', async (t) => {
  const session = await createSessions(createHandClock()).open('a');
  const play = (): readonly number[] => [new Call(session).random.next(), session.clock.now()];
  play();
  session.clock.freeze(5);
  await session.state.commit([FERN]);
  await session.takeSnapshot('then');
  const after = play();
  session.clock.resume();
  await session.state.replace('all', []);
  await session.copyFrom(session, 'then');
  t.deepEqual(play(), after);
  t.deepEqual(await listPlants(session), [{ name: 'Fern' }]);
});

test('a fork has the content of its source and changes independently', async (t) => {
  const sessions = createSessions(createHandClock());
  const [source, fork] = [await sessions.open('a'), await sessions.open('b')];
  await source.state.commit([FERN]);
  source.seed = 'another';
  await fork.copyFrom(source);
  t.is(fork.seed, 'another');
  await fork.state.commit([{ ...FERN, resource: undefined }]);
  t.deepEqual(await listPlants(fork), []);
  t.deepEqual(await listPlants(source), [{ name: 'Fern' }]);
});

test('an action that fails runs once, and its error is thrown', async (t) => {
  const sessions = createSessions(createHandClock());
  const bug = new TypeError('a bug');
  for (const id of [undefined, 'a']) {
    const ids: string[] = [];
    const act = (session: Session): never => {
      ids.push(session.id);
      throw bug;
    };
    t.is(await t.throwsAsync(async () => openOrDetached(sessions, id, act)), bug);
    t.is(ids.length, 1);
  }
});

test('an action runs in a session that keeps nothing where its own cannot be opened', async (t) => {
  const sessions = createSessions(createHandClock());
  t.is(await openOrDetached(sessions, 'not a name', (session) => session), sessions.detached);
});

test('the numbers of recorded requests are not reused', async (t) => {
  const session = await createSessions(createHandClock()).open('a');
  await session.takeSnapshot('empty');
  t.is(new Call(session).number, 1);
  await session.copyFrom(session, 'empty');
  t.is(new Call(session).number, 2);
  await session.reset();
  t.is(new Call(session).number, 1);
});

test('a frozen clock stands still, can be set and advanced, and resumes', (t) => {
  const base = createHandClock();
  const clock = new SessionClock(base, { offset: 0, frozenAt: undefined });
  t.is(clock.now(), 1_000_000);
  clock.freeze();
  base.tick(50);
  t.is(clock.now(), 1_000_000);
  clock.advance(7);
  t.is(clock.now(), 1_000_007);
  clock.resume();
  base.tick(3);
  t.is(clock.now(), 1_000_010);
  clock.set(5);
  base.tick(1);
  t.is(clock.now(), 6);
});

test('a sleep ends when the clock is advanced beyond it', async (t) => {
  const clock = new SessionClock(
    {
      now: () => Date.now(),
      monotonic: () => performance.now(),
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          signal?.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
          });
        }),
    },
    { offset: 0, frozenAt: undefined },
  );
  let isAwake = false;
  const sleep = clock.sleep(3_600_000).then(() => {
    isAwake = true;
  });
  clock.advance(1_800_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.false(isAwake);
  clock.advance(1_800_000);
  await sleep;
  t.true(isAwake);
});

test('a session is read from any of its locations, or missing', (t) => {
  const read = (target: string, fields: Record<string, string>): string | undefined =>
    readSession({ method: 'GET', target, fields: new Fields(fields), rawBody: Buffer.alloc(0) }).id;
  t.is(read('/plants', {}), undefined);
  t.is(read('/plants', { 'mock-session': 'a' }), 'a');
  t.is(read('/plants', { baggage: 'x=1,mock-session=a%2Db;p=1' }), 'a-b');
  t.is(read('/plants', { baggage: 'x-mock-session=a' }), undefined);
  t.is(read('/plants', { cookie: 'a=b; mock-session=c' }), 'c');
  t.is(read('/__session/a?x=1', {}), 'a');
  t.is(read('/__session/a', {}), 'a');
  t.is(read('/__sessions/a', {}), undefined);
});

test('the path within a session keeps its query and is never empty', (t) => {
  const inside = (target: string): string =>
    readSession({ method: 'GET', target, fields: new Fields({}), rawBody: Buffer.alloc(0) }).request
      .target;
  t.is(inside('/__session/a/plants?x=/y'), '/plants?x=/y');
  t.is(inside('/__session/a?x=1'), '/?x=1');
  t.is(inside('/__session/a'), '/');
  t.is(inside('/plants'), '/plants');
});

test('a session id needs no escapes in a path or a cookie', (t) => {
  for (const id of ['a', 'A.b_c~d-1', 'x'.repeat(128), '...']) t.true(isSessionId(id), id);
  for (const id of ['', '.', '..', 'a b', 'a/b', 'ä', 'a;b', '__admin', 'x'.repeat(129)]) {
    t.false(isSessionId(id), id);
  }
});

test('a member of Baggage is found among others', (t) => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const value = fc.stringMatching(/^[A-Za-z0-9._~-]{1,12}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), value, fc.nat(), (others, wanted, place) => {
      const members = others.map(([key, text]) => `${key}=${text};p=1`);
      members.splice(place % (members.length + 1), 0, ` mock-session = ${wanted} ;ttl=5`);
      const fields = new Fields({ baggage: members.join(',') });
      const { id } = readSession({ method: 'GET', target: '/', fields, rawBody: Buffer.alloc(0) });
      t.is(id, wanted);
    }),
  );
});

test('a replay is read as it was written', (t) => {
  const text = fc.string({ unit: fc.stringMatching(/^[ -~]$/), minLength: 1 });
  const rule = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,8}$/);
  const replay = fc.record({
    seed: text,
    call: fc.integer({ min: 1, max: 2 ** 40 }),
    at: fc.option(fc.integer({ min: -1e14, max: 1e14 }), { nil: undefined }),
    operation: fc.option(text, { nil: undefined }),
    rules: fc.array(rule),
  });
  fc.assert(fc.property(replay, (given) => t.deepEqual(readReplay(writeReplay(given)), given)));
});

test('a text without a random seed or a number is not a replay', (t) => {
  for (const field of ['', 'seed="a"', 'call=1', 'seed="a", call=0', 'seed="a", call=x', '17']) {
    t.is(readReplay(field), undefined, field);
  }
});

function nobodyLooks(): never {
  throw new Error('nobody looks');
}
