/** Fields of a response by their lower-case names. */
export type ResponseFields = Readonly<Record<string, string>>;

/** No fields: one object, so that a comparison by identity recognises it. */
export const NO_FIELDS: ResponseFields = Object.freeze({});

/**
 * The field of every request that a mock sends by itself. Whichever name, redirection or forwarded
 * port leads it back to a mock, the control API recognises it.
 */
export const CALLBACK_MARK = 'mock-callback';

/** Visible characters, spaces, tabs and bytes beyond ASCII. */
const FIELD_VALUE = /^[\t -~\u0080-\u00ff]*$/;

/** Returns whether a text can be the value of a field (RFC 9110 §5.5), or several of Set-Cookie. */
export function isFieldValue(text: string, name?: string): boolean {
  if (FIELD_VALUE.test(text)) return true;
  return name === 'set-cookie' && splitCookieLines(text).every((line) => FIELD_VALUE.test(line));
}

/** Separates the lines of Set-Cookie in one text: a control character, which no value has. */
const LINE_END = '\u001e';

/** Returns several values of a field as one; those of Set-Cookie stay apart (RFC 9110 §5.3). */
export function joinFieldValues(name: string, values: readonly string[]): string {
  return values.join(name.toLowerCase() === 'set-cookie' ? LINE_END : ', ');
}

export function splitCookieLines(value: string): readonly string[] {
  return value.split(LINE_END);
}

/** Returns the fields with a list of values for Set-Cookie if it has several. */
export function toFieldLines(fields: ResponseFields): Readonly<Record<string, string | string[]>> {
  const cookies = fields['set-cookie'];
  if (cookies === undefined || !cookies.includes(LINE_END)) return fields;
  return { ...fields, 'set-cookie': [...splitCookieLines(cookies)] };
}

/** Returns a text without what no field has, and begins no other field or response (CWE-113). */
export function toFieldText(text: string): string {
  return text.replaceAll(/[^\t -~\u0080-\u00ff]/g, '?');
}

/** Writes a string of a structured field (RFC 9651 §3.3.3): characters it cannot have become `?`. */
export function toFieldString(text: string): string {
  return `"${text.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A request as it arrived, before routing. */
export interface WireRequest {
  /** Case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** The request target as sent: origin-form or absolute-form (RFC 9112 §3.2). */
  readonly target: string;
  /** The prefix that was removed from the target, such as that of a session: `/__session/a1`. */
  readonly prefix?: string | undefined;
  readonly fields: Fields;
  readonly rawBody: WireBody;
}

/** The body's bytes, or that it was longer than the limit and was not kept. */
export type WireBody = Uint8Array | 'too-large';

export const NO_BODY: Uint8Array = Buffer.alloc(0);

/** @param text as {@link Fields.pack} writes it: names and values in turn, a line each */
export function readPackedFields(text: string): Fields {
  const lines = text.split('\n');
  const names = lines.filter((_, index) => index % 2 === 0);
  // Made of entries, so that `__proto__` is a name like any other.
  return new Fields(Object.fromEntries(names.map((name, index) => [name, lines[2 * index + 1]])));
}

type FieldRecord = Readonly<Record<string, string | string[] | undefined>>;

/** RFC 9113 §6.5.2. */
const FIELD_OVERHEAD = 32;

/** Fields of a message, looked up by lower-case name; repeated ones joined by `, `. */
export class Fields {
  readonly #record: FieldRecord;
  /** Cached when others are compared with it. */
  #names: readonly string[] | undefined;

  /** @param record with lower-case names */
  constructor(record: FieldRecord) {
    this.#record = record;
  }

  /** The size as RFC 9113 §6.5.2 counts it: the characters of each field, and 32 more. */
  get size(): number {
    let size = 0;
    for (const name in this.#record) {
      size += FIELD_OVERHEAD + name.length + (this.get(name)?.length ?? 0);
    }
    return size;
  }

  get(name: string): string | undefined {
    const value: unknown = this.#record[name];
    if (typeof value === 'string') return value;
    // A field may be named like something that every object inherits, which is no list.
    return Array.isArray(value) ? value.join(', ') : undefined;
  }

  /** Names and values, in the order in which they came. */
  entries(): readonly (readonly [name: string, value: string])[] {
    return Object.keys(this.#record).flatMap((name) => {
      const value = this.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
  }

  /**
   * Returns whether both have the same fields with the same values, in the same order.
   *
   * @param but the name of a field whose values may differ
   */
  equals(other: Fields, but?: string): boolean {
    const record = other.#record;
    other.#names ??= Object.keys(record);
    let index = 0;
    for (const name in this.#record) {
      if (name !== other.#names[index++]) return false;
      if (this.#record[name] !== record[name] && name !== but) return false;
    }
    return index === other.#names.length;
  }

  /** Returns the same fields in the same order, one of them with another value. */
  with(name: string, value: string): Fields {
    return new Fields({ ...this.#record, [name]: value });
  }

  /**
   * Returns all fields as one text, which {@link readPackedFields} reads. No value of a field has a
   * line's end in it (RFC 9110 §5.5).
   */
  pack(): string {
    let text = '';
    for (const name in this.#record) {
      const value = this.#record[name];
      if (value === undefined) continue;
      const line = typeof value === 'string' ? value : value.join(', ');
      text += text === '' ? `${name}\n${line}` : `\n${name}\n${line}`;
    }
    return text;
  }
}

/**
 * True for a status whose answer may have content. One of 1xx is no final answer, 204 and 304 end
 * with their head, and 205 is sent without any (RFC 9110 §6.4.1, §15.3.6).
 */
export function allowsContent(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}

/**
 * Returns whether a response of this status has a Content-Length, also where it is 0. Those of 1xx
 * and 204 never do, and the length in a 304 is that of another response (RFC 9110 §8.6).
 */
export function isFramed(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}

/**
 * Splits a field's value at separators outside quoted strings (RFC 9110 §5.6.4).
 *
 * @param separators single characters, any of which splits
 */
export function splitOutsideQuotes(field: string, separators: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < field.length; index++) {
    const character = field.charAt(index);
    if (character === '\\' && isQuoted) index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(character)) {
      parts.push(field.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(field.slice(start));
  return parts;
}

/** Returns the text of a quoted string, without its escapes; any other text as it is. */
export function unquote(text: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/s.exec(text) ?? [];
  return quoted?.replaceAll(/\\(.)/gs, '$1') ?? text;
}

/** Returns the names of a list such as `slow, flaky`, without the space around them. */
export function splitNames(field: string): readonly string[] {
  return field
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
