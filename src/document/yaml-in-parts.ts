import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';

/** Shorter texts are parsed at once. */
const SHORTEST = 500_000;

/** Texts of about this many characters are parsed at once. */
const PART = 100_000;

/** Deeper mappings are not cut. */
const DEEPEST = 4;

const SPACE = 0x20;

/** Stands for a text that is parsed as a whole. */
class Doubt extends Error {}

/**
 * Returns the value of a long YAML text, which is parsed in parts: the parser's events for all of it
 * take more memory than its value. It is cut before keys of block mappings, where an entry with the
 * same indentation begins (YAML 1.2 §8.2.2): what a part leaves open is a fault in it.
 *
 * @param parse returns the value of a text, and throws for one with faults or aliases
 * @returns undefined for a text that has to be parsed as a whole
 */
export function parseInParts(
  text: string,
  parse: (part: string) => JsonValue | undefined,
): JsonObject | undefined {
  if (text.length < SHORTEST) return undefined;
  try {
    const value = {};
    new Parts(text, parse).read(value, 0, text.length, { indent: 0, lines: [] });
    return value;
  } catch {
    return undefined;
  }
}

/** A block mapping: its indentation, and the lines of the keys that it is below. */
interface Mapping {
  readonly indent: number;
  readonly lines: readonly string[];
}

class Parts {
  readonly #text: string;
  readonly #parse: (part: string) => JsonValue | undefined;

  constructor(text: string, parse: (part: string) => JsonValue | undefined) {
    this.#text = text;
    this.#parse = parse;
  }

  /** Reads the members of a mapping, long ones in parts. */
  read(into: JsonObject, start: number, end: number, mapping: Mapping): void {
    let from = start;
    for (const [at, next] of this.#entries(start, end, mapping.indent)) {
      const inner = next - at > PART ? this.#mappingAt(at, mapping) : undefined;
      if (inner !== undefined) {
        this.#readPart(into, from, at, mapping);
        const value = {};
        this.read(value, inner.start, next, inner);
        // The value may be null.
        if (Object.keys(value).length === 0) throw new Doubt();
        add(into, this.#keyOf(inner), value);
        from = next;
      } else if (next - from > PART) {
        this.#readPart(into, from, next, mapping);
        from = next;
      }
    }
    this.#readPart(into, from, end, mapping);
  }

  /** Yields where entries of a mapping begin, and where they end. */
  *#entries(start: number, end: number, indent: number): Generator<readonly [number, number]> {
    let last = start;
    for (let line = start; line < end; line = this.#lineAfter(line, end)) {
      if (line === last || !this.#isKeyAt(line, indent)) continue;
      yield [last, line];
      last = line;
    }
    yield [last, end];
  }

  #lineAfter(line: number, end: number): number {
    const at = this.#text.indexOf('\n', line);
    return at < 0 ? end : at + 1;
  }

  /** Returns true if a line has this indentation, and then the beginning of a usual key. */
  #isKeyAt(line: number, indent: number): boolean {
    // Most lines have more.
    if (this.#text.charCodeAt(line + indent) === SPACE) return false;
    return (
      this.#text.startsWith(' '.repeat(indent), line) &&
      USUAL.test(this.#text.charAt(line + indent))
    );
  }

  /** Returns the block mapping that is the value of the entry at a line; undefined for no such one. */
  #mappingAt(line: number, { indent, lines }: Mapping): (Mapping & { start: number }) | undefined {
    const start = this.#lineAfter(line, this.#text.length);
    const head = this.#text.slice(line, start);
    if (lines.length === DEEPEST || !HEAD.test(head) || !this.#isKeyAt(line, indent)) return;
    const near = this.#text.slice(start, start + NEAR);
    const [{ length = 0 } = '', inner = ''] = /^(?: *(?:#.*)?\r?\n)*( *)/.exec(near) ?? [];
    if (inner.length <= indent || !this.#isKeyAt(start + length - inner.length, inner.length))
      return;
    return { indent: inner.length, lines: [...lines, head], start };
  }

  /** Reads the members in a part of a mapping; comments alone have none. */
  #readPart(into: JsonObject, start: number, end: number, { lines }: Mapping): void {
    if (start === end) return;
    const value = this.#valueOf(lines, this.#parse(lines.join('') + this.#text.slice(start, end)));
    if (value === undefined || value === null) return;
    if (!isJsonObject(value)) throw new Doubt();
    for (const [name, member] of Object.entries(value)) add(into, name, member);
  }

  /** Returns the value below keys, each of which has to be the only one. */
  #valueOf(lines: readonly string[], whole: JsonValue | undefined): JsonValue | undefined {
    let value = whole;
    for (const _ of lines) {
      const [member, ...others] = isJsonObject(value) ? Object.values(value) : [];
      if (member === undefined || others.length > 0) throw new Doubt();
      value = member;
    }
    return value;
  }

  #keyOf({ lines }: Mapping): string {
    const [key, ...others] = Object.keys(
      this.#valueOf(lines.slice(1), this.#parse(lines.join(''))) ?? {},
    );
    if (key === undefined || others.length > 0) throw new Doubt();
    return key;
  }
}

function add(into: JsonObject, name: string, value: JsonValue): void {
  if (Object.hasOwn(into, name)) throw new Doubt();
  setMember(into, name, value);
}

/** Matches what begins a key that is neither an indicator nor a comment (YAML 1.2 §5.3). */
const USUAL = /[^\s#?:\-,[\]{}&*!|>%@`]/;

/** Matches the line of a key whose value begins on another line. */
const HEAD = /:[ \t]*(?:#.*)?\r?\n$/;

/** The first entry of a mapping is not farther away than this. */
const NEAR = 10_000;
