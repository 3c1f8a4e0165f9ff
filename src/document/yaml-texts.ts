import { hasAt, type LazyText } from '../base/lazy-text.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const APOSTROPHE = 0x27;
const PLUS = 0x2b;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const OPENING_BRACE = 0x7b;
const BAR = 0x7c;
const CLOSING_BRACE = 0x7d;
const DELETE = 0x7f;

/** In place of an offset: what begins there has another form. */
export const OTHER = -1;

/**
 * Writes the keys and the scalars of a YAML text as JSON, where they have one of the usual forms. Its
 * methods return {@link OTHER} for another form; what they have written by then does not count.
 */
export class YamlTexts {
  /** The JSON text. What does not fit is lost. */
  readonly output: Buffer;
  /** The length of what is written. */
  end = 0;
  readonly #text: LazyText;
  /** Undefined behind the end, where no comparison holds. */
  readonly #bytes: Uint8Array;
  /** How many breaks are behind the last line of a block. */
  #breaks = 0;

  constructor(text: LazyText, size: number) {
    this.output = Buffer.allocUnsafe(size);
    this.#text = text;
    this.#bytes = text.bytes;
  }

  /** Writes a key, and returns the offset behind its colon. */
  writeKey(start: number): number {
    const end = this.#writeText(start, NO_COLUMN, BLOCK);
    if (end === OTHER || this.#bytes[end] !== COLON) return OTHER;
    this.put(COLON);
    return isSeparation(this.#bytes[end + 1]) ? end + 1 : OTHER;
  }

  /**
   * Writes a scalar, or a flow collection on one line, and returns where the next line begins.
   *
   * @param column that of the key or hyphen in the same line; lines that are deeper go on with it
   */
  writeScalar(start: number, column: number): number {
    const code = this.#bytes[start] as number;
    if (code === BAR || code === GREATER) return this.#writeBlock(start, column);
    const isFlow = code === OPENING_BRACE || code === OPENING_BRACKET;
    const end = isFlow ? this.#writeFlow(start) : this.#writeValue(start, column, BLOCK);
    return end === OTHER || !this.isEmptyFrom(end) ? OTHER : this.lineAfter(end);
  }

  put(code: number): void {
    this.output[this.end++] = code;
  }

  putText(text: string): void {
    const start = this.end;
    this.end += Buffer.byteLength(text);
    if (this.end <= this.output.length) this.output.write(text, start);
  }

  skipSpaces(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (bytes[at] === SPACE) at++;
    return at;
  }

  /** Returns true if only spaces and a comment follow in the line. */
  isEmptyFrom(start: number): boolean {
    const at = this.skipSpaces(start);
    const code = this.#bytes[at] as number;
    return isLineEnd(code) || (code === HASH && this.#bytes[at - 1] === SPACE);
  }

  /** Returns where the line behind that of an offset begins. */
  lineAfter(at: number): number {
    if (isLineEnd(this.#bytes[at])) return this.#behindLineEnd(at);
    const end = this.#text.bytes.indexOf(LINE_FEED, at);
    return end < 0 ? this.#bytes.length : end + 1;
  }

  #behindLineEnd(end: number): number {
    return end + (this.#bytes[end] === CARRIAGE_RETURN ? 2 : 1);
  }

  /** Writes a flow collection (YAML 1.2 §7.4) on one line, and returns the offset behind it. */
  #writeFlow(start: number): number {
    const bytes = this.#bytes;
    const isMapping = bytes[start] === OPENING_BRACE;
    const closing = isMapping ? CLOSING_BRACE : CLOSING_BRACKET;
    this.put(isMapping ? OPENING_BRACE : OPENING_BRACKET);
    let at = this.skipSpaces(start + 1);
    while (bytes[at] !== closing) {
      const value = isMapping ? this.#writeFlowKey(at) : at;
      if (value === OTHER) return OTHER;
      const end = this.#writeFlowValue(value);
      if (end === OTHER) return OTHER;
      at = this.skipSpaces(end);
      if (bytes[at] === closing) break;
      if (bytes[at] !== COMMA) return OTHER;
      at = this.skipSpaces(at + 1);
      if (bytes[at] !== closing) this.put(COMMA);
    }
    this.put(closing);
    return at + 1;
  }

  #writeFlowKey(start: number): number {
    const end = this.#writeText(start, NO_COLUMN, FLOW);
    if (end === OTHER || this.#bytes[end] !== COLON) return OTHER;
    this.put(COLON);
    return this.#bytes[end + 1] === SPACE ? this.skipSpaces(end + 1) : OTHER;
  }

  #writeFlowValue(start: number): number {
    const code = this.#bytes[start];
    const isFlow = code === OPENING_BRACE || code === OPENING_BRACKET;
    return isFlow ? this.#writeFlow(start) : this.#writeValue(start, NO_COLUMN, FLOW);
  }

  /** Writes a text as what it means, and returns the offset behind it. */
  #writeValue(start: number, column: number, context: Context): number {
    const begin = this.end;
    const end = this.#writeText(start, column, context);
    if (end !== OTHER && this.#meaningOf(start, end) === JSON_WORD) {
      this.end = begin;
      this.putText(this.#latin1(start, end));
    }
    return end;
  }

  /** Writes a text with quotes or without, and returns the offset behind it. */
  #writeText(start: number, column: number, context: Context): number {
    const code = this.#bytes[start];
    if (code === QUOTE || code === APOSTROPHE) return this.#writeQuoted(start, column);
    const end = this.#writePlain(start, column, context);
    return end === OTHER || this.#meaningOf(start, end) === OTHER ? OTHER : end;
  }

  #writeQuoted(start: number, column: number): number {
    const bytes = this.#bytes;
    const quote = bytes[start] as number;
    this.put(QUOTE);
    let at = start + 1;
    for (;;) {
      at = this.#copySame(at);
      const code = bytes[at] as number;
      const isDoubled = quote === APOSTROPHE && bytes[at + 1] === APOSTROPHE;
      if (code === quote && !isDoubled) break;
      at = isLineEnd(code) ? this.#fold(at, column) : this.#writeOne(at, quote);
      if (at === OTHER) return OTHER;
    }
    this.put(QUOTE);
    return at + 1;
  }

  #writePlain(start: number, column: number, context: Context): number {
    const bytes = this.#bytes;
    if (!this.#beginsPlain(start)) return OTHER;
    this.put(QUOTE);
    let at = start;
    for (;;) {
      at = this.#copySame(at, context);
      if (this.#endsPlain(at, context)) break;
      const isEnd = isLineEnd(bytes[at]);
      const next = isEnd ? this.#foldPlain(at, column) : this.#writeOne(at, NO_QUOTE);
      if (next === OTHER && !isEnd) return OTHER;
      if (next === OTHER) break;
      at = next;
    }
    while (bytes[at - 1] === SPACE) at--;
    this.#dropSpaces();
    this.put(QUOTE);
    return at;
  }

  #beginsPlain(at: number): boolean {
    const code = this.#bytes[at] as number;
    return BEGINS_PLAIN[code] === 1 || (code === HYPHEN && !isSeparation(this.#bytes[at + 1]));
  }

  /** Returns true for the colon behind a key, for a comment, and in a flow collection for its signs. */
  #endsPlain(at: number, context: Context): boolean {
    const code = this.#bytes[at] as number;
    const next = this.#bytes[at + 1] as number;
    if (code === COLON) return isSeparation(next) || (context === FLOW && FLOW_SIGNS[next] === 1);
    if (code === HASH) return this.#bytes[at - 1] === SPACE;
    return context === FLOW && FLOW_SIGNS[code] === 1;
  }

  /** Writes characters that are the same in JSON, and returns where another one is. */
  #copySame(start: number, same: Uint8Array = BLOCK): number {
    const bytes = this.#bytes;
    const output = this.output;
    let end = this.end;
    let at = start;
    for (let code = bytes[at] as number; same[code] === 1; code = bytes[++at] as number) {
      output[end++] = code;
    }
    this.end = end;
    return at;
  }

  /** Writes another character, or an escape, and returns the offset behind it. */
  #writeOne(at: number, quote: number): number {
    const code = this.#bytes[at] as number;
    if (code === BACKSLASH && quote === QUOTE) return this.#writeEscape(at);
    // Also at the end of the text.
    if (!(code >= SPACE) || this.#isUnprintable(at)) return OTHER;
    if (code === QUOTE || code === BACKSLASH) this.put(BACKSLASH);
    this.put(code);
    return at + (code === APOSTROPHE && quote === APOSTROPHE ? 2 : 1);
  }

  #writeEscape(at: number): number {
    const letter = this.#bytes[at + 1] as number;
    if (!ESCAPES.has(letter)) return OTHER;
    this.put(BACKSLASH);
    this.put(letter);
    return at + 2;
  }

