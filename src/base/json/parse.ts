import { shorten } from '../words.ts';
import { MAXIMUM_DIGITS, readExactNumber } from './number.ts';
import { type JsonNumber, type JsonObject, type JsonValue, setMember } from './value.ts';

/** The kind of error; each has its own problem. */
export type JsonFault = 'syntax' | 'duplicate-key' | 'too-deep' | 'number-too-long';

/** An error in a text: not JSON, or refused JSON. `position` counts UTF-16 units from 0. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly fault: JsonFault;
  readonly position: number;

  constructor(fault: JsonFault, message: string, text: string, position: number) {
    super(`${message} ${place(text, position)}`);
    this.fault = fault;
    this.position = position;
  }
}

/** Deeper values would overflow the stack when they are walked; RFC 8259 §9 allows a limit. */
export const MAXIMUM_DEPTH = 1000;

/**
 * Returns the value of a JSON text (RFC 8259) without byte order mark exactly: numbers keep their
 * value to the last digit, a repeated key is an error, every key is an ordinary key, and depth is
 * bounded.
 *
 * @throws {JsonError} that names what was expected, what was found, line and column
 */
export function parseJson(text: string): JsonValue {
  return new JsonReader(text).readText();
}

/** Like {@link parseJson}; returns undefined for a text that is not JSON, or refused. */
export function tryParseJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Returns the value of a JSON text, and any other text itself. */
export function parseJsonOrText(text: string): JsonValue {
  const value = MAY_BE_JSON.test(text) ? tryParseJson(text) : undefined;
  return value === undefined ? text : value;
}

