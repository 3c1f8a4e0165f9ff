import { type Awaitable, after } from '../../base/awaitable.ts';
import { Problem } from '../../base/problem.ts';
import type { Stored, StoredCollections } from '../../state/store.ts';
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
 * @throws {Problem} INVALID_CURSOR
 */
export function readPage(
  store: StoredCollections,
  collection: string,
  request: ListRequest,
): Awaitable<Page> {
  return new PageReader(store, collection, request).read();
}

type CutMatch = Pick<Match, 'key' | 'index' | 'values'>;

class PageReader {
  readonly #store: StoredCollections;
  readonly #collection: string;
  readonly #request: ListRequest;

  constructor(store: StoredCollections, collection: string, request: ListRequest) {
    this.#store = store;
    this.#collection = collection;
    this.#request = request;
  }

  read(): Awaitable<Page> {
    const { start } = this.#request;
    return after(start.kind === 'offset' ? undefined : this.#findAnchor(start), (anchor) =>
      isPlain(this.#request) ? this.#readRange(anchor) : this.#readMatches(anchor),
    );
  }

  /** Reads a page by its position in the order of creation. */
  #readRange(anchor: Anchor | undefined): Awaitable<Page> {
    const { start, limit, sort } = this.#request;
    const { isReversed } = sort;
    return after(this.#store.count(this.#collection), (total) => {
      const { from, to } = this.#windowOf(anchor, total);
      // One more on each side, because a cursor names the resources on both sides.
      const first = Math.max(0, from - 1);
      const end = Math.min(total, to + 1);
      const range = { offset: isReversed ? total - end : first, limit: end - first };
      return after(this.#store.list(this.#collection, range), (listed) => {
        const stored = isReversed ? [...listed].reverse() : listed;
        const items = stored.slice(from - first, to - first);
        const matchAt = (place: number): CutMatch | undefined => {
          const one = stored[place - first];
          const index = isReversed ? total - 1 - place : place;
          return one && { key: one.key, index, values: [] };
        };
        const cut = (direction: Cursor['direction'], seen: number, beyond: number) =>
          this.#cut(direction, matchAt(seen), matchAt(beyond), total);
        return {
          items,
          total,
          offset: start.kind === 'offset' ? start.offset : from,
          limit,
          next: items.length > 0 && to < total ? cut('after', to - 1, to) : undefined,
          previous: items.length > 0 && from > 0 ? cut('before', from, from - 1) : undefined,
        };
      });
    });
  }

  /** Returns positions in the list; `to` is exclusive. */
  #windowOf(anchor: Anchor | undefined, total: number) {
    const { limit: most = total, start, sort } = this.#request;
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
  #readMatches(anchor: Anchor | undefined): Awaitable<Page> {
    const { limit } = this.#request;
    const begin = () => new Matches(this.#request, anchor);
    return after(scan(this.#store, this.#collection, begin), ({ found, total, size }) => {
      const { matches, beyond, offset } = found;
      return after(this.#fetchAll(matches), (items) => {
        const [first, last] = [matches[0], matches.at(-1)];
        // The page begins or ends at the anchor; beyond is on its other side.
        const [atStart, atEnd] = anchor?.direction === 'before' ? [beyond] : [undefined, beyond];
        const isLast = offset + matches.length >= total;
        const next = isLast ? undefined : this.#cut('after', last, atEnd, size);
        const previous = offset === 0 ? undefined : this.#cut('before', first, atStart, size);
        return { items, total, offset, limit, next, previous };
      });
    });
  }

  #cut(
    direction: Cursor['direction'],
    seen: CutMatch | undefined,
    beyond: CutMatch | undefined,
    count: number,
  ): Cursor | undefined {
    if (seen === undefined) return undefined;
    const index = this.#isForward(direction) ? seen.index + 1 : seen.index;
    const values = seen.values.map(({ value }) => value);
    return { direction, seen: seen.key, beyond: beyond?.key, values, index, count };
  }

  /** Returns the stored resources without those that were deleted meanwhile. */
  #fetchAll(matches: readonly Match[]): Awaitable<readonly Stored[]> {
    const known = matches.flatMap(({ stored }) => stored ?? []);
    if (known.length === matches.length) return known;
    const fetched = matches.map(async ({ key }) => this.#store.get(this.#collection, key));
    return Promise.all(fetched).then((found) => found.filter((stored) => stored !== undefined));
  }

  /**
   * @param start a cursor of an earlier response, or a key
   * @throws {Problem} INVALID_CURSOR if it is neither
   */
  #findAnchor(start: CursorStart): Awaitable<Anchor> {
    const isSorted = this.#request.sort.keys.length > 0;
    const written = readCursor(start.cursor);
    const isWritten = written?.values.length === this.#request.sort.keys.length;
    return after(isWritten ? written : this.#findByKey(start), (cursor) => {
      const { direction, seen: key } = cursor;
      const values = cursor.values.map(toSortValue);
      const place = isSorted ? 0 : this.#findIndex(cursor);
      return after(place, (index) => ({ direction, index, key, values }));
    });
  }

  #findByKey({ kind: direction, cursor, hint: index = 0 }: CursorStart): Awaitable<Cursor> {
    const [likely, other] = keyTextsOf(cursor);
    return after(this.#store.get(this.#collection, likely), (first) =>
      after(first ?? this.#store.get(this.#collection, other), (found) => {
        if (found === undefined) throw unknownCursor(cursor);
        const { key: seen, resource } = found;
        const values = sortValues(resource, this.#request.sort.keys).map(({ value }) => value);
        return { direction, seen, beyond: undefined, values, index, count: 0 };
      }),
    );
  }

  /**
   * Looks for the position where it was, then everywhere, because resources before it may be gone.
   * If the resources on both sides are gone, moves back by as many as were deleted: showing a
   * resource twice is better than leaving one out.
   */
  #findIndex(cursor: Cursor): Awaitable<number> {
    const { index, seen, beyond, count } = cursor;
    const offset = Math.max(index - 1, 0);
    return after(this.#store.list(this.#collection, { offset, limit: 2 }), (near) => {
      const indexes = new Map(near.map(({ key }, at) => [key, offset + at]));
      const place = this.#placeBy(indexes, cursor);
      if (place !== undefined) return place;
      const begin = seek([seen, beyond]);
      return after(scan(this.#store, this.#collection, begin), ({ size, indexes: found }) => {
        const gone = Math.max(0, count - size);
        return this.#placeBy(found, cursor) ?? Math.max(0, Math.min(size, index - gone));
      });
    });
  }

  #placeBy(indexes: ReadonlyMap<string, number>, { direction, seen, beyond }: Cursor) {
    const isAfter = this.#isForward(direction);
    const atSeen = indexes.get(seen);
    if (atSeen !== undefined) return isAfter ? atSeen + 1 : atSeen;
    const atBeyond = beyond === undefined ? undefined : indexes.get(beyond);
    if (atBeyond === undefined) return undefined;
    return isAfter ? atBeyond : atBeyond + 1;
  }

  /** Returns true if the page has resources that were created after the seen one. */
  #isForward(direction: Cursor['direction']): boolean {
    return (direction === 'after') !== this.#request.sort.isReversed;
  }
}

type CursorStart = Exclude<ListStart, { readonly kind: 'offset' }>;

function unknownCursor(cursor: string): Problem {
  const shown = JSON.stringify(cursor.length > 80 ? `${cursor.slice(0, 80)}…` : cursor);
  return new Problem(
    'INVALID_CURSOR',
    `${shown} is neither a cursor from a response nor the key of a resource: ` +
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
