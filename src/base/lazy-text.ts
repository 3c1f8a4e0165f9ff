import { isAscii, isUtf8 } from 'node:buffer';

/** The byte order mark as UTF-8. */
const MARK = Buffer.from('\uFEFF');

/**
 * A text whose parts are decoded on demand. Most of a long document is never read, and a single
 * character beyond Latin-1 doubles the memory of a whole string.
 */
export class LazyText {
  /** The text in UTF-8, without a byte order mark. */
  readonly bytes: Buffer;
  readonly #decoded: string | undefined;

  private constructor(bytes: Buffer, decoded?: string) {
    this.bytes = bytes;
    this.#decoded = decoded;
  }

  /** Returns a text that is decoded already, without its byte order mark. */
  static of(marked: string): LazyText {
    const text = marked.startsWith('\uFEFF') ? marked.slice(1) : marked;
    return new LazyText(Buffer.from(text), text);
  }

  /**
   * Returns the text of bytes in UTF-8 or UTF-16, without its byte order mark.
   *
   * @throws {TypeError} for bytes that are not text
   */
  static read(bytes: Buffer): LazyText {
    const encoding = encodingOf(bytes);
    if (encoding !== 'utf-8' || !isUtf8(bytes)) {
      return LazyText.of(new TextDecoder(encoding, { fatal: true }).decode(bytes));
    }
    const isMarked = bytes.subarray(0, MARK.length).equals(MARK);
    return new LazyText(isMarked ? bytes.subarray(MARK.length) : bytes);
  }

  /** The whole text. */
  get text(): string {
    return this.#decoded ?? this.bytes.toString(isAscii(this.bytes) ? 'latin1' : 'utf8');
  }

  /** Returns a part that neither begins nor ends within a letter. */
  slice(start: number, end: number): string {
    const characters = this.bytes.toString('latin1', start, end);
    return BEYOND_ASCII.test(characters) ? this.bytes.toString('utf8', start, end) : characters;
  }

  /**
   * Returns a part of a JSON text with null in place of what is cut out of it. Few letters beyond
   * ASCII are escaped, so that V8 keeps one byte for each character.
   *
   * @param cuts the offsets of the start, of the start and the end of each cut, and of the end
   */
  cutJson(cuts: readonly number[]): string {
    const parts: string[] = [];
    for (let index = 0; index < cuts.length; index += 2) {
      parts.push(this.bytes.toString('latin1', cuts[index], cuts[index + 1]));
    }
    const joined = parts.join('null');
    if (!BEYOND_ASCII.test(joined)) return joined;
    let text = '';
    let end = 0;
    let runs = 0;
    for (const { 0: run, index } of joined.matchAll(RUN_BEYOND_ASCII)) {
      if (++runs * CHARACTERS_FOR_RUN > joined.length) return decode(joined);
      text += joined.slice(end, index) + escapeUnits(decode(run));
      end = index + run.length;
    }
    return text + joined.slice(end);
  }
}

function decode(characters: string): string {
  return Buffer.from(characters, 'latin1').toString('utf8');
}

const BEYOND_ASCII = /[^\0-\x7f]/;
const RUN_BEYOND_ASCII = /[^\0-\x7f]+/g;
const UNIT_BEYOND_ASCII = /[^\0-\x7f]/g;
/** To escape more runs of letters takes longer than to decode all of the text. */
const CHARACTERS_FOR_RUN = 1_000;

/** Returns a text with escapes of JSON in place of letters beyond ASCII (RFC 8259 §7). */
function escapeUnits(text: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(UNIT_BEYOND_ASCII, escapeUnit);
}

/** Returns the encoding of a YAML or JSON text, which begins with a mark or with ASCII (YAML §5.2). */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le';
  return first === 0 || (first === 0xfe && second === 0xff) ? 'utf-16be' : 'utf-8';
}

/** Node finds up to so many bytes ten times as fast as more, if the first of them is rare. */
const LONGEST_FAST = 6;

/**
 * Yields where a word of ASCII begins in a long text.
 *
 * @param part of the word, which is searched for first
 */
export function* findAll(
  { bytes }: LazyText,
  word: string,
  part = word.slice(0, LONGEST_FAST),
): Generator<number> {
  const before = word.indexOf(part);
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + 1)) {
    if (hasAt(bytes, at - before, word)) yield at - before;
  }
}

/** Returns true if a word of ASCII is at an offset. */
export function hasAt(bytes: Uint8Array, offset: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    if (bytes[offset + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}
