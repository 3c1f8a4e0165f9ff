import { type Awaitable, after } from '../../base/awaitable.ts';
import { Problem } from '../../base/problem.ts';
import { shorten } from '../../base/words.ts';
import { findFirst, type Range, type Stored, type StoredCollections } from '../../state/store.ts';
import { keyTextsOf } from '../collections.ts';
import { isPlain, type ListRequest, type ListStart } from './compile-query.ts';
import { type Match, Matches } from './matches.ts';
import { type Anchor, type Cursor, type Page, readCursor } from './page.ts';
import { scan } from './scan.ts';
import { sortValues, toSortValue } from './sort.ts';

/**
 * Reads the page that a request asks for. Without filters and sort keys it reads only that page,
 * however large the collection is.
 *
 * @param total the size of the collection, where it is known
 * @throws {Problem} INVALID_CURSOR
 */
export function readPage(
  store: StoredCollections,
  collection: string,
  request: ListRequest,
  total?: number,
): Awaitable<Page> {
  const { start } = request;
  const list = { store, collection, request };
  return after(start.kind === 'offset' ? undefined : findAnchor(list, start), (anchor) =>
    isPlain(request) ? readRange(list, anchor, total) : readMatches(list, anchor),
  );
}

/** A collection, and what a request asks of it. */
interface Listing {
  readonly store: StoredCollections;
  readonly collection: string;
  readonly request: ListRequest;
}

type CutMatch = Pick<Match, 'key' | 'index' | 'values'>;

function readRange(list: Listing, anchor: Anchor | undefined, known?: number): Awaitable<Page> {
  const { store, collection, request } = list;
  const { start, limit, sort } = request;
  const { isReversed } = sort;
  return after(known ?? store.count(collection), (total) => {
    const { from, to } = windowOf(request, anchor, total);
    const { first, end: most } = around(from, to);
    const end = Math.min(total, most);
    const range = { offset: isReversed ? total - end : first, limit: end - first };
    return after(store.list(collection, range), (listed) => {
      const stored = isReversed ? [...listed].reverse() : listed;
      const items = stored.slice(from - first, to - first);
      const matchAt = (place: number): CutMatch | undefined => {
        const one = stored[place - first];
        const index = isReversed ? total - 1 - place : place;
        return one && { key: one.key, index, values: [] };
      };
      const cutAt = (direction: Cursor['direction'], seen: number, beyond: number) =>
        cut(request, direction, matchAt(seen), matchAt(beyond), total);
      return {
        items,
        total,
        offset: start.kind === 'offset' ? start.offset : from,
        limit,
        next: items.length > 0 && to < total ? cutAt('after', to - 1, to) : undefined,
        previous: items.length > 0 && from > 0 ? cutAt('before', from, from - 1) : undefined,
      };
    });
  });
}

/**
 * Returns what {@link readPage} reads of a collection of any size; undefined where that depends on
 * what the collection has.
 */
export function foreseeRange(request: ListRequest): Range | undefined {
  const { start, sort } = request;
  if (!isPlain(request) || sort.isReversed || start.kind !== 'offset') return undefined;
  const { from, to } = windowOf(request, undefined, Number.MAX_SAFE_INTEGER);
  const { first, end } = around(from, to);
  return { offset: first, limit: end - first };
}

/** Returns one more on each side, because a cursor names the resources on both sides. */
function around(from: number, to: number) {
  return { first: Math.max(0, from - 1), end: to + 1 };
}

/** Returns positions in the list; `to` is exclusive. */
function windowOf(request: ListRequest, anchor: Anchor | undefined, total: number) {
  const { limit: most = total, start, sort } = request;
  if (anchor === undefined) {
    const from = start.kind === 'offset' ? Math.min(start.offset, total) : 0;
    return { from, to: Math.min(from + most, total) };
  }
  const place = Math.min(sort.isReversed ? total - anchor.index : anchor.index, total);
  return anchor.direction === 'after'
    ? { from: place, to: Math.min(place + most, total) }
    : { from: Math.max(0, place - most), to: place };
}

/** Visits all resources: filters them, and sorts the matches. */
function readMatches(list: Listing, anchor: Anchor | undefined): Awaitable<Page> {
  const { store, collection, request } = list;
  const { limit } = request;
  const begin = () => new Matches(request, anchor);
  return after(scan(store, collection, begin), ({ found, total, size }) => {
    const { matches, beyond, offset } = found;
    return after(fetchAll(list, matches), (items) => {
      const [first, last] = [matches[0], matches.at(-1)];
      // The page begins or ends at the anchor; beyond is on its other side.
      const [atStart, atEnd] = anchor?.direction === 'before' ? [beyond] : [undefined, beyond];
      const isLast = offset + matches.length >= total;
      const next = isLast ? undefined : cut(request, 'after', last, atEnd, size);
      const previous = offset === 0 ? undefined : cut(request, 'before', first, atStart, size);
      return { items, total, offset, limit, next, previous };
    });
  });
}

