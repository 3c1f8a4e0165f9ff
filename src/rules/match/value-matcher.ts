import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { tryJson } from '../../media/json-codec.ts';
import type { Mismatch } from '../../request/request-pattern.ts';
import type { RequestView } from '../../request/view.ts';

/** What a value matcher looks at: a parameter, a body, or a part of one. */
export interface Subject {
  /** As it was sent, decoded; undefined when it did not come. */
  readonly text: string | undefined;
  /** As a value: of a text that is JSON, what it says; undefined when it says nothing. */
  readonly value: JsonValue | undefined;
  readonly bytes: Uint8Array | undefined;
}

export interface ValueMatcher {
  matches(subject: Subject): boolean;
  /**
   * @param subject one that does not match
   * @returns the end of a sentence that says what it was: `not "fern"`, `which is not JSON`
   */
  complain(subject: Subject): string;
  /**
   * @param subject one that does not match
   * @returns from just above 0, nearly, to 1, not at all
   */
  distance(subject: Subject): number;
}

/** Stands for what did not come. */
export const ABSENT: Subject = Object.freeze({
  text: undefined,
  value: undefined,
  bytes: undefined,
});

/** @returns the subject that a text is */
export function textSubject(text: string): Subject {
  return new Text(text);
}

/** @returns the subject that a value is: of a text itself, else how JSON writes it */
export function valueSubject(value: JsonValue): Subject {
  return new Value(value);
}

/** @returns the subject that a request's body is; what cannot be read as a value is a text still */
export function bodySubject(view: RequestView): Subject {
  return new Body(view);
}

class Text implements Subject {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): JsonValue {
    return tryJson(this.text) ?? this.text;
  }

  get bytes(): Uint8Array {
    return Buffer.from(this.text);
  }
}

class Value implements Subject {
  readonly value: JsonValue;

  constructor(value: JsonValue) {
    this.value = value;
  }

  get text(): string {
    return typeof this.value === 'string' ? this.value : stringifyJson(this.value);
  }

  get bytes(): Uint8Array {
    return Buffer.from(this.text);
  }
}

class Body implements Subject {
  readonly #view: RequestView;

  constructor(view: RequestView) {
    this.#view = view;
  }

  get text(): string | undefined {
    const { bodyText } = this.#view;
    return bodyText === '' ? undefined : bodyText;
  }

  get value(): JsonValue | undefined {
    const { body, bodyText } = this.#view;
    if (body !== undefined && typeof body !== 'string') return body;
    return tryJson(bodyText) ?? body;
  }

  get bytes(): Uint8Array | undefined {
    const { rawBody } = this.#view.request;
    return rawBody === 'too-large' || rawBody.length === 0 ? undefined : rawBody;
  }
}

/** @returns why a subject does not match */
export function explainSubject(name: string, subject: Subject, matcher: ValueMatcher): Mismatch {
  const { text } = subject;
  if (text === undefined) return { subject: name, message: `${name} was absent`, distance: 1 };
  return {
    subject: name,
    message: `${name} was ${quoteValue(text)}, ${matcher.complain(subject)}`,
    distance: matcher.distance(subject),
  };
}

const LONGEST_QUOTE = 80;

/** @returns a value as a sentence names it, cut where it is long: `"cactus"`, `12`, `{"a":1}` */
export function quoteValue(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value));
  return shorten(stringifyJson(value));
}

function shorten(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
