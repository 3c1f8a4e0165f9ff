import { parseInstant, toDate } from '../../base/clock.ts';
import { distanceOf } from '../../base/nearest-name.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { type MatcherKind, quoteValue } from './value-matcher.ts';

type Part =
  | 'year'
  | 'month'
  | 'day'
  | 'weekday'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'zone';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The letters of Java's DateTimeFormatter, each with the pattern of the texts that it means. */
const LETTERS: Readonly<Record<string, readonly [pattern: (count: number) => string, part: Part]>> =
  {
    y: [(count) => (count === 2 ? '\\d\\d' : '\\d{4}'), 'year'],
    u: [(count) => (count === 2 ? '\\d\\d' : '\\d{4}'), 'year'],
    M: [(count) => (count > 2 ? '[A-Za-z]{3,9}' : digits(count)), 'month'],
    d: [digits, 'day'],
    H: [digits, 'hour'],
    h: [digits, 'hour'],
    m: [digits, 'minute'],
    s: [digits, 'second'],
    S: [(count) => `\\d{${count}}`, 'fraction'],
    a: [() => '[AaPp][Mm]', 'half'],
    E: [() => '[A-Za-z]{3,9}', 'weekday'],
    X: [() => 'Z|[+-]\\d\\d(?::?\\d\\d)?', 'zone'],
    x: [() => '[+-]\\d\\d(?::?\\d\\d)?', 'zone'],
    Z: [() => '[+-]\\d\\d:?\\d\\d', 'zone'],
    z: [() => 'GMT|UTC|Z', 'zone'],
  };

function digits(count: number): string {
  return count === 1 ? '\\d{1,2}' : '\\d\\d';
}

/**
 * Returns a reader of moments in a format: one of Java, `unix` for seconds since 1970, or `epoch`
 * for milliseconds. A moment without a zone is in UTC.
 */
function readFormat(place: FilePlace, format: string): (text: string) => number | undefined {
  if (format === 'unix' || format === 'epoch') {
    const unit = format === 'unix' ? 1_000 : 1;
    return (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) * unit : undefined);
  }
  const parts: Part[] = [];
  const pattern = format.replaceAll(
    /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g,
    (run, quoted, letter) => {
      if (letter === undefined) return quoteText(quoted === '' ? "'" : (quoted ?? run));
      const known = Object.hasOwn(LETTERS, letter) ? LETTERS[letter] : undefined;
      if (known === undefined) {
        const remedy = `It has ${Object.keys(LETTERS).join(', ')}; or use "unix" or "epoch".`;
        throw place.fail(`the format has the unknown letter ${letter}`, remedy);
      }
      const [write, part] = known;
      // Each part once: a pattern of many could take long.
      if (parts.includes(part)) throw place.fail(`the format names the ${part} twice`);
      parts.push(part);
      return `(${write(run.length)})`;
    },
  );
  const compiled = new RegExp(`^${pattern}$`);
  return (text) => {
    const [, ...found] = compiled.exec(text) ?? [];
    if (found.length === 0) return undefined;
    return toMoment(new Map(parts.map((part, index) => [part, found[index] ?? ''])));
  };
}

function quoteText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function toMoment(found: ReadonlyMap<Part, string>): number | undefined {
  const number = (part: Part, otherwise = 0): number => Number(found.get(part) ?? otherwise);
  const year = number('year', 1970);
  const name = found.get('month') ?? '1';
  const named = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  const month = named >= 0 ? named : Number(name) - 1;
  const day = number('day', 1);
  const half = found.get('half')?.toLowerCase();
  const hour =
    half === undefined ? number('hour') : (number('hour') % 12) + (half === 'pm' ? 12 : 0);
  const fraction = Number(`0.${found.get('fraction') ?? 0}`) * 1_000;
  const parts = [month, day, hour, number('minute'), number('second')] as const;
  const local = Date.UTC(year < 100 ? 2000 + year : year, ...parts, Math.floor(fraction));
  const date = toDate(local);
  const actual = [date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()];
  actual.push(date.getUTCMinutes(), date.getUTCSeconds());
  // Neither the 31st of February nor the 13th month is in the calendar.
  const exists = parts.every((part, index) => part === actual[index]);
  return exists ? local - offsetOf(found.get('zone')) : undefined;
}

function offsetOf(zone = ''): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const milliseconds = (Number(hours ?? 0) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -milliseconds : milliseconds;
}

export const before = compareMoments('before', (order) => order < 0);
export const after = compareMoments('after', (order) => order > 0);
export const equalToDateTime = compareMoments('at', (order) => order === 0);

