import { JsonError, parseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Stored } from '../../state/store.ts';

/** Those resources of a list that a request asks for, and where in the list they are. */
export interface Page {
  readonly items: readonly Stored[];
  /** How many there are in all. */
  readonly total: number;
  /** How many stand before the first. */
  readonly offset: number;
  /** How many there are to a page; undefined for all. */
  readonly limit: number | undefined;
  /** Where the next one begins; undefined where this is the last, or nothing is shown. */
  readonly next: Cursor | undefined;
  /** Where the one before ends. */
  readonly previous: Cursor | undefined;
}

/** @returns whether there are resources behind those of a page */
export function hasNext({ items, offset, total }: Page): boolean {
  return offset + items.length < total;
}

/**
 * Where in a list a page ends: known by the resources on both sides, so that it is found again
 * after others have come and gone.
 */
export interface Cursor {
  /** The page behind this place, or the one before it. */
  readonly direction: 'after' | 'before';
  /** The key of the resource on this side of the place: the last that the client has seen. */
  readonly seen: string;
  /** The key of the one beyond: the first that it has not. */
  readonly beyond: string | undefined;
  /** What the one that was seen is sorted by. */
  readonly values: readonly JsonValue[];
  /** How many of the collection stood before this place, and how many there were in all. */
  readonly index: number;
  readonly count: number;
}

/** @returns a cursor as clients hand it back: opaque, and safe in a URL */
export function writeCursor({ direction, seen, beyond, values, index, count }: Cursor): string {
  const letter = direction === 'after' ? 'a' : 'b';
  const text = stringifyJson([letter, index, count, seen, beyond ?? null, ...values]);
  return Buffer.from(text).toString('base64url');
}

/** @returns undefined for what {@link writeCursor} did not write */
export function readCursor(text: string): Cursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const parts = parse(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(parts)) return undefined;
  const [letter, index, count, seen, beyond, ...values] = parts;
  if (letter !== 'a' && letter !== 'b') return undefined;
  if (!isCount(index) || !isCount(count) || typeof seen !== 'string') return undefined;
  if (typeof beyond !== 'string' && beyond !== null) return undefined;
  const direction = letter === 'a' ? 'after' : 'before';
  return { direction, seen, beyond: beyond ?? undefined, values, index, count };
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** So many are remembered; whoever follows a list asks for the last of them. */
const MOST = 10_000;

/**
 * Where the ends of pages were that were shown: who names the last that it has seen by its key
 * goes on there, and nobody has to look for it among all others.
 */
export class CursorHints {
  readonly #indexes = new Map<string, number>();

  /** @param list what tells the list from all others */
  record(list: string, { next, previous }: Page): void {
    for (const cursor of [next, previous]) {
      if (cursor === undefined || cursor.values.length > 0) continue;
      const name = `${list}\n${cursor.seen}`;
      this.#indexes.delete(name);
      this.#indexes.set(name, cursor.index);
    }
    for (const name of this.#indexes.keys()) {
      if (this.#indexes.size <= MOST) break;
      this.#indexes.delete(name);
    }
  }

  /** @returns the place beside a key; it may have moved since */
  find(list: string, keys: readonly string[]): number | undefined {
    return keys.map((key) => this.#indexes.get(`${list}\n${key}`)).find((one) => one !== undefined);
  }
}
