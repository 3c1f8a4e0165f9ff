import { compileTextPattern, PatternError } from '../../schema/pattern/text-pattern.ts';
import { distanceOf } from '../text-distance.ts';
import {
  invert,
  type MatcherKind,
  noNearer,
  quoteValue,
  type Subject,
  type ValueMatcher,
} from './value-matcher.ts';

export const equalTo: MatcherKind<string> = {
  name: 'equalTo',
  compile(text, { options }) {
    const ignoresCase = options['caseInsensitive'] === true;
    const fold = (some: string): string => (ignoresCase ? some.toLowerCase() : some);
    const wanted = fold(text);
    return {
      explain: () => `not ${quoteValue(text)}`,
      matches: (subject) => subject.text !== undefined && fold(subject.text) === wanted,
      distance: (subject) => distanceOf(fold(subject.text ?? ''), wanted),
    };
  },
};

export const contains: MatcherKind<string> = {
  name: 'contains',
  compile: (part) => ({
    explain: () => `which does not contain ${quoteValue(part)}`,
    matches: ({ text }) => text?.includes(part) === true,
    distance: distanceTo(part),
  }),
};

export const doesNotContain: MatcherKind<string> = {
  name: 'doesNotContain',
  compile: (part, place) =>
    invert(contains.compile(part, place), `which contains ${quoteValue(part)}`),
};

export const matches: MatcherKind<string> = {
  name: 'matches',
  compile(source, { file, pointer }) {
    try {
      const pattern = compileTextPattern(source);
      return {
        explain: () => `which does not match ${quoteValue(source)}`,
        matches: ({ text }) => text !== undefined && pattern.matchesWhole(text),
        distance: distanceTo(source),
      };
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      throw file.fail(pointer, error.message, error.remedy);
    }
  },
};

export const doesNotMatch: MatcherKind<string> = {
  name: 'doesNotMatch',
  compile: (source, place) =>
    invert(matches.compile(source, place), `which matches ${quoteValue(source)}`),
};

export const instantMatchers: readonly MatcherKind<string>[] = [
  compareInstants('before', 'before', (instant, wanted) => instant < wanted),
  compareInstants('after', 'after', (instant, wanted) => instant > wanted),
  compareInstants('equalToDateTime', 'at', (instant, wanted) => instant === wanted),
];

function compareInstants(
  name: string,
  word: string,
  holds: (instant: number, wanted: number) => boolean,
): MatcherKind<string> {
  return {
    name,
    compile(written, { file, pointer }) {
      const wanted = readInstant(written);
      if (wanted === undefined) {
        throw file.fail(
          pointer,
          `${quoteValue(written)} is not a date or date-time`,
          'Write it in ISO 8601, such as 2027-01-31T12:00:00Z; "now" is not supported.',
        );
      }
      return {
        explain: () => `not ${word} ${written}`,
        matches({ text }) {
          const instant = text === undefined ? undefined : readInstant(text);
          return instant !== undefined && holds(instant, wanted);
        },
        distance: (subject) => distanceTo(written)(subject) || 1,
      };
    },
  };
}

/** ISO 8601 by RFC 3339, or a date, or without a zone; and HTTP's dates (RFC 9110 §5.6.7). */
const ISO = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?$/;
const HTTP = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

/**
 * Reads a date, or a date and time. Without a zone it is UTC.
 *
 * @returns milliseconds since 1970; undefined for any other text
 */
function readInstant(text: string): number | undefined {
  const [iso, zone] = ISO.exec(text) ?? [];
  if (iso === undefined && !HTTP.test(text)) return undefined;
  const isLocal = iso !== undefined && iso.length > 10 && zone === undefined;
  const written = iso?.toUpperCase().replace(' ', 'T').replace(',', '.') ?? text;
  const milliseconds = Date.parse(isLocal ? `${written}Z` : written);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const binaryEqualTo: MatcherKind<string> = {
  name: 'binaryEqualTo',
  compile(text, { file, pointer }) {
    if (!BASE64.test(text)) {
      throw file.fail(pointer, 'this is not base64', 'Write the bytes in base64 (RFC 4648 §4).');
    }
    const wanted = Buffer.from(text, 'base64');
    return {
      explain: () => `not the ${wanted.length} bytes that are wanted`,
      matches: ({ bytes }) => bytes !== undefined && wanted.equals(bytes),
      distance: noNearer,
    };
  },
};

export const absent: MatcherKind<true> = {
  name: 'absent',
  compile: () => ({
    explain: () => 'not absent',
    matches: ({ text }) => text === undefined,
    distance: noNearer,
  }),
};

/** Returns a function that measures how far a subject is from a text. */
function distanceTo(wanted: string): ValueMatcher['distance'] {
  return ({ text }: Subject) => (text === undefined ? 1 : distanceOf(text, wanted));
}