/** A moment in milliseconds since 1970, by the time of the request. */
type Moment = (now: number) => number;

function compareMoments(word: string, holds: (order: number) => boolean): MatcherKind<string> {
  return (written, { place, options }) => {
    const expected = readExpected(place, written);
    const format = options['actualFormat'];
    const read = typeof format === 'string' ? readFormat(place, format) : readInstant;
    const { expectedOffset = 0, expectedOffsetUnit = 'days' } = options;
    const offset = { count: Number(expectedOffset), unit: String(expectedOffsetUnit) };
    const truncate = (moment: number, name: unknown): number =>
      typeof name === 'string' ? (truncations[name]?.(toDate(moment)) ?? moment) : moment;
    const wantedAt: Moment = (now) => {
      const { truncateExpected: name } = options;
      return options['applyTruncationLast'] === true
        ? truncate(shift(expected(now), offset), name)
        : shift(truncate(expected(now), name), offset);
    };
    return {
      explain: () => `not ${word} ${written}`,
      matches({ text, view }) {
        const actual = text === undefined ? undefined : read(text);
        if (actual === undefined) return false;
        return holds(truncate(actual, options['truncateActual']) - wantedAt(view?.now ?? 0));
      },
      distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, written) || 1),
    };
  };
}

const NOW = /^now(?:\s*([+-]\s*\d+)\s+([a-z]+))?$/i;

/** Reads a date and time, or one that is relative to the time of the request. */
function readExpected(place: FilePlace, written: string): Moment {
  const instant = readInstant(written);
  if (instant !== undefined) return () => instant;
  const [whole, count = '0', unit = 'days'] = NOW.exec(written.trim()) ?? [];
  if (whole !== undefined && Object.hasOwn(shifts, unit)) {
    return (now) => shift(now, { count: Number(count.replaceAll(/\s/g, '')), unit });
  }
  throw place.fail(
    `${quoteValue(written)} is not a date or date-time`,
    'Write it in ISO 8601, such as 2027-01-31T12:00:00Z, or as "now", "now +3 days" or "now -1 months".',
  );
}

interface Offset {
  readonly count: number;
  readonly unit: string;
}

/** Each unit of an offset, applied to a moment. */
const shifts: Readonly<Record<string, (date: Date, count: number) => number>> = {
  seconds: (date, count) => date.setUTCSeconds(date.getUTCSeconds() + count),
  minutes: (date, count) => date.setUTCMinutes(date.getUTCMinutes() + count),
  hours: (date, count) => date.setUTCHours(date.getUTCHours() + count),
  days: (date, count) => date.setUTCDate(date.getUTCDate() + count),
  months: (date, count) => date.setUTCMonth(date.getUTCMonth() + count),
  years: (date, count) => date.setUTCFullYear(date.getUTCFullYear() + count),
};

function shift(moment: number, { count, unit }: Offset): number {
  return shifts[unit]?.(toDate(moment), count) ?? moment;
}

/** WireMock's names of truncations. */
const truncations: Readonly<Record<string, (date: Date) => number>> = {
  'first second of minute': (date) => date.setUTCSeconds(0, 0),
  'first minute of hour': (date) => date.setUTCMinutes(0, 0, 0),
  'first hour of day': (date) => date.setUTCHours(0, 0, 0, 0),
  'first day of month': (date) => startOfMonth(date, 0),
  'first day of next month': (date) => startOfMonth(date, 1),
  'last day of month': (date) => startOfMonth(date, 1) - DAY,
  'first day of year': (date) => Date.UTC(date.getUTCFullYear(), 0, 1),
  'first day of next year': (date) => Date.UTC(date.getUTCFullYear() + 1, 0, 1),
  'last day of year': (date) => Date.UTC(date.getUTCFullYear(), 11, 31),
};

const DAY = 86_400_000;

function startOfMonth(date: Date, later: number): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

/** ISO 8601 by RFC 3339, or a date, or without a zone; and HTTP's dates (RFC 9110 §5.6.7). */
const ISO = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?$/;
const HTTP = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/** Reads a date, or a date and time, which is in UTC without a zone. */
function readInstant(text: string): number | undefined {
  const [iso, zone] = ISO.exec(text) ?? [];
  if (iso === undefined && !HTTP.test(text)) return undefined;
  const isLocal = iso !== undefined && iso.length > 10 && zone === undefined;
  const written = iso?.toUpperCase().replace(' ', 'T').replace(',', '.');
  const milliseconds =
    written === undefined ? Date.parse(text) : parseInstant(isLocal ? `${written}Z` : written);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
