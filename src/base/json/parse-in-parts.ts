import type { LazyText } from '../lazy-text.ts';
import { type JsonOutline, PART_NUMBERS, type ScannedJson } from './outline.ts';
import { parseJson } from './parse.ts';
import type { JsonObject, JsonValue } from './value.ts';

/**
 * Returns the value of a JSON text as {@link parseJson} does. Long members are made when they are
 * first read: of a large document, few ever are.
 *
 * @param outline that of this text
 */
export function parseJsonInParts(text: LazyText, outline: JsonOutline): JsonValue {
  return new PartReader(text, outline).read(0);
}

/**
 * Returns the object of a JSON text with a single member, if it has that, and with null in place of
 * all that is deeper than the short parts. Numbers may be inexact.
 */
export function parseShallow(
  text: LazyText,
  { outline, deeper }: Pick<ScannedJson, 'outline' | 'deeper'>,
  name: string,
): JsonObject {
  const reader = new PartReader(text, outline);
  const part = reader.find(name);
  if (part === undefined) return {};
  const [start, end] = [reader.startOf(part), reader.endOf(part)];
  const cuts = deeper.filter((at) => at > start && at < end);
  return { [name]: JSON.parse(text.cutJson([start, ...cuts, end])) as JsonValue };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Makes values of the parts of a text. */
class PartReader {
  readonly #text: LazyText;
  readonly #outline: JsonOutline;
  /** The parts that are not made yet, by the objects that they are members of. */
  readonly #waiting = new WeakMap<JsonObject, Map<string, number>>();
  readonly #members = new Map<string, PropertyDescriptor>();

  constructor(text: LazyText, outline: JsonOutline) {
    this.#text = text;
    this.#outline = outline;
  }

  /** Returns the value of a part. */
  read(index: number): JsonValue {
    // Most parts have none in them.
    const isLeaf = this.#behind(index) === index + 1;
    if (isLeaf) return this.#parse(index, [this.startOf(index), this.endOf(index)]);
    const cuts = [this.startOf(index)];
    const waiting = new Map<string, number>();
    for (const member of this.#membersOf(index)) {
      cuts.push(this.startOf(member), this.endOf(member));
      waiting.set(this.#keyOf(member), member);
    }
    cuts.push(this.endOf(index));
    const value = this.#parse(index, cuts);
    this.#waiting.set(value as JsonObject, waiting);
    for (const name of waiting.keys()) Object.defineProperty(value, name, this.#member(name));
    return value;
  }

  /** Parses a part, with null in place of what is cut out of it. */
  #parse(index: number, cuts: readonly number[]): JsonValue {
    const text = this.#text.cutJson(cuts);
    return this.#isSafe(index) ? (JSON.parse(text) as JsonValue) : parseJson(text);
  }

  /** Returns true if doubles hold all numbers of a part. */
  #isSafe(index: number): boolean {
    const { numbers } = this.#outline;
    const [start, end] = [this.startOf(index), this.endOf(index)];
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? end) < start) low = middle + 1;
      else high = middle;
    }
    return (numbers[low] ?? end) >= end;
  }

  /** Returns the part that is a member of the whole. */
  find(name: string): number | undefined {
    return this.#membersOf(0).find((member) => this.#keyOf(member) === name);
  }

  /** Returns the parts that are members of one. */
  #membersOf(index: number): readonly number[] {
    const members: number[] = [];
    const behind = this.#behind(index);
    for (let inner = index + 1; inner < behind; inner = this.#behind(inner)) {
      members.push(inner);
    }
    return members;
  }

  startOf(index: number): number {
    return this.#numberOf(index, 0);
  }

  endOf(index: number): number {
    return this.#numberOf(index, 1);
  }

  /** Returns the first part that is not in one. */
  #behind(index: number): number {
    return this.#numberOf(index, 3);
  }

  #numberOf(index: number, which: number): number {
    return this.#outline.parts[index * PART_NUMBERS + which] ?? 0;
  }

  #keyOf(index: number): string {
    const start = this.#numberOf(index, 2);
    const { bytes } = this.#text;
    let end = start + 1;
    while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
    return JSON.parse(this.#text.slice(start, end + 1)) as string;
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
