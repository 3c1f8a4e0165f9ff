import { stringifyJson, toText } from '../../base/json/stringify.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { distanceOf } from '../../base/nearest-name.ts';
import { shorten } from '../../base/words.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { tryReadJson } from '../../media/json-codec.ts';
import type { Mismatch, RequestView, RequiredText } from '../../request/view.ts';
import type { Steps } from './steps.ts';

/** The value that a matcher compares: a parameter, a body, or a part of one. */
export interface Subject {
  /** The decoded text; undefined if there is none. */
  readonly text: string | undefined;
  /** The value: a text that is JSON is parsed. Undefined if there is none. */
  readonly value: JsonValue | undefined;
  /** Of a body. Any other subject has those of its text. */
  readonly bytes?: Uint8Array | undefined;
  readonly view?: RequestView | undefined;
  /** Counts the steps of the search that found it, if there was one. */
  readonly steps?: Steps | undefined;
}

export interface ValueMatcher {
  /** The only text that matches; undefined if there are others. */
  readonly text?: string;
  matches(subject: Subject): boolean;
  /** Returns the end of a sentence about a subject that does not match: `not "fern"`. */
  explain(subject: Subject): string;
  /** Returns 1 for a subject that does not match, less for one that nearly matches, and never 0. */
  distance(subject: Subject): number;
}

/** One of WireMock's matchers: an entry of `matcherKinds` in `matchers.ts`, by its name. */
export type MatcherKind<Operand = JsonValue> = {
  /** Compiles an operand, which is of the type that the schema of fixture files requires. */
  compile(operand: Operand, place: MatcherPlace): ValueMatcher;
}['compile'];

interface MatcherPlace {
  /** Of the operand. */
  readonly place: FilePlace;
  /** The object that it is a member of, with its options. */
  readonly options: JsonObject;
  compile(matchers: JsonObject, place: FilePlace): ValueMatcher;
}

export interface RequestCondition {
  readonly requires?: RequiredText | undefined;
  holds(view: RequestView): boolean;
  /** Returns why a request does not match; called only then. */
  explain(view: RequestView): readonly Mismatch[];
}

export const ABSENT: Subject = Object.freeze({
  text: undefined,
  value: undefined,
});

export function noNearer(): number {
  return 1;
}

export function invert(matcher: ValueMatcher, mismatch: string): ValueMatcher {
  return {
    explain: () => mismatch,
    matches: (subject) => !matcher.matches(subject),
    distance: noNearer,
  };
}

export function textSubject(text: string, view?: RequestView): Subject {
  return {
    text,
    view,
    get value() {
      const value = tryReadJson(text);
      return value === undefined ? text : value;
    },
  };
}

/** Returns the subject of a value: its text is a string itself, or the JSON of any other value. */
export function valueSubject(value: JsonValue, view?: RequestView, steps?: Steps): Subject {
  return {
    value,
    view,
    steps,
    get text() {
      steps?.spendOn(value);
      return toText(value);
    },
  };
}

/** Returns the subject of a request's body. A body that cannot be decoded has a text all the same. */
export function bodySubject(view: RequestView): Subject {
  return {
    view,
    get text() {
      return view.bodyText || undefined;
    },
    get value() {
      const { body, bodyText } = view;
      if (body !== undefined && typeof body !== 'string') return body;
      const value = tryReadJson(bodyText);
      return value === undefined ? body : value;
    },
    get bytes() {
      const { rawBody } = view.request;
      return rawBody === 'too-large' || rawBody.length === 0 ? undefined : rawBody;
    },
  };
}

/** Returns how a value, which may be missing, differs from the expected one. */
export function explainDifference(
  subject: string,
  actual: JsonValue | undefined,
  expected: JsonValue,
): Mismatch {
  if (actual === undefined) return { subject, message: `${subject} was absent`, distance: 1 };
  const was = quoteValue(actual);
  const wanted = quoteValue(expected);
  const message = `${subject} was ${was}, not ${wanted}`;
  return { subject, message, distance: distanceOf(was, wanted) || 1 };
}

export function explainSubject(name: string, subject: Subject, matcher: ValueMatcher): Mismatch {
  const { text } = subject;
  if (text === undefined) return explainDifference(name, undefined, null);
  return {
    subject: name,
    message: `${name} was ${quoteValue(text)}, ${matcher.explain(subject)}`,
    distance: matcher.distance(subject),
  };
}

/** Returns a value as JSON for a sentence, shortened: `"cactus"`, `12`, `{"a":1}`. */
export function quoteValue(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(stringifyJson(value));
}