function cut(
  request: ListRequest,
  direction: Cursor['direction'],
  seen: CutMatch | undefined,
  beyond: CutMatch | undefined,
  count: number,
): Cursor | undefined {
  if (seen === undefined) return undefined;
  const index = isForward(request, direction) ? seen.index + 1 : seen.index;
  const values = seen.values.map(({ value }) => value);
  return { direction, seen: seen.key, beyond: beyond?.key, values, index, count };
}

/** Returns the stored resources without those that were deleted meanwhile. */
function fetchAll(
  { store, collection }: Listing,
  matches: readonly Match[],
): Awaitable<readonly Stored[]> {
  const known = matches.flatMap(({ stored }) => stored ?? []);
  if (known.length === matches.length) return known;
  const fetched = matches.map(async ({ key }) => store.get(collection, key));
  return Promise.all(fetched).then((found) => found.filter((stored) => stored !== undefined));
}

/**
 * @param start a cursor of an earlier response, or a key
 * @throws {Problem} INVALID_CURSOR if it is neither
 */
function findAnchor(list: Listing, start: CursorStart): Awaitable<Anchor> {
  const { keys } = list.request.sort;
  const written = readCursor(start.cursor);
  const isWritten = written?.values.length === keys.length;
  return after(isWritten ? written : findByKey(list, start), (cursor) => {
    const { direction, seen: key } = cursor;
    const values = cursor.values.map(toSortValue);
    const place = keys.length > 0 ? 0 : findIndex(list, cursor);
    return after(place, (index) => ({ direction, index, key, values }));
  });
}

function findByKey(
  { store, collection, request }: Listing,
  { kind: direction, cursor, hint: index = 0 }: CursorStart,
): Awaitable<Cursor> {
  return after(findFirst(store, collection, keyTextsOf(cursor)), (found) => {
    if (found === undefined) throw unknownCursor(cursor);
    const { key: seen, resource } = found;
    const values = sortValues(resource, request.sort.keys).map(({ value }) => value);
    return { direction, seen, beyond: undefined, values, index, count: 0 };
  });
}

/**
 * Looks for the position where it was, then everywhere, because resources before it may be gone.
 * If the resources on both sides are gone, moves back by as many as were deleted: showing a
 * resource twice is better than leaving one out.
 */
function findIndex({ store, collection, request }: Listing, cursor: Cursor): Awaitable<number> {
  const { index, seen, beyond, count } = cursor;
  const offset = Math.max(index - 1, 0);
  return after(store.list(collection, { offset, limit: 2 }), (near) => {
    const indexes = new Map(near.map(({ key }, at) => [key, offset + at]));
    const place = placeBy(request, indexes, cursor);
    if (place !== undefined) return place;
    const begin = seek([seen, beyond]);
    return after(scan(store, collection, begin), ({ size, indexes: found }) => {
      const gone = Math.max(0, count - size);
      return placeBy(request, found, cursor) ?? Math.max(0, Math.min(size, index - gone));
    });
  });
}

function placeBy(
  request: ListRequest,
  indexes: ReadonlyMap<string, number>,
  { direction, seen, beyond }: Cursor,
) {
  const isAfter = isForward(request, direction);
  const atSeen = indexes.get(seen);
  if (atSeen !== undefined) return isAfter ? atSeen + 1 : atSeen;
  const atBeyond = beyond === undefined ? undefined : indexes.get(beyond);
  if (atBeyond === undefined) return undefined;
  return isAfter ? atBeyond : atBeyond + 1;
}

/** Returns true if the page has resources that were created after the seen one. */
function isForward({ sort }: ListRequest, direction: Cursor['direction']): boolean {
  return (direction === 'after') !== sort.isReversed;
}

type CursorStart = Exclude<ListStart, { readonly kind: 'offset' }>;

function unknownCursor(cursor: string): Problem {
  return new Problem(
    'INVALID_CURSOR',
    `${JSON.stringify(shorten(cursor))} is neither a cursor from a response nor the key of a resource: ` +
      'leave it out to begin at the beginning',
  );
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
