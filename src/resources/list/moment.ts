/** The time that a date or a date-time covers. */
export interface MomentSpan {
  readonly from: Moment;
  /** The first moment after it; equal to `from` for a date-time. */
  readonly until: Moment;
}

/** Milliseconds since 1970, and the further digits of the second. */
interface Moment {
  readonly milliseconds: number;
  readonly finer: string;
}

/** Lengths of dates: most strings are no dates, and are rejected at once. */
const SHORTEST = 10;
const LONGEST = 60;
const DAY = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Reads a date, which covers its day in UTC, or a date-time (RFC 3339 §5.6).
 *
 * @returns undefined for another string
 */
export function readMoments(text: string): MomentSpan | undefined {
  if (text.length < SHORTEST || text.length > LONGEST || text[4] !== '-') return undefined;
  if (DATE.test(text)) {
    const milliseconds = Date.parse(`${text}T00:00:00Z`);
    if (Number.isNaN(milliseconds)) return undefined;
    return {
      from: { milliseconds, finer: '' },
      until: { milliseconds: milliseconds + DAY, finer: '' },
    };
  }
  const parts = DATE_TIME.exec(text);
  if (parts === null) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = parts;
  const milliseconds = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  const moment = { milliseconds, finer: fraction.slice(3).replace(/0+$/, '') };
  return { from: moment, until: moment };
}

/** Compares as `toSorted` does: negative if `left` is before. */
export function compareMoments(left: Moment, right: Moment): number {
  if (left.milliseconds !== right.milliseconds) return left.milliseconds - right.milliseconds;
  if (left.finer === right.finer) return 0;
  return left.finer < right.finer ? -1 : 1;
}
