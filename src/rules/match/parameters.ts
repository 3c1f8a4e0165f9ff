import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber } from '../../base/json/number.ts';
import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { parameterNames } from '../../contract/template-segment.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { splitOutsideQuotes } from '../../http/split.ts';
import type { Mismatch, RequestView } from '../../request/view.ts';
import { compileMatcher } from './matchers.ts';
import { readNumber } from './text-matchers.ts';
import {
  ABSENT,
  explainDifference,
  explainSubject,
  quoteValue,
  type RequestCondition,
  type Subject,
  textSubject,
  type ValueMatcher,
  valueSubject,
} from './value-matcher.ts';

/** The members of `match` that expect parameters, and where these are. */
export const PARAMETER_MEMBERS = [
  ['pathParameters', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const satisfies readonly (readonly [member: string, location: ParameterLocation])[];

/** Where to look for a parameter. */
interface Place {
  readonly name: string;
  readonly location: ParameterLocation;
  /** Its name in mismatches: `query.limit`. */
  readonly subject: string;
}

const SEVERAL = ['hasExactly', 'includes'] as const;

/**
 * Compiles what a match expects of one parameter: a value, a matcher, or matchers on a parameter
 * that may occur several times.
 *
 * @param pointer of the match in its file
 * @param name of the parameter
 * @throws {DiagnosticError} for operands that mean nothing
 */
export function compileExpectation(
  file: SourceDocument,
  pointer: string,
  [member, location]: (typeof PARAMETER_MEMBERS)[number],
  name: string,
  expected: JsonValue,
): RequestCondition {
  const place: Place = { name, location, subject: `${member}.${name}` };
  if (!isJsonObject(expected)) return expectValue(place, expected);
  const at = pointer + toPointer([member, name]);
  const kind = SEVERAL.find((one) => expected[one] !== undefined);
  if (kind === undefined) return expectAny(place, compileMatcher(file, at, expected));
  const matchers = (expected[kind] as readonly JsonObject[]).map((one, index) =>
    compileMatcher(file, `${at}/${kind}/${index}`, one),
  );
  return expectSeveral(place, kind === 'hasExactly', matchers);
}

/**
 * Checks that operations have a path parameter.
 *
 * @param pointer of its name in the file
 * @throws {DiagnosticError} for an operation that does not have it
 */
export function requirePathParameter(
  file: SourceDocument,
  pointer: string,
  name: string,
  operations: readonly Operation[],
): void {
  for (const { id, path } of operations) {
    const names = parameterNames(path);
    if (names.includes(name)) continue;
    throw file.fail(
      pointer,
      `${id} has no path parameter ${JSON.stringify(name)}`,
      `It has ${names.join(', ') || 'none'}.`,
    );
  }
}

/** The decoded value, or any of the texts. */
function expectValue({ name, location, subject }: Place, expected: JsonValue): RequestCondition {
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
      return [explainDifference(subject, value, expected)];
    },
  };
}

/** A parameter that the document does not declare is a text, which may be a number in JSON. */
function isScalarEqual(text: string, expected: JsonValue): boolean {
  if (typeof expected === 'boolean') return text === String(expected);
  if (!isNumber(expected)) return false;
  const number = readNumber(text);
  return number !== undefined && compareNumbers(number, expected) === 0;
}

/** One of the texts must match, as in WireMock; for a missing parameter, its absence. */
function expectAny(place: Place, matcher: ValueMatcher): RequestCondition {
  return {
    holds: (view) => subjectsOf(view, place).some((subject) => matcher.matches(subject)),
    explain: (view) => [explainNearest(place.subject, subjectsOf(view, place), matcher)],
  };
}

/** Each matcher matches a text; if it is exact, each text matches a matcher as well. */
function expectSeveral(
  place: Place,
  isExact: boolean,
  matchers: readonly ValueMatcher[],
): RequestCondition {
  const unmatchedBy = (parts: readonly Subject[]): readonly ValueMatcher[] =>
    matchers.filter((matcher) => !parts.some((part) => matcher.matches(part)));
  const hasOthers = (parts: readonly Subject[]): boolean =>
    isExact &&
    (parts.length !== matchers.length ||
      parts.some((part) => !matchers.some((matcher) => matcher.matches(part))));
  return {
    holds(view) {
      const parts = partsOf(view, place);
      return unmatchedBy(parts).length === 0 && !hasOthers(parts);
    },
    explain(view) {
      const parts = partsOf(view, place);
      const { subject } = place;
      const mismatches = unmatchedBy(parts).map((matcher) =>
        explainNearest(subject, parts, matcher),
      );
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
  // An object in a query may be sent under the names of its members.
  const value = view.value(location, name);
  return [value === undefined ? ABSENT : valueSubject(value)];
}

/** A field that occurs several times is one list (RFC 9110 §5.3). */
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
