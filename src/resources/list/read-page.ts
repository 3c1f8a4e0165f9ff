import { type Awaitable, after } from '../../base/awaitable.ts';
import { Problem } from '../../base/problem.ts';
import type { Store, Stored } from '../../state/store.ts';
import { keyTextsOf } from '../collections.ts';
import { isPlain, type ListRequest, type ListStart } from './compile-query.ts';
import { type Match, Matches } from './matches.ts';
import { type Anchor, type Cursor, type Page, readCursor } from './page.ts';
import { scan } from './scan.ts';
import { type SortOrder, sortValues, toSortValue } from './sort.ts';

/**
 * Reads the page that a request asks for. Without filters and sort keys it reads only that page,
 * however large the collection is.
 *
 * @throws {Problem} INVALID_CURSOR
 */
export function readPage(store: Store, collection: string, request: ListRequest): Awaitable<Page> {
  const { start, sort } = request;
  const anchor = start.kind === 'offset' ? undefined : findAnchor(store, collection, start, sort);
  return after(anchor, (found) =>
    isPlain(request)
      ? readRange(store, collection, request, found)
      : readMatches(store, collection, request, found),
  );
}

/** Reads a page by its position in the order of creation. */
function readRange(
  store: Store,
  collection: string,
  request: ListRequest,
  anchor: Anchor | undefined,
): Awaitable<Page> {
  const { start, sort } = request;
  const { isReversed } = sort;
  return after(store.count(collection), (total) => {
    const { from, to } = windowOf(request, anchor, total);
    // One more on each side, because a cursor names the resources on both sides.
    const first = Math.max(0, from - 1);
    const end = Math.min(total, to + 1);
    const range = { offset: isReversed ? total - end : first, limit: end - first };
    return after(store.list(collection, range), (listed) => {
      const stored = isReversed ? [...listed].reverse() : listed;
      const items = stored.slice(from - first, to - first);
      const matchAt = (place: number): CutMatch | undefined => {
        const one = stored[place - first];
        return one && { key: one.key, index: isReversed ? total - 1 - place : place, values: [] };
      };
      const cut = (direction: Cursor['direction'], seen: number, beyond: number) =>
        createCursor(direction, matchAt(seen), matchAt(beyond), sort, total);
      return {
        items,
        total,
        offset: start.kind === 'offset' ? start.offset : from,
        limit: request.limit,
        next: items.length > 0 && to < total ? cut('after', to - 1, to) : undefined,
        previous: items.length > 0 && from > 0 ? cut('before', from, from - 1) : undefined,
      };
    });
  });
}

/** Returns positions in the list; `to` is exclusive. */
function windowOf(
  { limit, start, sort }: ListRequest,
  anchor: Anchor | undefined,
  total: number,
): { readonly from: number; readonly to: number } {
  const most = limit ?? total;
  if (anchor === undefined) {
    const from = start.kind === 'offset' ? Math.min(start.offset, total) : 0;
    return { from, to: Math.min(from + most, total) };
  }
  const place = Math.min(sort.isReversed ? total - anchor.index : anchor.index, total);
  return anchor.direction === 'after'
    ? { from: place, to: Math.min(place + most, total) }
    : { from: Math.max(0, place - most), to: place };
}

type CutMatch = Pick<Match, 'key' | 'index' | 'values'>;

function createCursor(
  direction: Cursor['direction'],
  seen: CutMatch | undefined,
  beyond: CutMatch | undefined,
  sort: SortOrder,
  count: number,
): Cursor | undefined {
  if (seen === undefined) return undefined;
  const index = isForward(direction, sort) ? seen.index + 1 : seen.index;
  const values = seen.values.map(({ value }) => value);
  return { direction, seen: seen.key, beyond: beyond?.key, values, index, count };
}

/** Visits all resources: filters them, and sorts the matches. */
function readMatches(
  store: Store,
  collection: string,
  request: ListRequest,
  anchor: Anchor | undefined,
): Awaitable<Page> {
  const scanned = scan(store, collection, () => new Matches(request, anchor));
  return after(scanned, (all) => {
    const { matches, beyond, offset } = all.found;
    return after(fetchAll(store, collection, matches), (items) => {
      const [first, last] = [matches[0], matches.at(-1)];
      const { sort } = request;
      // The page begins or ends at the anchor; beyond is on its other side.
      const [atStart, atEnd] = anchor?.direction === 'before' ? [beyond] : [undefined, beyond];
      const isLast = offset + matches.length >= all.total;
      return {
        items,
        total: all.total,
        offset,
        limit: request.limit,
        next: isLast ? undefined : createCursor('after', last, atEnd, sort, all.size),
        previous: offset === 0 ? undefined : createCursor('before', first, atStart, sort, all.size),
      };
    });
  });
}

/** Returns the stored resources without those that were deleted meanwhile. */
function fetchAll(
  store: Store,
  collection: string,
  matches: readonly Match[],
): Awaitable<readonly Stored[]> {
  const known = matches.flatMap(({ stored }) => stored ?? []);
  if (known.length === matches.length) return known;
  return Promise.all(matches.map(async ({ key }) => store.get(collection, key))).then((found) =>
    found.filter((stored) => stored !== undefined),
  );
}

type CursorStart = Exclude<ListStart, { readonly kind: 'offset' }>;

/**
 * @param start a cursor of an earlier response, or a key
 * @throws {Problem} INVALID_CURSOR if it is neither
 */
function findAnchor(
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
