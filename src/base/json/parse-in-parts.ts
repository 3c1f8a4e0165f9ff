import type { LazyText } from '../lazy-text.ts';
import type { JsonOutline, JsonPart } from './outline.ts';
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;

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
    const { parts } = this.#outline;
    const [start, end, , next] = parts[index] as JsonPart;
    const isList = this.#text.bytes[start] === OPENING_BRACKET;
    if (isList) return this.#parse(start, end, [[start, end]]);
    const waiting = new Map<string, number>();
    const kept: [number, number][] = [];
    let from = start;
    for (let inner = index + 1; inner < next; ) {
      const [innerStart, innerEnd, key, behind] = parts[inner] as JsonPart;
      waiting.set(this.#keyAt(key), inner);
      kept.push([from, innerStart]);
      from = innerEnd;
      inner = behind;
    }
    kept.push([from, end]);
    const value = this.#parse(start, end, kept) as JsonObject;
    if (waiting.size > 0) this.#waiting.set(value, waiting);
    for (const name of waiting.keys()) Object.defineProperty(value, name, this.#member(name));
    return value;
  }

  /** Parses a part, with null in place of what is not kept of it. */
  #parse(start: number, end: number, kept: readonly (readonly [number, number])[]): JsonValue {
    const text = this.#text.joinJson(kept);
    return this.#isSafe(start, end) ? (JSON.parse(text) as JsonValue) : parseJson(text);
  }

  /** Returns true if doubles hold all numbers between two offsets. */
  #isSafe(start: number, end: number): boolean {
    const { numbers } = this.#outline;
    let [low, high] = [0, numbers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((numbers[middle] ?? end) < start) low = middle + 1;
      else high = middle;
    }
    return (numbers[low] ?? end) >= end;
  }

  #keyAt(start: number): string {
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
