import { createRequire } from 'node:module';
import type { Event } from 'js-yaml';
import { toPath } from '../base/json/pointer.ts';
import type { Position } from './diagnostic.ts';
import { parseYamlEvents } from './yaml.ts';

/** The offsets of a member of an object, or of an item of an array, in a text. */
interface Member {
  /** Offset of the member's name, or of the item. */
  readonly key: number;
  readonly value: number;
}

/** Reads the members of the object or array that begins at an offset; undefined for neither. */
type ReadMembers = (offset: number) => ReadonlyMap<string, Member> | undefined;

/**
 * Finds positions in a text by JSON Pointer. Each container is read once, when it is first needed:
 * most faults are close together.
 */
class Positions {
  readonly #lines: TextLines;
  readonly #start: number;
  readonly #readMembers: ReadMembers;
  readonly #known = new Map<number, ReadonlyMap<string, Member> | undefined>();

  /** @param start offset of the whole value */
  constructor(text: string, start: number, readMembers: ReadMembers) {
    this.#lines = new TextLines(text);
    this.#start = start;
    this.#readMembers = readMembers;
  }

  /**
   * @param pointer JSON Pointer of a value; one that does not exist finds its nearest ancestor
   * @param of `key` finds the member's name instead of its value
   */
  locate(pointer: string, of: 'key' | 'value' = 'value'): Position {
    let place: Member = { key: this.#start, value: this.#start };
    for (const token of toPath(pointer)) {
      const member = this.#membersAt(place.value)?.get(token);
      if (member === undefined) return this.#lines.positionAt(place.key);
      place = member;
    }
    return this.#lines.positionAt(place[of]);
  }

  #membersAt(offset: number): ReadonlyMap<string, Member> | undefined {
    if (!this.#known.has(offset)) this.#known.set(offset, this.#readMembers(offset));
    return this.#known.get(offset);
  }
}

export class TextLines {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      starts.push(end + 1);
    }
    this.#starts = starts;
  }

  positionAt(offset: number): Position {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** @param text legal JSON */
export function positionsInJson(text: string): Positions {
  return new Positions(text, skipSpace(text, 0), (offset) => readMembers(text, offset));
}

function readMembers(text: string, offset: number): ReadonlyMap<string, Member> | undefined {
  const isObject = text[offset] === '{';
  if (!isObject && text[offset] !== '[') return undefined;
  const members = new Map<string, Member>();
  for (let at = skipSpace(text, offset + 1); !isEnd(text[at]); ) {
    const key = at;
    let name = String(members.size);
    if (isObject) {
      at = skipString(text, at);
      name = JSON.parse(text.slice(key, at)) as string;
      // The colon and the white space around it.
      at = skipSpace(text, skipSpace(text, at) + 1);
    }
    members.set(name, { key, value: at });
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

function isEnd(character: string | undefined): boolean {
  return character === '}' || character === ']' || character === undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Returns the offset after the string that begins here. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Returns the offset after the value that begins here. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const character = text[at];
    if (character === '{' || character === '[') depth++;
    else if (isEnd(character)) depth--;
    at = character === '"' ? skipString(text, at) : at + 1;
  } while (depth > 0 || !/[\s,\]}]/.test(text[at] ?? ','));
  return at;
}

type Yaml = typeof import('js-yaml');

const require = createRequire(import.meta.url);

/** @param text legal YAML */
export function positionsInYaml(text: string): Positions {
  const tree = new EventTree(require('js-yaml') as Yaml, text);
  return new Positions(text, tree.start, (offset) => tree.readMembers(offset));
}

/** Reads the parser's events, which are in the order of the text, as a tree. */
class EventTree {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #events: readonly Event[];
  /** The index of the event that closes each event; its own for an empty one. */
  readonly #ends: Int32Array;
  /** Indexes of the events that were reached, by offset. */
  readonly #indexes = new Map<number, number>();
  /** Offset of the whole value. */
  readonly start: number;

  constructor(yaml: Yaml, text: string) {
    this.#yaml = yaml;
    this.#text = text;
    this.#events = parseYamlEvents(text);
    this.#ends = findEnds(this.#events, yaml.EVENT_ID);
    // The event before the root is that of the document.
    this.start = Math.max(0, this.#startOf(1));
    this.#indexes.set(this.start, 1);
  }

  readMembers(offset: number): ReadonlyMap<string, Member> | undefined {
    const { MAPPING, SEQUENCE } = this.#yaml.EVENT_ID;
    const index = this.#indexes.get(offset) ?? 0;
    switch (this.#events[index]?.type) {
      case MAPPING:
        return this.#readPairs(index);
      case SEQUENCE:
        return this.#readItems(index);
      default:
        return undefined;
    }
  }

  #readPairs(index: number): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    for (let key = index + 1; key < this.#endOf(index); ) {
      const value = this.#endOf(key) + 1;
      members.set(this.#nameOf(key), this.#come(key, value));
      key = this.#endOf(value) + 1;
    }
    return members;
  }

  #readItems(index: number): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    for (let item = index + 1; item < this.#endOf(index); item = this.#endOf(item) + 1) {
      members.set(String(members.size), this.#come(item, item));
    }
    return members;
  }

  /** Returns the offset of a value; that of its name where it is left out. */
  #come(key: number, value: number): Member {
    const start = this.#startOf(value);
    const member = { key: this.#startOf(key), value: start < 0 ? this.#startOf(key) : start };
    this.#indexes.set(member.value, value);
    return member;
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? index;
  }

  #nameOf(index: number): string {
    const event = this.#events[index];
    const isScalar = event?.type === this.#yaml.EVENT_ID.SCALAR;
    return isScalar ? this.#yaml.getScalarValue(this.#text, event) : '';
  }

  #startOf(index: number): number {
    const event = this.#events[index];
    if (event === undefined) return -1;
    if ('valueStart' in event) {
      const { SINGLE_QUOTED, DOUBLE_QUOTED } = this.#yaml.SCALAR_STYLE;
      const isQuoted = event.style === SINGLE_QUOTED || event.style === DOUBLE_QUOTED;
      return isQuoted ? event.valueStart - 1 : event.valueStart;
    }
    if ('start' in event) return event.start;
    return 'anchorStart' in event ? event.anchorStart : -1;
  }
}

function findEnds(events: readonly Event[], { SCALAR, ALIAS, POP }: Yaml['EVENT_ID']): Int32Array {
  const ends = new Int32Array(events.length);
  const open: number[] = [];
  for (const [index, { type }] of events.entries()) {
    ends[index] = index;
    if (type === POP) ends[open.pop() ?? 0] = index;
    else if (type !== SCALAR && type !== ALIAS) open.push(index);
  }
  return ends;
}
