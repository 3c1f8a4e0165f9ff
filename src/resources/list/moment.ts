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
  if (text.length === SHORTEST && DATE.test(text)) {
    const milliseconds = Date.parse(`${text}T00:00:00Z`);
    if (Number.isNaN(milliseconds)) return undefined;
    return {
      from: { milliseconds, finer: '' },
      until: { milliseconds: milliseconds + DAY, finer: '' },
    };
  }
  const usual = readUsual(text);
  if (usual !== undefined) return usual;
  const parts = DATE_TIME.exec(text);
  if (parts === null) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = parts;
  const milliseconds = Date.parse(`${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  const moment = { milliseconds, finer: fraction.slice(3).replace(/0+$/, '') };
  return { from: moment, until: moment };
}

/** Reads a date-time in UTC to the second or the millisecond in a third of the time. */
function readUsual(text: string): MomentSpan | undefined {
  const { length } = text;
  const isUsual =
    (length === 20 || (length === 24 && text[19] === '.')) &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':' &&
    text[length - 1] === 'Z';
  if (!isUsual) return undefined;
  const year = 100 * digitsAt(text, 0) + digitsAt(text, 2);
  const month = digitsAt(text, 5);
  const day = digitsAt(text, 8);
  const [hour, minute, second] = [digitsAt(text, 11), digitsAt(text, 14), digitsAt(text, 17)];
  const finer = length === 20 ? 0 : 10 * digitsAt(text, 20) + (digitsAt(text, 21) % 10);
  // Others are for the engine: it knows the lengths of months, and takes some that are too long.
  const isPlain = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!(isPlain && hour <= 23 && minute <= 59 && second <= 59 && finer <= 999)) return undefined;
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second, finer);
  const moment = { milliseconds, finer: '' };
  return { from: moment, until: moment };
}

/** Returns the number that two digits are; NaN for other characters. */
function digitsAt(text: string, place: number): number {
  const [tens, ones] = [text.charCodeAt(place) - 48, text.charCodeAt(place + 1) - 48];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

/** Compares as `toSorted` does: negative if `left` is before. */
export function compareMoments(left: Moment, right: Moment): number {
  if (left.milliseconds !== right.milliseconds) return left.milliseconds - right.milliseconds;
  if (left.finer === right.finer) return 0;
  return left.finer < right.finer ? -1 : 1;
}
