import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber, readNumber } from '../../base/json/number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { listMeant } from '../../base/nearest-name.ts';
import type { Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { parameterNames } from '../../contract/path-template.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { splitOutsideQuotes } from '../../http/message.ts';
import type { Mismatch, RequestView, RequiredText } from '../../request/view.ts';
import { compileMatcher } from './matchers.ts';
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

interface Named {
  readonly name: string;
  readonly location: ParameterLocation;
  /** Its name in mismatches: `query.limit`. */
  readonly subject: string;
}

const SEVERAL = ['hasExactly', 'includes'] as const;

/** Compiles what a match expects of one parameter: a value, a matcher, or several matchers. */
export function compileExpectation(
  match: FilePlace,
  [member, location]: (typeof PARAMETER_MEMBERS)[number],
  name: string,
  expected: JsonValue,
): RequestCondition {
  const named: Named = { name, location, subject: `${member}.${name}` };
  if (!isJsonObject(expected)) return expectValue(named, expected);
  const place = match.at(member, name);
  const kind = SEVERAL.find((one) => expected[one] !== undefined);
  if (kind === undefined) return expectAny(named, compileMatcher(place, expected));
  const matchers = (expected[kind] as readonly JsonObject[]).map((one, index) =>
    compileMatcher(place.at(kind, index), one),
  );
  return expectSeveral(named, kind === 'hasExactly', matchers);
}

/** Refuses a name in a rule unless each of its operations has a path parameter of this name. */
export function requirePathParameter(
  place: FilePlace,
  name: string,
  operations: readonly Operation[],
): void {
  for (const { id, path } of operations) {
    const names = parameterNames(path);
    if (names.includes(name)) continue;
    throw place.fail(`${id} has no path parameter ${JSON.stringify(name)}`, listMeant(name, names));
  }
}

/** The decoded value, or any of the texts. */
function expectValue(named: Named, expected: JsonValue): RequestCondition {
  const { name, location, subject } = named;
  const isWanted = (text: string): boolean =>
    typeof expected === 'string' ? text === expected : isScalarEqual(text, expected);
  return {
    requires: typeof expected === 'string' ? requireText(named, expected) : undefined,
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

/** A parameter has a text as it came, or as it was decoded. */
function requireText(named: Named, text: string): RequiredText {
  const { name, location, subject } = named;
  const textsIn = (view: RequestView): readonly string[] => {
    const value = view.value(location, name);
    const texts = subjectsOf(view, named).flatMap((one) => one.text ?? []);
    return typeof value === 'string' ? [...texts, value] : texts;
  };
  return { subject, text, textsIn };
}

/** A parameter that the document does not declare is a text, which may be a number in JSON. */
function isScalarEqual(text: string, expected: JsonValue): boolean {
  if (typeof expected === 'boolean') return text === String(expected);
  if (!isNumber(expected)) return false;
  const number = readNumber(text);
  return number !== undefined && compareNumbers(number, expected) === 0;
}

/** One of the texts must match, as in WireMock; for a missing parameter, its absence. */
function expectAny(named: Named, matcher: ValueMatcher): RequestCondition {
  return {
    requires: matcher.text === undefined ? undefined : requireText(named, matcher.text),
    holds: (view) => subjectsOf(view, named).some((subject) => matcher.matches(subject)),
    explain: (view) => [explainNearest(named.subject, subjectsOf(view, named), matcher)],
  };
}

/** Each matcher matches a text; if it is exact, each text matches a matcher as well. */
function expectSeveral(
  named: Named,
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
      const parts = partsOf(view, named);
      return unmatchedBy(parts).length === 0 && !hasOthers(parts);
    },
    explain(view) {
      const parts = partsOf(view, named);
      const { subject } = named;
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

function partsOf(view: RequestView, named: Named): readonly Subject[] {
  const subjects = subjectsOf(view, named).filter(({ text }) => text !== undefined);
  return named.location === 'header' ? subjects.flatMap(splitField) : subjects;
}

function subjectsOf(view: RequestView, { name, location }: Named): readonly Subject[] {
  const texts = view.texts(location, name);
  if (texts.length > 0) return texts.map((text) => textSubject(text, view));
  // An object in a query may be sent under the names of its members.
  const value = view.value(location, name);
  return [value === undefined ? ABSENT : valueSubject(value, view)];
}

/** A field that occurs several times is one list (RFC 9110 §5.3). */
function splitField({ text, view }: Subject): readonly Subject[] {
  if (text === undefined) return [];
  return splitOutsideQuotes(text, ',').map((part) => textSubject(part.trim(), view));
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
