import { MAXIMUM_DEPTH } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import { findAll, hasAt, LazyText } from '../base/lazy-text.ts';
import { isLineEnd, isSeparation, OTHER, YamlTexts } from './yaml-texts.ts';

/** Returns the value of a part of a text. Throws for a fault, and for an alias. */
type ParsePart = (part: string) => JsonValue | undefined;

/**
 * Returns a YAML text as a JSON text with the same value; a key that occurs twice does so there, too.
 * A parser of YAML takes several times as long and as much memory, most of it for values that are
 * never read.
 *
 * This reads the usual forms: block mappings and lists, and most scalars. It leaves the innermost
 * member or item that has another form to the parser.
 *
 * @returns undefined for a text that has to be parsed as a whole
 */
export function writeYamlAsJson(text: LazyText, parse: ParsePart): LazyText | undefined {
  const { bytes } = text;
  if (hasUnusualLines(text)) return undefined;
  try {
    // JSON is mostly shorter than YAML, which is indented. If it is not, its length is known then.
    const { json, length } = new YamlWriter(text, parse, bytes.length).write();
    if (length <= bytes.length) return LazyText.read(json);
    return LazyText.read(new YamlWriter(text, parse, length).write().json);
  } catch {
    // The parser of the whole text reports each fault.
    return undefined;
  }
}

/** Returns true for a text with a zero, which ends it, a second mark, or a carriage return alone. */
function hasUnusualLines(text: LazyText): boolean {
  const { bytes } = text;
  for (const at of findAll(text, '\r')) {
    if (bytes[at + 1] !== LINE_FEED) return true;
  }
  return bytes.includes('\0') || bytes.includes('\uFEFF');
}

const LINE_FEED = 0x0a;
const HASH = 0x23;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** How many bytes the parser reads in the time that it takes to begin. */
const COST_OF_PART = 500;

/** The markers of the beginning and of the end of a document (YAML 1.2 §9.1.2). */
const MARKER = '---';
const END_MARKER = '...';
/** In place of the column of a line. */
const AT_END = -1;

/** Stands for a text that has to be parsed as a whole. */
class Doubt extends Error {}

/**
 * Writes a text line by line. Its methods return false for another form; what they have written by
 * then does not count.
 */
class YamlWriter {
  readonly #text: LazyText;
  /** Undefined behind the end, where no comparison holds. */
  readonly #bytes: Uint8Array;
  readonly #parse: ParsePart;
  readonly #texts: YamlTexts;
  /** Where the next line begins that is neither empty nor a comment. */
  #line = 0;
  /** Its first character that is no space. */
  #first = 0;
  /** The column of that character; {@link AT_END} behind the last line. */
  #indent = 0;
  #depth = 0;
  /** How many bytes the parser reads in the time that it took for the parts left to it. */
  #left = 0;

  constructor(text: LazyText, parse: ParsePart, size: number) {
    this.#text = text;
    this.#bytes = text.bytes;
    this.#parse = parse;
    this.#texts = new YamlTexts(text, size);
  }

  /**
   * Writes the whole text, and returns the JSON text as far as it fits, and its length.
   *
   * @throws {Error} for a text that has to be parsed as a whole
   */
  write(): { readonly json: Buffer; readonly length: number } {
    this.#goToLine(0);
    if (this.#indent === 0 && this.#isMarker(this.#first, MARKER)) {
      this.#goToLine(this.#first + MARKER.length);
    }
    const isWhole = this.#indent === 0 && this.#writeMapping(this.#first, 0);
    if (!isWhole || this.#indent !== AT_END) throw new Doubt();
    const { output, end } = this.#texts;
    return { json: output.subarray(0, end), length: end };
  }

  #isMarker(at: number, marker: string): boolean {
    return hasAt(this.#bytes, at, marker) && isSeparation(this.#bytes[at + marker.length]);
  }

  /** Returns true if the line that begins here ends a document. */
  #isOutside(at: number): boolean {
    return this.#isMarker(at, MARKER) || this.#isMarker(at, END_MARKER);
  }

