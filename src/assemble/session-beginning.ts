import type { Clock } from '../base/clock.ts';
import { readReplay } from '../session/replay.ts';
import type { SessionBeginning } from '../session/session.ts';
import type { Settings } from '../settings/settings.ts';

/** A setting whose value cannot be read: wrong use. */
export class SettingError extends RangeError {
  override readonly name = 'SettingError';
}

/** What of a session's beginning the settings say; the rest comes of what is served. */
export type GivenBeginning = Omit<SessionBeginning, 'fixtures' | 'journal'>;

/**
 * Reads what every session begins with.
 *
 * @throws {SettingError} for a moment or a replay that cannot be read
 */
export function readBeginning({ seed, frozenAt, replay }: Settings, clock: Clock): GivenBeginning {
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
  const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new SettingError(
    `frozenAt must be a moment such as 2026-01-31T12:00:00Z, got ${JSON.stringify(text)}`,
  );
}

function readAwaited(text: string) {
  const replay = readReplay(text);
  if (replay !== undefined) return replay;
  throw new SettingError(
    'replay must be what Mock-Replay said, such as seed="coldframe", call=17, ' +
      `got ${JSON.stringify(text)}`,
  );
}
