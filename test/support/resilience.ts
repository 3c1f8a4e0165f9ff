import type { ExecutionContext } from 'ava';
import { createRandom } from '../../src/base/random.ts';
import { createMock, type Mock, type MockSession, type RuleVerdict } from '../../src/index.ts';
import { createFolder } from './folder.ts';
import { orders } from './orders.ts';
import { goodHabits, type Habits, RetryingClient } from './retrying-client.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What a client does in a session. */
export interface Workload {
  readonly client: RetryingClient;
  readonly session: MockSession;
  readonly clock: VirtualClock;
  /** Makes the next requests for an order fail. */
  fail(status: number, times: number, fields?: Readonly<Record<string, string>>): Promise<void>;
}

/** A mock on whose clock nobody waits. */
export interface Range {
  readonly mock: Mock;
  readonly clock: VirtualClock;
}

export async function openRange(t: ExecutionContext): Promise<Range> {
  const folder = await createFolder(t, { 'orders.yaml': orders });
  const clock = new VirtualClock();
  const mock = await createMock({ document: `${folder}/orders.yaml`, clock });
  t.teardown(() => mock.close());
  return { mock, clock };
}

/** Lets a client with these habits work in a new session, and returns the verdict on it. */
export async function judgeClient(
  { mock, clock }: Range,
  seed: string,
  habits: Partial<Habits>,
  work: (workload: Workload) => Promise<void>,
  also: readonly string[] = [],
): Promise<readonly RuleVerdict[]> {
  const session = mock.session();
  const items = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, item: 'Spade' }));
  await session.state.seed({ orders: items });
  const random = createRandom(seed);
  const send = (path: string, init: RequestInit) => session.fetch(path, init);
  const client = new RetryingClient(send, clock, random, { ...goodHabits, ...habits });
  let failures = 0;
  const fail: Workload['fail'] = async (status, times, headers = {}) => {
    const answer = { status, headers };
    await session.fixtures.add({ name: `fail-${++failures}`, times, answer });
  };
  await clock.run(work({ client, session, clock, fail }));
  const { rules } = await session.verdict({ also });
  await session.close();
  return rules;
}