  /** Goes to the first line from here on that is neither empty nor a comment. */
  #goToLine(start: number): void {
    const bytes = this.#bytes;
    let line = start;
    for (;;) {
      const first = this.#texts.skipSpaces(line);
      const code = bytes[first];
      const isEnd = first >= bytes.length;
      if (isEnd || (code !== HASH && !isLineEnd(code))) {
        this.#line = isEnd ? first : line;
        this.#first = first;
        this.#indent = isEnd ? AT_END : first - line;
        return;
      }
      line = this.#texts.lineAfter(first);
    }
  }

  /** Writes the block mapping or list that begins here. */
  #writeBlock(at: number, column: number): boolean {
    if (++this.#depth > MAXIMUM_DEPTH) throw new Doubt();
    const isDone = this.#isItem(at) ? this.#writeList(at, column) : this.#writeMapping(at, column);
    this.#depth--;
    return isDone;
  }

  /** Returns true if an item of a list begins here. */
  #isItem(at: number): boolean {
    return this.#bytes[at] === HYPHEN && isSeparation(this.#bytes[at + 1]);
  }

  #writeMapping(start: number, column: number): boolean {
    this.#texts.put(OPENING_BRACE);
    for (let at = start; ; at = this.#first) {
      const begin = this.#texts.end;
      if (column === 0 && this.#isOutside(at)) return false;
      const value = this.#texts.writeKey(at);
      if (value === OTHER) return false;
      if (!this.#writeValue(value, column, true) || this.#indent > column) {
        this.#texts.end = begin;
        this.#leaveToParser(at, column, true);
      }
      if (this.#indent < column) break;
      this.#texts.put(COMMA);
    }
    this.#texts.put(CLOSING_BRACE);
    return true;
  }

  #writeList(start: number, column: number): boolean {
    this.#texts.put(OPENING_BRACKET);
    for (let at = start; ; at = this.#first) {
      const begin = this.#texts.end;
      if (!this.#writeItem(at, column) || this.#indent > column) {
        this.#texts.end = begin;
        this.#leaveToParser(at, column, false);
      }
      if (this.#indent < column || !this.#isItem(this.#first)) break;
      this.#texts.put(COMMA);
    }
    this.#texts.put(CLOSING_BRACKET);
    return true;
  }

  #writeItem(hyphen: number, column: number): boolean {
    const texts = this.#texts;
    if (texts.isEmptyFrom(hyphen + 1)) return this.#writeValue(hyphen + 1, column, false);
    const at = texts.skipSpaces(hyphen + 1);
    const begin = texts.end;
    if (this.#writeBlock(at, column + at - hyphen)) return true;
    texts.end = begin;
    return this.#writeScalar(at, column);
  }

  /**
   * Writes the value that begins behind a colon or a hyphen, or on the next line.
   *
   * @param isMember whether it is that of a key: a list may begin in the column of its key
   */
  #writeValue(start: number, column: number, isMember: boolean): boolean {
    const texts = this.#texts;
    const at = texts.skipSpaces(start);
    if (!texts.isEmptyFrom(start)) return this.#writeScalar(at, column);
    this.#goToLine(texts.lineAfter(at));
    const isBlock = this.#indent > column || (isMember && this.#isBeside(column));
    if (isBlock) return this.#writeBlock(this.#first, this.#indent);
    texts.putText('null');
    return true;
  }

  /** Returns true if the line is an item in the column of its key. */
  #isBeside(column: number): boolean {
    return this.#indent === column && this.#isItem(this.#first);
  }

  #writeScalar(at: number, column: number): boolean {
    const line = this.#texts.writeScalar(at, column);
    if (line !== OTHER) this.#goToLine(line);
    return line !== OTHER;
  }

  /** Leaves a member or an item to the parser: all lines that are deeper are part of it. */
  #leaveToParser(start: number, column: number, isMember: boolean): void {
    let at = start;
    do {
      this.#goToLine(this.#texts.lineAfter(at));
      at = this.#first;
    } while (this.#indent > column || (isMember && this.#isBeside(column)));
    // Many parts take longer than the whole, and one may be in another that is left later.
    this.#left += COST_OF_PART + this.#line - start;
    if (this.#left > this.#bytes.length) throw new Doubt();
    const value = this.#parse(' '.repeat(column) + this.#text.slice(start, this.#line));
    const isOne = isMember
      ? isJsonObject(value) && Object.keys(value).length === 1
      : Array.isArray(value) && value.length === 1;
    if (value === undefined || !isOne) throw new Doubt();
    this.#texts.putText(stringifyJson(value).slice(1, -1));
  }
}
