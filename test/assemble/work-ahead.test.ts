import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { type WorkAhead, workAhead } from '../../src/assemble/work-ahead.ts';

const always = () => true;

/** Returns work in some parts, and counts those that were done. */
function createWork(parts: number, requests: number, error?: Error) {
  const done = { inferred: 0, rehearsed: 0 };
  const inferNext = (): boolean => {
    done.inferred += 1;
    if (error !== undefined) throw error;
    return done.inferred < parts;
  };
  const next = async (): Promise<boolean> => {
    if (done.rehearsed === requests) return false;
    done.rehearsed += 1;
    return true;
  };
  const work: WorkAhead = {
    resources: { inferNext },
    createRehearsal: () => ({ next }),
    coverage: undefined,
    hasRoom: always,
  };
  return { done, work };
}

/** Waits until nothing changes any more. */
async function settle(done: object, milliseconds: number): Promise<void> {
  await sleep(milliseconds);
  for (let before = ''; before !== JSON.stringify(done); await sleep(milliseconds)) {
    before = JSON.stringify(done);
  }
}

test('everything is inferred after the start and not at once, and then rehearsed', async (t) => {
  const { done, work } = createWork(20, 5);
  workAhead(work, always);
  t.deepEqual(done, { inferred: 0, rehearsed: 0 });
  await settle(done, 1_500);
  t.deepEqual(done, { inferred: 20, rehearsed: 5 });
});

test('what coverage counts is planned once all is rehearsed', async (t) => {
  const { done, work } = createWork(20, 5);
  const planned: number[] = [];
  const planNext = (): boolean => {
    if (planned.length === 100) return false;
    planned.push(done.rehearsed);
    return true;
  };
  workAhead({ ...work, coverage: { planNext } }, always);
  await settle(done, 1_500);
  t.deepEqual(planned, Array(100).fill(5));
});

test('where responses need no meanings, requests are rehearsed alone', async (t) => {
  const { done, work } = createWork(20, 5);
  workAhead({ ...work, resources: undefined }, always);
  await settle(done, 1_500);
  t.deepEqual(done, { inferred: 0, rehearsed: 5 });
});

test('nothing is done once the mock closes', async (t) => {
  const { done, work } = createWork(20, 5);
  workAhead(work, () => false);
  await settle(done, 300);
  t.deepEqual(done, { inferred: 0, rehearsed: 0 });
});

test('once memory is scarce, nothing is rehearsed any more', async (t) => {
  const { done, work } = createWork(20, 5);
  workAhead({ ...work, hasRoom: () => done.rehearsed < 2 }, always);
  await settle(done, 1_500);
  t.deepEqual(done, { inferred: 20, rehearsed: 2 });
});

test('the rest of a document that is replaced is left alone', async (t) => {
  const { done, work } = createWork(Infinity, 5);
  let isCurrent = true;
  workAhead(work, () => isCurrent);
  while (done.inferred === 0) await sleep(10);
  isCurrent = false;
  const { inferred } = done;
  await settle(done, 100);
  t.is(done.inferred, inferred);
});

test('an error ends it, and is left to the request that meets it', async (t) => {
  const { done, work } = createWork(20, 5, new Error('broken'));
  workAhead(work, always);
  await settle(done, 1_000);
  t.deepEqual(done, { inferred: 1, rehearsed: 0 });
});

test('nothing is rehearsed while the thread is busy with requests', async (t) => {
  const { done, work } = createWork(1, 5);
  const until = performance.now() + 1_500;
  workAhead(work, always);
  while (performance.now() < until) {
    const rest = performance.now() + 10;
    while (performance.now() < rest);
    await sleep(10);
  }
  t.is(done.rehearsed, 0);
  await settle(done, 1_500);
  t.is(done.rehearsed, 5);
});
