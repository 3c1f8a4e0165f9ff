import { compareNumbers, readNumber } from '../../base/json/number.ts';
import type { JsonNumber } from '../../base/json/value.ts';
import { distanceOf } from '../../base/nearest-name.ts';
import { compileTextPattern, PatternError } from '../../schema/pattern/text-pattern.ts';
import {
  invert,
  type MatcherKind,
  noNearer,
  quoteValue,
  type ValueMatcher,
} from './value-matcher.ts';

type Holds<Value> = (value: Value) => boolean;

/** Returns a matcher of texts, with the end of a sentence about one that does not match. */
function onText(matches: Holds<string>, mismatch: string, wanted: string): ValueMatcher {
  return {
    explain: () => mismatch,
    matches: ({ text }) => text !== undefined && matches(text),
    distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, wanted) || 1),
  };
}

export const equalTo: MatcherKind<string> = (text, { options }) => {
  const ignoresCase = options['caseInsensitive'] === true;
  const fold = (some: string): string => (ignoresCase ? some.toLowerCase() : some);
  const wanted = fold(text);
  return {
    ...onText((some) => fold(some) === wanted, `not ${quoteValue(text)}`, wanted),
    ...(!ignoresCase && { text }),
    distance: (subject) => distanceOf(fold(subject.text ?? ''), wanted),
  };
};

export const contains: MatcherKind<string> = (part) =>
  onText((text) => text.includes(part), `which does not contain ${quoteValue(part)}`, part);

export const doesNotContain: MatcherKind<string> = (part, place) =>
  invert(contains(part, place), `which contains ${quoteValue(part)}`);

export const matches: MatcherKind<string> = (source, { place }) => {
  try {
    const pattern = compileTextPattern(source);
    const mismatch = `which does not match ${quoteValue(source)}`;
    return onText((text) => pattern.matchesWhole(text), mismatch, source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw place.fail(error.message, error.remedy);
  }
};

export const doesNotMatch: MatcherKind<string> = (source, place) =>
  invert(matches(source, place), `which matches ${quoteValue(source)}`);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const binaryEqualTo: MatcherKind<string> = (text, { place }) => {
  if (!BASE64.test(text)) {
    throw place.fail('this is not base64', 'Write the bytes in base64 (RFC 4648 §4).');
  }
  const wanted = Buffer.from(text, 'base64');
  return {
    explain: () => `not the ${wanted.length} bytes that are wanted`,
    matches({ bytes, text: written }) {
      if (bytes !== undefined) return wanted.equals(bytes);
      return written !== undefined && wanted.equals(Buffer.from(written));
    },
    distance: noNearer,
  };
};

export const absent: MatcherKind<true> = () => ({
  explain: () => 'not absent',
  matches: ({ text }) => text === undefined,
  distance: noNearer,
});

export const equalToNumber = compareNumber('not', (order) => order === 0);
export const greaterThanNumber = compareNumber('not more than', (order) => order > 0);
export const greaterThanEqualNumber = compareNumber('not at least', (order) => order >= 0);
export const lessThanNumber = compareNumber('not less than', (order) => order < 0);
export const lessThanEqualNumber = compareNumber('not at most', (order) => order <= 0);

function compareNumber(words: string, holds: Holds<number>): MatcherKind<JsonNumber> {
  return (wanted) => {
    const isWanted = (text: string): boolean => {
      const number = readNumber(text.trim());
      return number !== undefined && holds(compareNumbers(number, wanted));
    };
    return onText(isWanted, `${words} ${quoteValue(wanted)}`, String(wanted));
  };
}
