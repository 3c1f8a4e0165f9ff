import { toPath } from '../base/json/pointer.ts';
import type { Position } from './diagnostic.ts';

/** Where the members of an object or the items of an array stand in a text. */
export interface Member {
  /** Offset of the member's name; of an item, of the item itself. */
  readonly key: number;
  readonly value: number;
}

/** Reads the members of the object or array that begins at an offset; undefined for neither. */
export type ReadMembers = (offset: number) => ReadonlyMap<string, Member> | undefined;

/**
 * Finds places in a text by JSON Pointer. A container is read when it is first come to, and only
 * once: most faults stand near each other.
 */
export class Positions {
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
   * @param pointer JSON Pointer of a value; one that does not exist finds its nearest parent
   * @param of `key` finds the member's name instead of its value
   */
  locate(pointer: string, of: 'key' | 'value' = 'value'): Position {
    let place: Member = { key: this.#start, value: this.#start };
    let isFound = true;
    for (const token of toPath(pointer)) {
      const member = this.#membersAt(place.value)?.get(token);
      isFound = member !== undefined;
      if (member === undefined) break;
      place = member;
    }
    return this.#lines.positionAt(isFound && of === 'value' ? place.value : place.key);
  }

  #membersAt(offset: number): ReadonlyMap<string, Member> | undefined {
    if (!this.#known.has(offset)) this.#known.set(offset, this.#readMembers(offset));
    return this.#known.get(offset);
  }
}

/** The lines of a text. */
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