  /**
   * Writes what the break between two lines of a text means (YAML 1.2 §6.5), and returns where the
   * next one begins that is not empty; {@link OTHER} if it is not deeper than a column.
   */
  #fold(lineEnd: number, column: number): number {
    const bytes = this.#bytes;
    let first = lineEnd;
    let line = lineEnd;
    let breaks = 0;
    for (; isLineEnd(bytes[first]); first = this.skipSpaces(line)) {
      if (first >= bytes.length) return OTHER;
      line = this.#behindLineEnd(first);
      breaks++;
    }
    if (first - line <= column) return OTHER;
    this.#dropSpaces();
    this.#putBreaks(breaks, true);
    return first;
  }

  /** Like {@link YamlTexts.#fold}, for a text that a comment ends. */
  #foldPlain(lineEnd: number, column: number): number {
    const end = this.end;
    const next = this.#fold(lineEnd, column);
    if (this.#bytes[next] !== HASH) return next;
    this.end = end;
    return OTHER;
  }

  #dropSpaces(): void {
    while (this.output[this.end - 1] === SPACE) this.end--;
  }

  /** Returns what a text means that may have no quotes (YAML 1.2 §10.3.2). */
  #meaningOf(start: number, end: number): Meaning {
    const length = end - start;
    const first = this.#bytes[start] as number;
    if (first === LESS) return length === 2 && this.#latin1(start, end) === '<<' ? OTHER : TEXT;
    if (BEGINS_NUMBER[first] === 1) return meaningOfNumber(this.#latin1(start, end));
    const word = WORDS.get(first);
    if (word === undefined || length !== word.length) return TEXT;
    // Most of so many letters are `type`, `name` and `title`.
    if (((this.#bytes[start + 1] as number) | LOWER) !== word.charCodeAt(1)) return TEXT;
    if (hasAt(this.#bytes, start, word)) return JSON_WORD;
    return this.#latin1(start, end).toLowerCase() === word ? OTHER : TEXT;
  }

  /** Writes a literal or folded block, and returns where the first line behind it begins. */
  #writeBlock(header: number, column: number): number {
    const chomping = this.#bytes[header + 1] as number;
    const head = header + (chomping === HYPHEN || chomping === PLUS ? 2 : 1);
    if (!isLineEnd(this.#bytes[head])) return OTHER;
    this.put(QUOTE);
    const isFolded = this.#bytes[header] === GREATER;
    const line = this.#writeLines(this.#behindLineEnd(head), column, isFolded);
    if (chomping === PLUS) this.#putBreaks(this.#breaks, false);
    else if (chomping !== HYPHEN) this.#putBreaks(1, false);
    this.put(QUOTE);
    return line;
  }

  /** Writes lines that are deeper than a column, and returns where the first other one begins. */
  #writeLines(start: number, column: number, isFolded: boolean): number {
    const bytes = this.#bytes;
    const indent = this.#indentOfLines(start);
    let line = start;
    let wasIndented = true;
    this.#breaks = 0;
    for (;;) {
      const at = this.#skipIndent(line, indent);
      const code = bytes[at] as number;
      if (isLineEnd(code)) {
        // The parser reads one at the end of the text.
        if (at >= bytes.length) return OTHER;
        line = this.#behindLineEnd(at);
        this.#breaks++;
        continue;
      }
      if (at < line + indent || indent <= column) break;
      const isIndented = code === SPACE || code === TAB;
      this.#putBreaks(this.#breaks, isFolded && !isIndented && !wasIndented);
      wasIndented = isIndented;
      line = this.#writeLine(at);
      if (line === OTHER) return OTHER;
      this.#breaks = 1;
    }
    // It has no line, or the next one is neither deep enough nor outside.
    return line === start || this.skipSpaces(line) - line > column ? OTHER : line;
  }

  /** Returns how many spaces the first line has that has more; infinite if there are lines of spaces. */
  #indentOfLines(start: number): number {
    let line = start;
    for (;;) {
      const first = this.skipSpaces(line);
      const isEmpty = isLineEnd(this.#bytes[first]);
      if (!isEmpty) return first - line;
      if (first > line || first >= this.#bytes.length) return Number.POSITIVE_INFINITY;
      line = this.#behindLineEnd(first);
    }
  }

  #skipIndent(line: number, indent: number): number {
    let at = line;
    while (this.#bytes[at] === SPACE && at < line + indent) at++;
    return at;
  }

  /** Writes a line of a block, and returns where the next one begins. */
  #writeLine(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (;;) {
      at = this.#copySame(at);
      const code = bytes[at] as number;
      if (isLineEnd(code)) return at < bytes.length ? this.#behindLineEnd(at) : OTHER;
      if (code === TAB) {
        this.put(BACKSLASH);
        this.put(SMALL_T);
        at++;
      } else at = this.#writeOne(at, NO_QUOTE);
      if (at === OTHER) return OTHER;
    }
  }

  /** Returns true for a character that only some texts may have (YAML 1.2 §5.1). */
  #isUnprintable(at: number): boolean {
    const bytes = this.#bytes;
    const first = bytes[at] as number;
    const second = bytes[at + 1] as number;
    if (first === 0xc2) return second < 0xa0;
    const isLast = first === 0xef && second === 0xbf && (bytes[at + 2] as number) >= 0xbe;
    return isLast || first === DELETE;
  }

  #latin1(start: number, end: number): string {
    return this.#text.bytes.toString('latin1', start, end);
  }

  /**
   * Writes breaks between lines.
   *
   * @param isFolded true where one is a space, and others are one less
   */
  #putBreaks(count: number, isFolded: boolean): void {
    if (isFolded && count === 1) this.put(SPACE);
    for (let index = isFolded ? 1 : 0; index < count; index++) {
      this.put(BACKSLASH);
      this.put(SMALL_N);
    }
  }
}

