import type { LazyText } from '../lazy-text.ts';
import { readExactNumber } from './number.ts';
import { MAXIMUM_DEPTH } from './parse.ts';

/** Shorter texts are parsed at once. */
const SHORTEST = 100_000;

/** Members of at least this length are made when they are first read. */
const SHORTEST_PART = 4_000;

/** Where the long parts of a JSON text are. It can be kept as JSON, to go through the text once. */
export interface JsonOutline {
  /** In the order of the text; the first is the whole. */
  readonly parts: readonly JsonPart[];
  /** Where numbers begin that a double may not hold. */
  readonly numbers: readonly number[];
}

/**
 * A long object, or list, that is a member of a part, or the whole: the offsets of its start, its
 * end and its key, and the index of the first part that is not in it.
 */
export type JsonPart = readonly [start: number, end: number, key: number, next: number];

/**
 * Goes through a long text for syntax, depth, keys that occur twice and numbers of too many digits,
 * and returns its outline. Returns undefined for a short text, one that is no object, and one that
 * only {@link parseJson} judges.
 */
export function outlineJson(text: LazyText): JsonOutline | undefined {
  return text.characters.length < SHORTEST ? undefined : new Scanner(text).scan();
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Of more keys, each is looked up instead of compared. */
const MOST_COMPARED = 24;

/** Stands for a text that only the parser judges. */
class Doubt extends Error {}

/** Finds the long parts of a text without making its values. */
class Scanner {
  readonly #lazy: LazyText;
  readonly #text: string;
  readonly #parts: JsonPart[] = [];
  readonly #numbers: number[] = [];
  /** The hashes of the keys of all objects around the position. */
  readonly #hashes: number[] = [];
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?/y;
  readonly #exponent = /[eE][-+]?\d+/y;
  readonly #word = /true|false|null/y;
  readonly #escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
  #position = 0;
  #depth = 0;
  #lists = 0;

  constructor(text: LazyText) {
    this.#lazy = text;
    this.#text = text.characters;
  }

  scan(): JsonOutline | undefined {
    try {
      if (this.#skipSpace() !== OPENING_BRACE) return undefined;
      this.#scanContainer(0);
      this.#skipSpace();
      if (this.#position < this.#text.length) return undefined;
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
    return { parts: this.#parts, numbers: this.#numbers };
  }

  /** @param key where the key of the value begins */
  #scanValue(key: number): void {
    const code = this.#text.charCodeAt(this.#position);
    if (code === QUOTE) this.#scanString();
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) this.#scanContainer(key);
    else if (code > 0x60) this.#match(this.#word);
    else this.#scanNumber();
  }

  #scanContainer(key: number): void {
    const start = this.#position++;
    const index = this.#parts.length;
    const isPart = this.#lists === 0;
    if (isPart) this.#parts.push([start, 0, key, 0]);
    if (++this.#depth > MAXIMUM_DEPTH) throw new Doubt();
    if (this.#text.charCodeAt(start) === OPENING_BRACE) this.#scanMembers();
    else this.#scanItems();
    this.#depth--;
    if (!isPart) return;
    const end = this.#position;
    const isLong = index === 0 || end - start >= SHORTEST_PART;
    if (isLong) this.#parts[index] = [start, end, key, this.#parts.length];
    else this.#parts.length = index;
  }

  #scanMembers(): void {
    if (this.#skipSpace() === CLOSING_BRACE) {
      this.#position++;
      return;
    }
    const first = this.#hashes.length;
    let known: Set<number> | undefined;
    for (;;) {
      const key = this.#position;
      const hash = this.#scanKey();
      if (this.#hashes.length - first === MOST_COMPARED) known = new Set(this.#hashes.slice(first));
      const isKnown = known?.has(hash) ?? this.#hashes.indexOf(hash, first) >= 0;
      if (isKnown) throw new Doubt();
      this.#hashes.push(hash);
      known?.add(hash);
      if (this.#skipSpace() !== 0x3a) throw new Doubt();
      this.#position++;
      this.#skipSpace();
      this.#scanValue(key);
      const code = this.#skipSpace();
      this.#position++;
      if (code === CLOSING_BRACE) break;
      if (code !== COMMA) throw new Doubt();
      this.#skipSpace();
    }
    this.#hashes.length = first;
  }

  #scanItems(): void {
    this.#lists++;
    if (this.#skipSpace() === CLOSING_BRACKET) this.#position++;
    else {
      for (;;) {
        this.#scanValue(0);
        const code = this.#skipSpace();
        this.#position++;
        if (code === CLOSING_BRACKET) break;
        if (code !== COMMA) throw new Doubt();
        this.#skipSpace();
      }
    }
    this.#lists--;
  }

  /** Returns a number that is the same for equal keys, and for few others. */
  #scanKey(): number {
    const text = this.#text;
    const start = this.#position;
    if (text.charCodeAt(start) !== QUOTE) throw new Doubt();
    const isEscaped = this.#scanString();
    const key = isEscaped ? this.#unescape(text.slice(start, this.#position)) : undefined;
    const [from, to] = key === undefined ? [start + 1, this.#position - 1] : [0, key.length];
    const characters = key ?? text;
    let hash = to - from;
    for (let index = from; index < to; index++) {
      hash = (Math.imul(hash, 31) + characters.charCodeAt(index)) | 0;
    }
    return hash;
  }

  #unescape(literal: string): string {
    const key = JSON.parse(this.#lazy.decode(literal)) as string;
    return this.#lazy.encode(key);
  }

  /** Returns true for a string with an escape. */
  #scanString(): boolean {
    const text = this.#text;
    let isEscaped = false;
    let index = this.#position + 1;
    for (let code = text.charCodeAt(index); code !== QUOTE; code = text.charCodeAt(index)) {
      if (code === BACKSLASH) {
        isEscaped = true;
        this.#position = index;
        this.#match(this.#escape);
        index = this.#position;
      } else if (code >= 0x20) index++;
      // The end, which is no number, and control characters.
      else throw new Doubt();
    }
    this.#position = index + 1;
    return isEscaped;
  }

  #scanNumber(): void {
    const start = this.#position;
    this.#match(this.#number);
    const isLong = this.#position - start > LONGEST_SAFE;
    const hasExponent = (this.#text.charCodeAt(this.#position) | 0x20) === 0x65;
    if (hasExponent) this.#match(this.#exponent);
    // The parser reads a negative zero as zero.
    if (!(isLong || hasExponent || this.#text.startsWith('-0', start))) return;
    if (readExactNumber(this.#text.slice(start, this.#position)) === undefined) throw new Doubt();
    this.#numbers.push(start);
  }

  #match(pattern: RegExp): void {
    pattern.lastIndex = this.#position;
    if (!pattern.test(this.#text)) throw new Doubt();
    this.#position = pattern.lastIndex;
  }

  /** Skips white space, and returns the character behind it. */
  #skipSpace(): number {
    const text = this.#text;
    let position = this.#position;
    let code = text.charCodeAt(position);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      code = text.charCodeAt(++position);
    }
    this.#position = position;
    return code;
  }
}

/** A double holds every number of fifteen digits. */
const LONGEST_SAFE = 15;
