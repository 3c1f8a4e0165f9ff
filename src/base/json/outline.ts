import { hasAt, type LazyText } from '../lazy-text.ts';
import { JSON_NUMBER, readExactNumber } from './number.ts';
import { MAXIMUM_DEPTH } from './parse.ts';

/** Shorter texts are parsed at once. */
const SHORTEST = 100_000;

/** Members of at least this length are made when they are first read. */
const SHORTEST_PART = 4_000;

/** So are all that are no deeper: a document has hundreds of paths, and of schemas. */
const DEEPEST_SHORT = 4;

/** Where the parts of a JSON text are. It can be kept as JSON, to go through the text once. */
export interface JsonOutline {
  /**
   * Four numbers for each part, in the order of the text; the first is the whole. A part is an
   * object, or list, that is a member of a part: the offsets of its start, its end and its key, and
   * how many parts are before the first that is not in it. Offsets count bytes.
   */
  readonly parts: readonly number[];
  /** Where numbers begin that a double may not hold. */
  readonly numbers: readonly number[];
}

/** How many numbers of an outline a part has. */
export const PART_NUMBERS = 4;

/** The result of scanning a JSON text. */
export interface ScannedJson {
  readonly outline: JsonOutline;
  /** Where each object and list that is one level deeper than the short parts begins, and ends. */
  readonly deeper: readonly number[];
  /** Where keys begin with a `$`, behind their quotes; without references into the text itself. */
  readonly dollars: readonly number[];
  /** True if a key has an escaped character. */
  readonly hasEscapedKeys: boolean;
}

/**
 * Goes through a long text for syntax, depth, keys that occur twice and numbers of too many digits,
 * and returns its outline. Returns undefined for a short text, one that is no object, and one that
 * only {@link parseJson} judges.
 */
export function scanJson(text: LazyText): ScannedJson | undefined {
  return text.bytes.length < SHORTEST ? undefined : new Scanner(text).scan();
}

const QUOTE = 0x22;
const DOLLAR = 0x24;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** Of more keys, each is looked up instead of compared. */
const MOST_COMPARED = 24;

/** Stands for a text that only the parser judges. */
class Doubt extends Error {}

/**
 * Finds the parts of a text without making its values. It reads bytes: they are twice as fast to
 * read as the characters of a string that is not in V8's heap.
 */
class Scanner {
  readonly #text: LazyText;
  /** Undefined behind the end, where no comparison holds. */
  readonly #bytes: Uint8Array;
  readonly #parts: number[] = [];
  /** How many of their numbers are in use. */
  #partsEnd = 0;
  readonly #numbers: number[] = [];
  readonly #deeper: number[] = [];
  readonly #dollars: number[] = [];
  /** The hashes of the keys of all objects around the position. */
  readonly #hashes: number[] = [];
  /** How many of the hashes are in use. */
  #count = 0;
  #hasEscapedKeys = false;
  #position = 0;
  #depth = 0;
  #lists = 0;

  constructor(text: LazyText) {
    this.#text = text;
    this.#bytes = text.bytes;
  }

