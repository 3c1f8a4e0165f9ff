import { toDate } from '../../base/clock.ts';
import type { FilePlace } from '../../document/file-place.ts';

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
export function readFormat(place: FilePlace, format: string): (text: string) => number | undefined {
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
