import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber } from '../../base/json/number.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { splitOutsideQuotes } from '../../http/split.ts';
import type { Mismatch } from '../../request/request-pattern.ts';
import type { RequestView } from '../../request/view.ts';
import { distanceOf } from '../text-distance.ts';
import type { Condition } from '../turn/condition.ts';
import { compileMatcher } from './compile-matcher.ts';
import type { ParameterExpectation, SeveralKind } from './matcher-form.ts';
import { readNumber } from './number-matcher.ts';
import {
  ABSENT,
  explainSubject,
  quoteValue,
  type Subject,
  textSubject,
  type ValueMatcher,
  valueSubject,
} from './value-matcher.ts';

/** Where a parameter is looked for. */
interface Place {
  readonly name: string;
  readonly location: ParameterLocation;
  /** As mismatches call it: `query.limit`. */
  readonly subject: string;
}

/**
 * @param member of the `match` in which the expectation stands
 * @throws {DiagnosticError} for operands that mean nothing
 */
export function compileExpectation(
  file: SourceDocument,
  { name, expected }: ParameterExpectation,
  member: string,
  location: ParameterLocation,
): Condition {
  const place: Place = { name, location, subject: `${member}.${name}` };
  switch (expected.kind) {
    case 'value':
      return expectValue(place, expected.value);
    case 'matcher':
      return expectAny(place, compileMatcher(file, expected.matcher));
    default: {
      const matchers = expected.matchers.map((matcher) => compileMatcher(file, matcher));
      return expectSeveral(place, expected.kind, matchers);
    }
  }
}

/** The decoded value, or any of the texts that came. */
function expectValue({ name, location, subject }: Place, expected: JsonValue): Condition {
  const isWanted = (text: string): boolean =>
    typeof expected === 'string' ? text === expected : isScalarEqual(text, expected);
  return {
    holds(view) {
      if (view.texts(location, name).some(isWanted)) return true;
      const value = view.value(location, name);
      return value !== undefined && isEqual(value, expected);
    },
    explain(view) {
      const texts = view.texts(location, name);
      const value = texts.length > 1 ? texts.slice() : view.value(location, name);
      if (value === undefined) return [{ subject, message: `${subject} was absent`, distance: 1 }];
      const was = quoteValue(value);
      const wanted = quoteValue(expected);
      const message = `${subject} was ${was}, not ${wanted}`;
      return [{ subject, message, distance: distanceOf(was, wanted) || 1 }];
    },
  };
}

/** What the document does not declare is a text; it may say a number all the same. */
function isScalarEqual(text: string, expected: JsonValue): boolean {
  if (typeof expected === 'boolean') return text === String(expected);
  if (!isNumber(expected)) return false;
  const number = readNumber(text);
  return number !== undefined && compareNumbers(number, expected) === 0;
}

/** One of the texts that came must be so, as in WireMock; of one that is absent, its absence. */
function expectAny(place: Place, matcher: ValueMatcher): Condition {
  return {
    holds: (view) => subjectsOf(view, place).some((subject) => matcher.matches(subject)),
    explain: (view) => [explainNearest(place.subject, subjectsOf(view, place), matcher)],
  };
}

/** Each matcher is met by a text; where they are exactly so many, each text meets one as well. */
function expectSeveral(
  place: Place,
  kind: SeveralKind,
  matchers: readonly ValueMatcher[],
): Condition {
  const unmetBy = (parts: readonly Subject[]): readonly ValueMatcher[] =>
    matchers.filter((matcher) => !parts.some((part) => matcher.matches(part)));
  const hasOthers = (parts: readonly Subject[]): boolean =>
    kind === 'hasExactly' &&
    (parts.length !== matchers.length ||
      parts.some((part) => !matchers.some((matcher) => matcher.matches(part))));
  return {
    holds(view) {
      const parts = partsOf(view, place);
      return unmetBy(parts).length === 0 && !hasOthers(parts);
    },
    explain(view) {
      const parts = partsOf(view, place);
      const { subject } = place;
      const mismatches = unmetBy(parts).map((matcher) => explainNearest(subject, parts, matcher));
      if (mismatches.length > 0 || !hasOthers(parts)) return mismatches;
      const was = parts.map(({ text = '' }) => quoteValue(text)).join(', ');
      const message = `${subject} was ${was}, not exactly the ${matchers.length} that are wanted`;
      return [{ subject, message, distance: 0.5 }];
    },
  };
}

function partsOf(view: RequestView, place: Place): readonly Subject[] {
  const subjects = subjectsOf(view, place).filter(({ text }) => text !== undefined);
  return place.location === 'header' ? subjects.flatMap(splitField) : subjects;
}

function subjectsOf(view: RequestView, { name, location }: Place): readonly Subject[] {
  const texts = view.texts(location, name);
  if (texts.length > 0) return texts.map(textSubject);
  // An object in a query comes under other names than its own.
  const value = view.value(location, name);
  return [value === undefined ? ABSENT : valueSubject(value)];
}

/** A field that came several times is one list (RFC 9110 §5.3). */
function splitField({ text }: Subject): readonly Subject[] {
  if (text === undefined) return [];
  return splitOutsideQuotes(text, ',').map((part) => textSubject(part.trim()));
}

function explainNearest(
  name: string,
  subjects: readonly Subject[],
  matcher: ValueMatcher,
): Mismatch {
  const mismatches = subjects.map((subject) => explainSubject(name, subject, matcher));
  const [first = explainSubject(name, ABSENT, matcher), ...others] = mismatches;
  return others.reduce((best, one) => (one.distance < best.distance ? one : best), first);
}