  scan(): ScannedJson | undefined {
    try {
      if (this.#skipSpace() !== OPENING_BRACE) return undefined;
      this.#scanContainer(0);
      this.#skipSpace();
      if (this.#position < this.#bytes.length) return undefined;
    } catch (error) {
      if (error instanceof Doubt) return undefined;
      throw error;
    }
    return {
      outline: { parts: this.#parts.slice(0, this.#partsEnd), numbers: this.#numbers },
      deeper: this.#deeper,
      dollars: this.#dollars,
      hasEscapedKeys: this.#hasEscapedKeys,
    };
  }

  /** @param key where the key of the value begins */
  #scanValue(key: number): void {
    const code = this.#bytes[this.#position] as number;
    if (code === QUOTE) this.#scanString();
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) this.#scanContainer(key);
    else if (code > 0x60) this.#scanWord();
    else this.#scanNumber();
  }

  #scanContainer(key: number): void {
    const parts = this.#parts;
    const start = this.#position++;
    const first = this.#partsEnd;
    const isPart = this.#lists === 0;
    if (isPart) this.#partsEnd += PART_NUMBERS;
    if (++this.#depth > MAXIMUM_DEPTH) throw new Doubt();
    if (this.#bytes[start] === OPENING_BRACE) this.#scanMembers();
    else this.#scanItems();
    const depth = this.#depth--;
    if (!isPart) return;
    const end = this.#position;
    if (depth === DEEPEST_SHORT + 1) this.#deeper.push(start, end);
    if (depth > DEEPEST_SHORT && end - start < SHORTEST_PART) {
      this.#partsEnd = first;
      return;
    }
    parts[first] = start;
    parts[first + 1] = end;
    parts[first + 2] = key;
    parts[first + 3] = this.#partsEnd / PART_NUMBERS;
  }

  #scanMembers(): void {
    if (this.#skipSpace() === CLOSING_BRACE) {
      this.#position++;
      return;
    }
    const first = this.#count;
    let known: Set<number> | undefined;
    for (;;) {
      const key = this.#position;
      const hash = this.#scanKey();
      if (this.#count - first === MOST_COMPARED) known = this.#hashesFrom(first);
      if (known?.has(hash) ?? this.#hasHash(hash, first)) throw new Doubt();
      this.#hashes[this.#count++] = hash;
      known?.add(hash);
      if (this.#skipSpace() !== COLON) throw new Doubt();
      this.#position++;
      this.#skipSpace();
      if (this.#bytes[key + 1] === DOLLAR) this.#noteDollar(key);
      this.#scanValue(key);
      const code = this.#skipSpace();
      this.#position++;
      if (code === CLOSING_BRACE) break;
      if (code !== COMMA) throw new Doubt();
      this.#skipSpace();
    }
    this.#count = first;
  }

  /** Notes a key, unless the value at the position makes it a reference into the text itself. */
  #noteDollar(key: number): void {
    const bytes = this.#bytes;
    const isInward = hasAt(bytes, key, '"$ref"') && hasAt(bytes, this.#position, '"#');
    if (!isInward) this.#dollars.push(key + 1);
  }

  #hashesFrom(first: number): Set<number> {
    return new Set(this.#hashes.slice(first, this.#count));
  }

  /** Returns true if a key of the innermost object has a hash. */
  #hasHash(hash: number, first: number): boolean {
    for (let index = first; index < this.#count; index++) {
      if (this.#hashes[index] === hash) return true;
    }
    return false;
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
    const start = this.#position;
    if (this.#bytes[start] !== QUOTE) throw new Doubt();
    const isEscaped = this.#scanString();
    const key = isEscaped ? this.#unescape(start) : this.#bytes;
    const [from, to] = isEscaped ? [0, key.length] : [start + 1, this.#position - 1];
    this.#hasEscapedKeys ||= isEscaped;
    let hash = to - from;
    for (let index = from; index < to; index++) {
      hash = (Math.imul(hash, 31) + (key[index] as number)) | 0;
    }
    return hash;
  }

  /** Returns the bytes of the key that the string at an offset, before the position, means. */
  #unescape(start: number): Uint8Array {
    return Buffer.from(JSON.parse(this.#text.slice(start, this.#position)) as string);
  }

  /** Returns true for a string with an escape. */
  #scanString(): boolean {
    const bytes = this.#bytes;
    let isEscaped = false;
    let index = this.#position + 1;
    for (;;) {
      const code = bytes[index] as number;
      // Most letters are behind the backslash.
      if (code > BACKSLASH || (code >= SPACE && code !== QUOTE && code !== BACKSLASH)) index++;
      else if (code === QUOTE) break;
      // The end and control characters.
      else if (code !== BACKSLASH) throw new Doubt();
      else {
        isEscaped = true;
        index += this.#escapeAt(index);
      }
    }
    this.#position = index + 1;
    return isEscaped;
  }

  /** Returns the length of the escape at an offset. */
  #escapeAt(start: number): number {
    const letter = this.#bytes[start + 1] as number;
    if (letter !== LETTER_U) {
      if (ESCAPES.has(letter)) return 2;
      throw new Doubt();
    }
    const digits = this.#latin1(start + 2, start + 6);
    if (!/^[\da-fA-F]{4}$/.test(digits)) throw new Doubt();
    return 6;
  }

  #scanWord(): void {
    const start = this.#position;
    const word = WORDS.get(this.#bytes[start] as number);
    if (word === undefined || !hasAt(this.#bytes, start, word)) throw new Doubt();
    this.#position = start + word.length;
  }

  #scanNumber(): void {
    const bytes = this.#bytes;
    const start = this.#position;
    let index = start;
    while (isDigit(bytes[index] as number)) index++;
    const length = index - start;
    const isPlain = length === 1 || (bytes[start] !== ZERO && length > 0 && length <= LONGEST_SAFE);
    while (isOfNumber(bytes[index] as number)) index++;
    this.#position = index;
    if (isPlain && index === start + length) return;
    const number = this.#latin1(start, index);
    if (!JSON_NUMBER.test(number)) throw new Doubt();
    // A double holds all other numbers of so many digits. The parser reads a negative zero as zero.
    if (number.length <= LONGEST_SAFE && !/^-0|e/i.test(number)) return;
    if (readExactNumber(number) === undefined) throw new Doubt();
    this.#numbers.push(start);
  }

  #latin1(start: number, end: number): string {
    return this.#text.bytes.toString('latin1', start, end);
  }

  /** Skips white space, and returns the character behind it. */
  #skipSpace(): number {
    const bytes = this.#bytes;
    let position = this.#position;
    let code = bytes[position] as number;
    while (code === SPACE || code === 0x0a || code === 0x0d || code === 0x09) {
      do code = bytes[++position] as number;
      while (code === SPACE);
    }
    this.#position = position;
    return code;
  }
}

const ZERO = 0x30;
const LETTER_U = 0x75;
/** The letters of escapes of two characters. */
const ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
/** The words that are values, by their first letter. */
const WORDS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]),
);

/** A double holds every number of fifteen digits. */
const LONGEST_SAFE = 15;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

/** Returns true for digits, `.`, signs and `e`. */
function isOfNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65;
}
