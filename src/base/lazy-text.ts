import { isUtf8 } from 'node:buffer';

/** Shorter texts are decoded at once. */
const SHORTEST = 100_000;

/** The byte order mark as UTF-8. */
const MARK = Buffer.from('\uFEFF');

/**
 * A text whose parts are decoded on demand. Most of a long document is never read, and a single
 * character beyond Latin-1 doubles the memory of a whole string.
 */
export class LazyText {
  /**
   * The text, or its bytes in UTF-8 as characters. ASCII is the same in both, so that searches for
   * it find the same.
   */
  readonly characters: string;
  /** True if each character is a byte. */
  readonly isBytes: boolean;

  private constructor(characters: string, isBytes: boolean) {
    this.characters = characters;
    this.isBytes = isBytes;
  }

  /** Returns a text that is decoded already, without its byte order mark. */
  static of(text: string): LazyText {
    return new LazyText(text.startsWith('\uFEFF') ? text.slice(1) : text, false);
  }

  /**
   * Returns the text of bytes in UTF-8 or UTF-16, without its byte order mark.
   *
   * @throws {TypeError} for bytes that are not text
   */
  static read(bytes: Buffer): LazyText {
    const encoding = encodingOf(bytes);
    if (bytes.length < SHORTEST || encoding !== 'utf-8' || !isUtf8(bytes)) {
      return LazyText.of(new TextDecoder(encoding, { fatal: true }).decode(bytes));
    }
    const start = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
    return new LazyText(bytes.toString('latin1', start), true);
  }

  /** The whole text. */
  get text(): string {
    return this.decode(this.characters);
  }

  /** Returns the text of a part of the characters that neither begins nor ends within a letter. */
  decode(part: string): string {
    const isDecoded = !this.isBytes || !BEYOND_ASCII.test(part);
    return isDecoded ? part : Buffer.from(part, 'latin1').toString('utf8');
  }

  /**
   * Like {@link decode}, for JSON: few letters beyond ASCII are escaped, so that V8 keeps one byte
   * for each character.
   */
  decodeJson(part: string): string {
    if (!this.isBytes) return part;
    let text = '';
    let end = 0;
    let runs = 0;
    for (const { 0: run, index } of part.matchAll(RUN_BEYOND_ASCII)) {
      if (++runs * CHARACTERS_FOR_RUN > part.length) return this.decode(part);
      text += part.slice(end, index) + escapeUnits(this.decode(run));
      end = index + run.length;
    }
    return text + part.slice(end);
  }

  /** Returns a text in the form of the characters. */
  encode(text: string): string {
    const isEncoded = !this.isBytes || !BEYOND_ASCII.test(text);
    return isEncoded ? text : Buffer.from(text, 'utf8').toString('latin1');
  }
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

/** V8 finds up to so many characters ten times as fast as more, if the first of them is rare. */
const LONGEST_FAST = 6;

/**
 * Returns where a word begins in a long text, from an offset on; -1 if it does not occur.
 *
 * @param part of the word, which is searched for first
 */
export function indexOfWord(
  text: string,
  word: string,
  from = 0,
  part = word.slice(0, LONGEST_FAST),
): number {
  const before = word.indexOf(part);
  let at = text.indexOf(part, from + before);
  while (at >= 0 && !text.startsWith(word, at - before)) at = text.indexOf(part, at + 1);
  return at < 0 ? -1 : at - before;
}