/** Matches every JSON text. Most keys in paths are none, and an error for each of them is slow. */
const MAY_BE_JSON = /^[ \t\r\n]*(?:["[{]|(?:true|false|null|-?\d[\d.eE+-]*)[ \t\r\n]*$)/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** A double holds fifteen digits exactly. */
const SAFE_DIGITS = 15;

class JsonReader {
  readonly #text: string;
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readText(): JsonValue {
    this.#skipWhitespace();
    const value = this.#readValue();
    this.#skipWhitespace();
    if (this.#position < this.#text.length) throw this.#unexpected('the end');
    return value;
  }

  #readValue(): JsonValue {
    switch (this.#text.charCodeAt(this.#position)) {
      case QUOTE:
        return this.#readString();
      case OPENING_BRACE:
        return this.#readObject();
      case OPENING_BRACKET:
        return this.#readArray();
      case 0x74:
        return this.#readWord('true', true);
      case 0x66:
        return this.#readWord('false', false);
      case 0x6e:
        return this.#readWord('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(): JsonObject {
    const object: JsonObject = {};
    this.#descend();
    if (this.#skipTo(CLOSING_BRACE)) return this.#ascend(object);
    for (;;) {
      const start = this.#position;
      if (this.#text.charCodeAt(start) !== QUOTE) throw this.#unexpected('a key in double quotes');
      const key = this.#readString();
      if (Object.hasOwn(object, key)) throw this.#duplicate(key, start);
      if (!this.#skipTo(COLON)) throw this.#unexpected('":"');
      this.#skipWhitespace();
      setMember(object, key, this.#readValue());
      if (this.#skipTo(CLOSING_BRACE)) return this.#ascend(object);
      if (!this.#skipTo(COMMA)) throw this.#unexpected('"," or "}"');
      this.#skipWhitespace();
    }
  }

  #readArray(): JsonValue[] {
    const array: JsonValue[] = [];
    this.#descend();
    if (this.#skipTo(CLOSING_BRACKET)) return this.#ascend(array);
    for (;;) {
      array.push(this.#readValue());
      if (this.#skipTo(CLOSING_BRACKET)) return this.#ascend(array);
      if (!this.#skipTo(COMMA)) throw this.#unexpected('"," or "]"');
      this.#skipWhitespace();
    }
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#position;
    for (let index = start + 1; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        this.#position = index + 1;
        return text.slice(start + 1, index);
      }
      if (code === BACKSLASH) return this.#readEscapedString(start, index);
      if (code < 0x20) throw this.#controlCharacter(index, code);
    }
    throw this.#illegal('the string is never closed, opened', start);
  }

  /** Reads a string with escapes: finds its end, and decodes it by JSON.parse. */
  #readEscapedString(start: number, firstEscape: number): string {
    const text = this.#text;
    let index = firstEscape;
    for (let code = BACKSLASH; code !== QUOTE; code = text.charCodeAt(index)) {
      if (Number.isNaN(code)) throw this.#illegal('the string is never closed, opened', start);
      if (code < 0x20) throw this.#controlCharacter(index, code);
      index += code === BACKSLASH ? this.#measureEscape(index) : 1;
    }
    this.#position = index + 1;
    return JSON.parse(text.slice(start, index + 1)) as string;
  }

  /** Returns the length of the escape that begins here. */
  #measureEscape(index: number): number {
    const text = this.#text;
    const letter = text[index + 1] ?? '';
    if (letter === 'u') {
      if (/^[0-9a-fA-F]{4}$/.test(text.slice(index + 2, index + 6))) return 6;
      throw this.#illegal('"\\u" wants four hexadecimal digits', index);
    }
    if (letter !== '' && '"\\/bfnrt'.includes(letter)) return 2;
    throw this.#illegal('there is no such escape', index);
  }

  #readNumber(): JsonNumber {
    const text = this.#text;
    const start = this.#position;
    if (text.charCodeAt(start) === MINUS) this.#position++;
    const firstDigit = this.#position;
    this.#readDigits('a value');
    if (text.charCodeAt(firstDigit) === ZERO && this.#position > firstDigit + 1) {
      throw this.#illegal('a number has no leading zeros', start);
    }
    const isPlain = !this.#readFractionAndExponent();
    const literal = text.slice(start, this.#position);
    if (isPlain && this.#position - firstDigit <= SAFE_DIGITS) return Number(literal) + 0;
    const value = readExactNumber(literal);
    if (value === undefined) {
      const message = `numbers of more than ${MAXIMUM_DIGITS} digits are not accepted`;
      throw new JsonError('number-too-long', message, text, start);
    }
    return value;
  }

  /** Returns true when the number has a fraction or an exponent. */
  #readFractionAndExponent(): boolean {
    const text = this.#text;
    const start = this.#position;
    if (text.charCodeAt(this.#position) === POINT) {
      this.#position++;
      this.#readDigits('a digit after the decimal point');
    }
    if ((text.charCodeAt(this.#position) | 0x20) === 0x65) {
      this.#position++;
      const sign = text.charCodeAt(this.#position);
      if (sign === PLUS || sign === MINUS) this.#position++;
      this.#readDigits('a digit in the exponent');
    }
    return this.#position > start;
  }

  #readDigits(expected: string): void {
    const start = this.#position;
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (!(code >= ZERO && code <= NINE)) break;
      this.#position++;
    }
    if (this.#position === start) throw this.#unexpected(expected);
  }

  #readWord<Value extends boolean | null>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#position)) throw this.#unexpected('a value');
    this.#position += word.length;
    return value;
  }

  #descend(): void {
    if (++this.#depth > MAXIMUM_DEPTH) {
      const message = `values nested deeper than ${MAXIMUM_DEPTH} are not accepted`;
      throw new JsonError('too-deep', message, this.#text, this.#position);
    }
    this.#position++;
    this.#skipWhitespace();
  }

  #ascend<Value>(value: Value): Value {
    this.#depth--;
    return value;
  }

  /** Skips white space, and the given character if it comes next; returns whether it did. */
  #skipTo(code: number): boolean {
    this.#skipWhitespace();
    if (this.#text.charCodeAt(this.#position) !== code) return false;
    this.#position++;
    return true;
  }

  #skipWhitespace(): void {
    const text = this.#text;
    let position = this.#position;
    // Half of an indented document is white space, which a local variable passes in half the time.
    for (let code = text.charCodeAt(position); code <= 0x20; code = text.charCodeAt(position)) {
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
      position++;
    }
    this.#position = position;
  }

  #unexpected(expected: string): JsonError {
    const point = this.#text.codePointAt(this.#position);
    const found = point === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(point));
    return this.#illegal(`expected ${expected}, got ${found}`, this.#position);
  }

  #illegal(message: string, position: number): JsonError {
    return new JsonError('syntax', message, this.#text, position);
  }

  #duplicate(key: string, position: number): JsonError {
    const shown = JSON.stringify(shorten(key, 40));
    return new JsonError('duplicate-key', `the key ${shown} occurs twice`, this.#text, position);
  }

  #controlCharacter(position: number, code: number): JsonError {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    const message = `a string contains the control character ${name}, which must be escaped`;
    return this.#illegal(message, position);
  }
}

function place(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `at line ${line}, column ${position - before.lastIndexOf('\n')}`;
}
