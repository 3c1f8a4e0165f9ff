import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Stored } from '../../state/store.ts';
import { readKey } from '../collections.ts';
import type { SortValue } from './sort.ts';

/** The resources of a list that a request asks for, and their position. */
export interface Page {
  readonly items: readonly Stored[];
  readonly total: number;
  readonly offset: number;
  readonly limit: number | undefined;
  /** Where the next page begins; undefined after the last page, and for an empty page. */
  readonly next: Cursor | undefined;
  /** Where the previous page ends. */
  readonly previous: Cursor | undefined;
}

/** Returns true if there are resources after the page. */
export function hasNext({ items, offset, total }: Page): boolean {
  return offset + items.length < total;
}

/** The end of a page, by the resources on both sides, so that it outlives other changes. */
export interface Cursor {
  /** Asks for the page after this position, or before it. */
  readonly direction: 'after' | 'before';
  /** The key of the resource on this side: the last that the client has seen. */
  readonly seen: string;
  /** The key of the resource on the other side: the first that the client has not seen. */
  readonly beyond: string | undefined;
  /** The values that the seen resource is sorted by. */
  readonly values: readonly JsonValue[];
  /** The number of resources before this position, and in the collection. */
  readonly index: number;
  readonly count: number;
}

export interface Anchor {
  readonly direction: Cursor['direction'];
  /** The number of resources before it, in the order of creation. */
  readonly index: number;
  /** The key of the resource on this side, see {@link Cursor}. */
  readonly key: string;
  readonly values: readonly SortValue[];
}

/** Returns a cursor for clients: opaque, and safe in a URL. */
export function writeCursor({ direction, seen, beyond, values, index, count }: Cursor): string {
  const letter = direction === 'after' ? 'a' : 'b';
  const text = stringifyJson([letter, index, count, seen, beyond ?? null, ...values]);
  return Buffer.from(text).toString('base64url');
}

/** Reads a cursor; undefined for another string than {@link writeCursor} returns. */
export function readCursor(text: string): Cursor | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const parts = readKey(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(parts)) return undefined;
  const [letter, index, count, seen, beyond, ...values] = parts;
  if (letter !== 'a' && letter !== 'b') return undefined;
  if (!isCount(index) || !isCount(count) || typeof seen !== 'string') return undefined;
  if (typeof beyond !== 'string' && beyond !== null) return undefined;
  const direction = letter === 'a' ? 'after' : 'before';
  return { direction, seen, beyond: beyond ?? undefined, values, index, count };
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The most positions to remember. A client that walks a list asks for the last of them. */
const MOST = 10_000;

/** Where the last pages ended: a client that pages by keys continues there without a search. */
export class CursorHints {
  readonly #indexes = new Map<string, number>();

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

  /** Returns the position beside a key. It may have moved since. */
  find(list: string, keys: readonly string[]): number | undefined {
    return keys.map((key) => this.#indexes.get(`${list}\n${key}`)).find((one) => one !== undefined);
  }
}
