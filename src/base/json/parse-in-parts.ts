import { readExactNumber } from './number.ts';
import { MAXIMUM_DEPTH, parseJson } from './parse.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Shorter texts are parsed at once. */
const SHORTEST = 100_000;

/** Members of at least this length are made when they are first read. */
const SHORTEST_PART = 4_000;

/**
 * Returns the value of a JSON text as {@link parseJson} does, and refuses the same texts. Of a long
 * text, long members are made when they are first read: of a large document, few ever are.
 */
export function parseJsonInParts(text: string): JsonValue {
  const parts = text.length < SHORTEST ? undefined : new Scanner(text).scan();
  return parts === undefined ? parseJson(text) : new PartReader(text, parts).read(0);
}

/** A long object, or list, that is a member of a part, or the whole. */
interface Part {
  readonly start: number;
  readonly end: number;
  /** Where its key begins. */
  readonly key: number;
  /** The index of the first part that is not in it. */
  readonly next: number;
}

interface Parts {
  /** In the order of the text; the first is the whole. */
  readonly all: readonly Part[];
  /** Where numbers begin that a double may not hold. */
  readonly numbers: readonly number[];
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
  readonly #text: string;
  readonly #parts: Part[] = [];
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

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns undefined for a text with a fault, or one that is no object. */
  scan(): Parts | undefined {
    try {
      if (this.#skipSpace() !== OPENING_BRACE) return undefined;
      this.#scanContainer(0);
      this.#skipSpace();
      if (this.#position < this.#text.length) return undefined;
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
    return { all: this.#parts, numbers: this.#numbers };
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
    if (isPart) this.#parts.push({ start, end: 0, key, next: 0 });
    if (++this.#depth > MAXIMUM_DEPTH) throw new Doubt();
    if (this.#text.charCodeAt(start) === OPENING_BRACE) this.#scanMembers();
    else this.#scanItems();
    this.#depth--;
    if (!isPart) return;
    const end = this.#position;
    const isLong = index === 0 || end - start >= SHORTEST_PART;
    if (isLong) this.#parts[index] = { start, end, key, next: this.#parts.length };
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
    const key = isEscaped ? (JSON.parse(text.slice(start, this.#position)) as string) : undefined;
    const [from, to] = key === undefined ? [start + 1, this.#position - 1] : [0, key.length];
    const characters = key ?? text;
    let hash = to - from;
    for (let index = from; index < to; index++) {
      hash = (Math.imul(hash, 31) + characters.charCodeAt(index)) | 0;
    }
    return hash;
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

/** Makes values of the parts of a text. */
class PartReader {
  readonly #text: string;
  readonly #parts: Parts;
  /** The parts that are not made yet, by the objects that they are members of. */
  readonly #waiting = new WeakMap<JsonObject, Map<string, number>>();
  readonly #members = new Map<string, PropertyDescriptor>();

  constructor(text: string, parts: Parts) {
    this.#text = text;
    this.#parts = parts;
  }

  /** Returns the value of a part. */
  read(index: number): JsonValue {
    const text = this.#text;
    const { start, end, next } = this.#parts.all[index] as Part;
    if (text.charCodeAt(start) === OPENING_BRACKET) return this.#parse(start, end, [[start, end]]);
    const waiting = new Map<string, number>();
    const kept: [number, number][] = [];
    let from = start;
    for (let inner = index + 1; inner < next; ) {
      const part = this.#parts.all[inner] as Part;
      waiting.set(this.#keyAt(part.key), inner);
      kept.push([from, part.start]);
      from = part.end;
      inner = part.next;
    }
    kept.push([from, end]);
    const value = this.#parse(start, end, kept) as JsonObject;
    if (waiting.size > 0) this.#waiting.set(value, waiting);
    for (const name of waiting.keys()) Object.defineProperty(value, name, this.#member(name));
    return value;
  }

  /** Parses a part, with null in place of what is not kept of it. */
  #parse(start: number, end: number, kept: readonly (readonly [number, number])[]): JsonValue {
    const text = kept.map(([from, to]) => this.#text.slice(from, to)).join('null');
    return this.#isSafe(start, end) ? (JSON.parse(text) as JsonValue) : parseJson(text);
  }

  /** Returns true if doubles hold all numbers between two offsets. */
  #isSafe(start: number, end: number): boolean {
    const { numbers } = this.#parts;
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? end) < start) low = middle + 1;
      else high = middle;
    }
    return (numbers[low] ?? end) >= end;
  }

  #keyAt(start: number): string {
    const text = this.#text;
    let end = start + 1;
    while (text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    return JSON.parse(text.slice(start, end + 1)) as string;
  }

  /** Returns the member of a name, of whichever object: objects with equal members are alike. */
  #member(name: string): PropertyDescriptor {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const make = (object: JsonObject): JsonValue => this.#make(object, name);
    const member: PropertyDescriptor = {
      enumerable: true,
      configurable: true,
      get(this: JsonObject) {
        return make(this);
      },
      set(this: JsonObject, value: JsonValue) {
        replace(this, name, value);
      },
    };
    this.#members.set(name, member);
    return member;
  }

  #make(object: JsonObject, name: string): JsonValue {
    const value = this.read(this.#waiting.get(object)?.get(name) ?? 0);
    replace(object, name, value);
    return value;
  }
}

function replace(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
