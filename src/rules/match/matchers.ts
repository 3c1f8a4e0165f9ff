import { compareNumbers, readNumber } from '../../base/json/number.ts';
import { getMember, type JsonNumber, type JsonObject } from '../../base/json/value.ts';
import { distanceOf } from '../../base/nearest-name.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { compileTextPattern, PatternError } from '../../schema/pattern/text-pattern.ts';
import { equalToJson, matchesJsonPath, matchesJsonSchema } from './json-matchers.ts';
import { after, before, equalToDateTime } from './moments.ts';
import {
  invert,
  type MatcherKind,
  noNearer,
  quoteValue,
  type Subject,
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

const equalTo: MatcherKind<string> = (text, { options }) => {
  const ignoresCase = options['caseInsensitive'] === true;
  const fold = (some: string): string => (ignoresCase ? some.toLowerCase() : some);
  const wanted = fold(text);
  return {
    ...onText((some) => fold(some) === wanted, `not ${quoteValue(text)}`, wanted),
    ...(!ignoresCase && { text }),
    distance: (subject) => distanceOf(fold(subject.text ?? ''), wanted),
  };
};

const contains: MatcherKind<string> = (part) =>
  onText((text) => text.includes(part), `which does not contain ${quoteValue(part)}`, part);

const doesNotContain: MatcherKind<string> = (part, place) =>
  invert(contains(part, place), `which contains ${quoteValue(part)}`);

const matches: MatcherKind<string> = (source, { place }) => {
  try {
    const pattern = compileTextPattern(source);
    const mismatch = `which does not match ${quoteValue(source)}`;
    return onText((text) => pattern.matchesWhole(text), mismatch, source);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw place.fail(error.message, error.remedy);
  }
};

const doesNotMatch: MatcherKind<string> = (source, place) =>
  invert(matches(source, place), `which matches ${quoteValue(source)}`);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const binaryEqualTo: MatcherKind<string> = (text, { place }) => {
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

const absent: MatcherKind<true> = () => ({
  explain: () => 'not absent',
  matches: ({ text }) => text === undefined,
  distance: noNearer,
});

const equalToNumber = compareNumber('not', (order) => order === 0);
const greaterThanNumber = compareNumber('not more than', (order) => order > 0);
const greaterThanEqualNumber = compareNumber('not at least', (order) => order >= 0);
const lessThanNumber = compareNumber('not less than', (order) => order < 0);
const lessThanEqualNumber = compareNumber('not at most', (order) => order <= 0);

function compareNumber(words: string, holds: Holds<number>): MatcherKind<JsonNumber> {
  return (wanted) => {
    const isWanted = (text: string): boolean => {
      const number = readNumber(text.trim());
      return number !== undefined && holds(compareNumbers(number, wanted));
    };
    return onText(isWanted, `${words} ${quoteValue(wanted)}`, String(wanted));
  };
}

const and: MatcherKind<JsonObject[]> = (all, { place, compile }) =>
  matchAll(all.map((one, index) => compile(one, place.at(index))));

const or: MatcherKind<JsonObject[]> = (all, { place, compile }) =>
  matchAny(all.map((one, index) => compile(one, place.at(index))));

const not: MatcherKind<JsonObject> = (inner, { place, compile }) =>
  invert(compile(inner, place), 'which it must not be');

/** Every matcher by its name. Mismatches are reported in this order. */
export const matcherKinds: Readonly<Record<string, MatcherKind>> = {
  equalTo,
  contains,
  doesNotContain,
  matches,
  doesNotMatch,
  before,
  after,
  equalToDateTime,
  binaryEqualTo,
  absent,
  equalToNumber,
  greaterThanNumber,
  greaterThanEqualNumber,
  lessThanNumber,
  lessThanEqualNumber,
  equalToJson,
  matchesJsonPath,
  matchesJsonSchema,
  and,
  or,
  not,
};

/** Compiles an object with one or more matchers, all of which must match. */
export function compileMatcher(place: FilePlace, options: JsonObject): ValueMatcher {
  const compile = (inner: JsonObject, at: FilePlace) => compileMatcher(at, inner);
  const compiled = Object.entries(matcherKinds).flatMap(([name, kind]) => {
    const operand = getMember(options, name);
    return operand === undefined ? [] : kind(operand, { place: place.at(name), options, compile });
  });
  const [only, ...others] = compiled;
  return only !== undefined && others.length === 0 ? only : matchAll(compiled);
}

function matchAll(matchers: readonly ValueMatcher[]): ValueMatcher {
  const failed = (subject: Subject): readonly ValueMatcher[] =>
    matchers.filter((matcher) => !matcher.matches(subject));
  return {
    explain: (subject) => explainEach(failed(subject), subject, ', and '),
    matches: (subject) => matchers.every((matcher) => matcher.matches(subject)),
    distance(subject) {
      const sum = failed(subject).reduce((total, one) => total + one.distance(subject), 0);
      return Math.max(sum / matchers.length, Number.EPSILON);
    },
  };
}

function matchAny(matchers: readonly ValueMatcher[]): ValueMatcher {
  return {
    explain: (subject) => explainEach(matchers, subject, ', or '),
    matches: (subject) => matchers.some((matcher) => matcher.matches(subject)),
    distance: (subject) => Math.min(...matchers.map((matcher) => matcher.distance(subject))),
  };
}

function explainEach(matchers: readonly ValueMatcher[], subject: Subject, glue: string): string {
  return matchers.map((matcher) => matcher.explain(subject)).join(glue);
}