/** The bit of a small letter of ASCII. */
const LOWER = 0x20;
/** In place of a column: no line is deeper, so that a text ends with its line. */
const NO_COLUMN = Number.POSITIVE_INFINITY;
/** In place of the quote of a text without quotes. */
const NO_QUOTE = 0;

/** The meaning of a text that is a string. */
const TEXT = 0;
/** The meaning of a text that is a word or a number of JSON. */
const JSON_WORD = 1;

type Meaning = typeof TEXT | typeof JSON_WORD | typeof OTHER;

/** Matches what YAML may read as a number. */
const NUMBER = /^[-+]?(?:0[ox][\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|\.inf|\.nan)$/i;

/** Returns what a text means that begins like a number. */
function meaningOfNumber(text: string): Meaning {
  if (!NUMBER.test(text)) return TEXT;
  const isSame = text.length <= LONGEST_SAFE && String(Number(text)) === text;
  return isSame && DECIMAL.test(text) ? JSON_WORD : OTHER;
}

/** A double holds every number of fifteen digits. */
const LONGEST_SAFE = 15;
const DECIMAL = /^-?[\d.]+$/;

const BEGINS_NUMBER = flag((code) => '0123456789.+-'.includes(String.fromCharCode(code)));

/** Characters with which a plain text begins, whatever follows them. A tilde may mean null. */
const BEGINS_PLAIN = flag(
  (code) => code > SPACE && !'-?:,[]{}#&*!|>\'"%@`~'.includes(String.fromCharCode(code)),
);

/** The signs of flow collections, which end a plain text in one. */
const FLOW_SIGNS = flag((code) => ',[]{}'.includes(String.fromCharCode(code)));

/**
 * Where a text is: the bytes that mean the same there in YAML and JSON, and begin nothing that is
 * unprintable.
 */
type Context = typeof BLOCK | typeof FLOW;

/** Outside of flow collections. */
const BLOCK = flag(
  (code) =>
    code >= SPACE &&
    ![QUOTE, HASH, APOSTROPHE, COLON, BACKSLASH, DELETE, 0xc2, 0xef].includes(code),
);

const FLOW = flag((code) => BLOCK[code] === 1 && FLOW_SIGNS[code] !== 1);

/** Returns an array with 1 for each byte of which something is true. */
function flag(isTrue: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (isTrue(code) ? 1 : 0));
}

/** The words of JSON, by the characters that words of YAML begin with. */
const WORDS: ReadonlyMap<number, string> = new Map(
  ['true', 'false', 'null'].flatMap((word) =>
    [word, word.toUpperCase()].map((one) => [one.charCodeAt(0), word] as const),
  ),
);

/** The letters of the escapes that YAML and JSON have in common. */
const ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrtu'));

/** Returns true at the end of a line, and of the text. */
export function isLineEnd(code: number | undefined): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN || code === undefined;
}

/** Returns true for what ends a colon or a hyphen that is an indicator. */
export function isSeparation(code: number | undefined): boolean {
  return code === SPACE || code === TAB || isLineEnd(code);
}
