import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { inferAhead } from '../../src/assemble/infer-ahead.ts';
import { Contract } from '../../src/contract/contract.ts';
import { createResources } from '../../src/resources/resources.ts';
import { parseDocument } from '../support/documents.ts';

const contract = new Contract(parseDocument('empty.yaml', 'openapi: 3.1.0\npaths: {}'));

/** Returns resources that are inferred in some parts, and counts those that were. */
function createParts(parts: number, error?: Error) {
  const counted = { inferred: 0 };
  const inferNext = (): boolean => {
    counted.inferred += 1;
    if (error !== undefined) throw error;
    return counted.inferred < parts;
  };
  return { counted, resources: { ...createResources(contract), inferNext } };
}

/** Waits until nothing changes any more. */
async function settle(counted: { readonly inferred: number }): Promise<void> {
  await sleep(100);
  for (let before = -1; before !== counted.inferred; await sleep(50)) before = counted.inferred;
}

test('all parts are inferred after the start, and none of them at once', async (t) => {
  const { counted, resources } = createParts(20);
  inferAhead(() => resources, new AbortController().signal);
  t.is(counted.inferred, 0);
  await settle(counted);
  t.is(counted.inferred, 20);
});

test('nothing is inferred once the mock closes', async (t) => {
  const { counted, resources } = createParts(20);
  const closing = new AbortController();
  inferAhead(() => resources, closing.signal);
  closing.abort();
  await settle(counted);
  t.is(counted.inferred, 0);
});

test('the rest of a document that is replaced is not inferred', async (t) => {
  const { counted, resources } = createParts(Infinity);
  let current = resources;
  inferAhead(() => current, new AbortController().signal);
  while (counted.inferred === 0) await sleep(10);
  current = createParts(1).resources;
  const { inferred } = counted;
  await settle(counted);
  t.is(counted.inferred, inferred);
});

test('an error ends it, and is left to the request that meets it', async (t) => {
  const { counted, resources } = createParts(20, new Error('broken'));
  inferAhead(() => resources, new AbortController().signal);
  await settle(counted);
  t.is(counted.inferred, 1);
});
