import { type Clock, parseInstant } from '../base/clock.ts';
import { heapRoom } from '../base/heap.ts';
import { isRedisSetting } from '../redis/redis-url.ts';
import type { Foresee } from '../resources/foresee.ts';
import { LocalSessions } from '../session/local-sessions.ts';
import { readReplay } from '../session/replay.ts';
import type { SessionBeginning } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Settings } from '../settings/settings.ts';
import { type FileSettings, FileStores } from '../state/file-stores.ts';
import { type MemorySettings, MemoryStores } from '../state/memory-stores.ts';
import { StateBudget } from '../state/state-budget.ts';
import {
  type LocalStores,
  type StoreBeginning,
  StoreError,
  type StoreLog,
} from '../state/store.ts';

/**
 * Opens the sessions of a mock once it is known what they begin with.
 *
 * @throws {StoreError} for a store that cannot be used
 */
export type OpenSessions = (
  beginning: SessionBeginning,
  resources: StoreBeginning,
  log: StoreLog,
  foresee: Foresee,
) => Sessions;

/** Stored resources also have to be written out, which takes several times their memory. */
const STATE_SHARE = 8;

export async function chooseSessions(settings: Settings): Promise<OpenSessions> {
  const { store, storeTimeout: timeout, stateLimit } = settings;
  const bounds = { maximum: settings.sessionLimit, idleMilliseconds: settings.sessionIdle * 1000 };
  if (!isRedisSetting(store)) {
    return (beginning, resources) => {
      const limit = stateLimit === 0 ? Math.floor(heapRoom() / STATE_SHARE) : stateLimit;
      const budget = new StateBudget(limit);
      const stores = openStores(store, { budget, beginning: resources, timeout });
      return new LocalSessions(beginning, bounds, stores);
    };
  }
  // Loaded where it is asked for: most mocks never are.
  const { RedisConnection } = await import('../redis/connection.ts');
  const { SharedSessions } = await import('../redis/sessions.ts');
  return (beginning, resources, log, foresee) => {
    const connection = new RedisConnection(store, timeout);
    const bounded = { bounds, stateLimit: stateLimit === 0 ? undefined : stateLimit };
    return new SharedSessions({ connection, beginning, resources, log, foresee, ...bounded });
  };
}

/** A setting whose value cannot be read: wrong use. */
export class SettingError extends RangeError {
  override readonly name = 'SettingError';
}

/**
 * Reads what every session begins with.
 *
 * @throws {SettingError} for a moment or a replay that cannot be read
 */
export function readBeginning({ seed, frozenAt, replay }: Settings, clock: Clock) {
  return {
    seed,
    clock,
    clockState: { offset: 0, frozenAt: frozenAt === '' ? undefined : readMoment(frozenAt) },
    replay: replay === '' ? undefined : readAwaited(replay),
  };
}

/** RFC 3339 §5.6. */
const MOMENT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

function readMoment(text: string): number {
  const moment = MOMENT.test(text) ? parseInstant(text) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new SettingError(
    `frozenAt must be a moment such as 2026-01-31T12:00:00Z, got ${JSON.stringify(text)}`,
  );
}

function readAwaited(text: string) {
  const replay = readReplay(text);
  if (replay !== undefined) return replay;
  throw new SettingError(
    'replay must be a value of Mock-Replay, such as seed="coldframe", call=17, ' +
      `got ${JSON.stringify(text)}`,
  );
}

/**
 * Opens stores in memory for the setting `memory`, and in a file for `file:` and a path.
 *
 * @throws {StoreError} for another setting, and for a file that cannot be used
 */
export function openStores(setting: string, settings: MemorySettings & FileSettings): LocalStores {
  if (setting === 'memory') return new MemoryStores(settings);
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(setting)?.[1];
  if (path !== undefined) return new FileStores(path, settings);
  throw new StoreError(
    `${JSON.stringify(setting)} is no store: say memory, file:./coldframe.db or redis://localhost:6379`,
  );
}
