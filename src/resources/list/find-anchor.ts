import { type Awaitable, after } from '../../base/awaitable.ts';
import { Problem } from '../../base/problem.ts';
import type { Store, Stored } from '../../state/store.ts';
import { keyTextsOf } from '../collections.ts';
import type { ListStart } from './compile-query.ts';
import { type Cursor, readCursor } from './page.ts';
import { scan } from './scan.ts';
import { type SortOrder, type SortValue, sortValues, toSortValue } from './sort.ts';

/** The position in a list that a cursor means. */
export interface Anchor {
  readonly direction: Cursor['direction'];
  /** The number of resources before it, in the order of creation. */
  readonly index: number;
  /** The key of the resource on this side, see {@link Cursor}. */
  readonly key: string;
  readonly values: readonly SortValue[];
}

type CursorStart = Exclude<ListStart, { readonly kind: 'offset' }>;

/**
 * @param start a cursor of an earlier response, or a key
 * @throws {Problem} INVALID_CURSOR if it is neither
 */
export function findAnchor(
  store: Store,
  collection: string,
  start: CursorStart,
  sort: SortOrder,
): Awaitable<Anchor> {
  const written = readCursor(start.cursor);
  const isWritten = written !== undefined && written.values.length === sort.keys.length;
  return after(isWritten ? written : findByKey(store, collection, start, sort), (cursor) => {
    const { direction, seen: key } = cursor;
    const values = cursor.values.map(toSortValue);
    const place = sort.keys.length > 0 ? 0 : findIndex(store, collection, cursor, sort);
    return after(place, (index) => ({ direction, index, key, values }));
  });
}

function findByKey(
  store: Store,
  collection: string,
  { kind, cursor, hint = 0 }: CursorStart,
  sort: SortOrder,
): Awaitable<Cursor> {
  const [likely, other] = keyTextsOf(cursor);
  return after(store.get(collection, likely), (first) =>
    after(first ?? store.get(collection, other), (found) => {
      if (found === undefined) throw unknownCursor(cursor);
      const values = sortValues(found.resource, sort.keys).map(({ value }) => value);
      const { key: seen } = found;
      return { direction: kind, seen, beyond: undefined, values, index: hint, count: 0 };
    }),
  );
}

function unknownCursor(cursor: string): Problem {
  const shown = JSON.stringify(cursor.length > 80 ? `${cursor.slice(0, 80)}…` : cursor);
  return new Problem(
    'INVALID_CURSOR',
    `${shown} is neither a cursor from a response nor the key of a resource: ` +
      'leave it out to begin at the beginning',
  );
}

/**
 * Looks for the position where it was, then everywhere, because resources before it may be gone. If
 * the resources on both sides are gone, moves back by as many as were deleted: showing a resource
 * twice is better than leaving one out.
 */
function findIndex(
  store: Store,
  collection: string,
  cursor: Cursor,
  sort: SortOrder,
): Awaitable<number> {
  const { index, seen, beyond, count } = cursor;
  const offset = Math.max(index - 1, 0);
  return after(store.list(collection, { offset, limit: 2 }), (near) => {
    const indexes = new Map(near.map(({ key }, at) => [key, offset + at]));
    const place = placeBy(indexes, cursor, sort);
    if (place !== undefined) return place;
    return after(scan(store, collection, seek([seen, beyond])), (seeker) => {
      const gone = Math.max(0, count - seeker.size);
      return (
        placeBy(seeker.indexes, cursor, sort) ?? Math.max(0, Math.min(seeker.size, index - gone))
      );
    });
  });
}

function placeBy(
  indexes: ReadonlyMap<string, number>,
  { direction, seen, beyond }: Cursor,
  sort: SortOrder,
): number | undefined {
  const isAfter = isForward(direction, sort);
  const atSeen = indexes.get(seen);
  if (atSeen !== undefined) return isAfter ? atSeen + 1 : atSeen;
  const atBeyond = beyond === undefined ? undefined : indexes.get(beyond);
  if (atBeyond === undefined) return undefined;
  return isAfter ? atBeyond : atBeyond + 1;
}

/** Returns true if the page has resources that were created after the seen one. */
function isForward(direction: Cursor['direction'], { isReversed }: SortOrder): boolean {
  return (direction === 'after') !== isReversed;
}

/** Finds the indexes of some keys. It stops at the first key. */
function seek(keys: readonly (string | undefined)[]) {
  return () => {
    const indexes = new Map<string, number>();
    const seeker = {
      indexes,
      size: 0,
      visit: ({ key }: Stored, index: number): boolean => {
        seeker.size = index + 1;
        if (keys.includes(key)) indexes.set(key, index);
        return key !== keys[0] && indexes.size < keys.length;
      },
    };
    return seeker;
  };
}
