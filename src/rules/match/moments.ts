import { parseInstant, toDate } from '../../base/clock.ts';
import { distanceOf } from '../../base/nearest-name.ts';
import type { FilePlace } from '../../document/file-place.ts';
import { readFormat } from './moment-format.ts';
import { type MatcherKind, quoteValue } from './value-matcher.ts';

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
