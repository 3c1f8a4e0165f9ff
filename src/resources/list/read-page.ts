import { type Awaitable, after } from '../../base/awaitable.ts';
import type { Store, Stored } from '../../state/store.ts';
import { isPlain, type ListRequest } from './compile-query.ts';
import { type Anchor, findAnchor } from './find-anchor.ts';
import { type Match, Matches } from './matches.ts';
import type { Cursor, Page } from './page.ts';
import { scan } from './scan.ts';
import type { SortOrder } from './sort.ts';

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
  { isReversed }: SortOrder,
  count: number,
): Cursor | undefined {
  if (seen === undefined) return undefined;
  const isForward = (direction === 'after') !== isReversed;
  const index = isForward ? seen.index + 1 : seen.index;
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
