import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the default session has had so many requests, answered or not: how soon one comes is
 * the machine's business.
 *
 * @param ask asks the mock for a path
 */
export async function untilCalled(
  ask: (path: string, init: RequestInit) => Promise<Response>,
  count = 1,
): Promise<void> {
  // A connection that stays would be one more that a mock that ends has to close.
  const init = { headers: { connection: 'close' } };
  for (;;) {
    const answer = await ask('/__admin/sessions/default', init);
    const { calls } = (await answer.json()) as { readonly calls: number };
    if (calls >= count) return;
    await sleep(20);
  }
}
