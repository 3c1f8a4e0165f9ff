import { getHeapStatistics } from 'node:v8';
import { isRedisSetting } from '../redis/redis-url.ts';
import { LocalSessions } from '../session/local-sessions.ts';
import type { SessionBeginning } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Settings } from '../settings/settings.ts';
import { openStores } from '../state/open-stores.ts';
import { StateBudget } from '../state/state-budget.ts';
import type { StoreBeginning, StoreLog } from '../state/store.ts';

/**
 * Opens the sessions of a mock once it is known what they begin with.
 *
 * @throws {StoreError} for a store that cannot be used
 */
export type OpenSessions = (
  beginning: SessionBeginning,
  resources: StoreBeginning,
  log: StoreLog,
) => Sessions;

/** What is stored has to be written out as well, which takes several times its room. */
const STATE_SHARE = 8;

/** What V8 has for what is young, at the most: counted into its limit, and no room for what stays. */
const YOUNG_BYTES = 192 * 1024 * 1024;

/** @returns bytes of the heap that may be taken by what is stored */
function shareOfHeap(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.floor(Math.max(limit - YOUNG_BYTES, limit / 3) / STATE_SHARE);
}

/** @returns what opens the sessions, where the setting `store` says */
export async function chooseSessions(settings: Settings): Promise<OpenSessions> {
  const { store, storeTimeout: timeout, stateLimit } = settings;
  const bounds = { maximum: settings.sessionLimit, idleMilliseconds: settings.sessionIdle * 1000 };
  if (!isRedisSetting(store)) {
    return (beginning, resources) => {
      const limit = stateLimit === 0 ? shareOfHeap() : stateLimit;
      const budget = new StateBudget(limit);
      const stores = openStores(store, { budget, beginning: resources, timeout });
      return new LocalSessions(beginning, bounds, stores);
    };
  }
  // Loaded where it is asked for: most mocks never are.
  const { connectRedis } = await import('../redis/connection.ts');
  const { SharedSessions } = await import('../redis/sessions.ts');
  return (beginning, resources, log) => {
    const connection = connectRedis(store, { timeout });
    const limit = stateLimit === 0 ? undefined : stateLimit;
    const bounded = { bounds, stateLimit: limit };
    return new SharedSessions({ connection, beginning, resources, log, ...bounded });
  };
}
