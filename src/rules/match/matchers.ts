import { getMember, type JsonObject } from '../../base/json/value.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { equalToJson, matchesJsonPath, matchesJsonSchema } from './json-matchers.ts';
import { after, before, equalToDateTime } from './moments.ts';
import {
  absent,
  binaryEqualTo,
  contains,
  doesNotContain,
  doesNotMatch,
  equalTo,
  equalToNumber,
  greaterThanEqualNumber,
  greaterThanNumber,
  lessThanEqualNumber,
  lessThanNumber,
  matches,
} from './text-matchers.ts';
import { invert, type MatcherKind, type Subject, type ValueMatcher } from './value-matcher.ts';

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
