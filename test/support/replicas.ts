import type { ExecutionContext } from 'ava';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { startBalancer } from './balancer.ts';
import type { Transport } from './case-file.ts';
import type { StartMock } from './run-cases.ts';
import { type Exchange, openMock, watchClock } from './running-mock.ts';
import { sendOverSocket } from './socket-client.ts';
import { createStillClock } from './still-clock.ts';

const REPLICAS = 3;
/** More tests at once, and none of them gets on: each has three mocks. */
const MOST_AT_ONCE = 24;
/** Milliseconds; a machine that is busy with tests is no Redis that is away. */
const PATIENT = 30_000;

/**
 * @param url of a Redis
 * @returns what starts several mocks on it that are to be as one: each request goes to the next
 */
export function startReplicasOn(url: () => string): StartMock {
  let count = 0;
  const takePlace = createPlaces(MOST_AT_ONCE);
  return async (t, options, transport) => {
    await takePlace(t);
    const clock = createStillClock();
    // Nobody has used this one before: a mock that starts anew remembers nothing.
    const store = `${url()}?namespace=replicas-${++count}`;
    const mocks = await openReplicas(t, { ...options, clock, store, storeTimeout: PATIENT });
    return watchClock(await openAll(t, mocks, transport), clock);
  };
}

/** @returns what waits until a test may begin; its place is free again when it has ended */
function createPlaces(count: number): (t: ExecutionContext) => Promise<void> {
  const inside = new Set<ExecutionContext>();
  const waiting: (() => void)[] = [];
  return async (t) => {
    if (inside.has(t)) return;
    while (inside.size >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    inside.add(t);
    t.teardown(() => {
      inside.delete(t);
      waiting.shift()?.();
    });
  };
}

/** Makes several mocks of the same options; they go with their test. */
export async function openReplicas(
  t: ExecutionContext,
  options: MockOptions,
): Promise<readonly Mock[]> {
  const mocks = await Promise.all(Array.from({ length: REPLICAS }, () => createMock(options)));
  t.teardown(async () => {
    await Promise.all(mocks.map((mock) => mock.close()));
  });
  return mocks;
}

/** @returns the port of a balancer before all of them; it goes with its test */
export async function listenTogether(t: ExecutionContext, mocks: readonly Mock[]): Promise<number> {
  const servers = await Promise.all(mocks.map((mock) => mock.listen({ port: 0 })));
  const balancer = await startBalancer(servers.map(({ port }) => port));
  t.teardown(() => balancer.close());
  return balancer.port;
}

async function openAll(
  t: ExecutionContext,
  mocks: readonly Mock[],
  transport: Transport,
): Promise<Exchange> {
  if (transport === 'over a socket') {
    const port = await listenTogether(t, mocks);
    return (request, patience) => sendOverSocket(port, request, patience);
  }
  const exchanges = await Promise.all(mocks.map((mock) => openMock(mock, transport)));
  let next = 0;
  return (request, patience) => {
    const exchange = exchanges[next++ % exchanges.length];
    if (exchange === undefined) throw new Error('there is no replica');
    return exchange(request, patience);
  };
}
