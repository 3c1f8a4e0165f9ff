import { type Awaitable, after } from '../../base/awaitable.ts';
import type { Range, Stored, StoredCollections } from '../../state/store.ts';

const CHUNK = 1000;
/** After this many resources, other requests get their turn. */
const TURN = 2000;
/** How often to start again if the collection changes meanwhile. */
const MOST_BEGINNINGS = 3;

/** Visits a resource. Returns false to end the scan. */
type Visit = (stored: Stored, index: number) => boolean;

/**
 * Visits the resources of a collection in their order, and leaves none out. If one is deleted
 * meanwhile, so that the others move up, it starts again; if that happens again and again, it goes
 * on behind the last one that it has visited.
 *
 * @param begin creates the visitor for each start
 * @returns the visitor that came to the end
 */
export function scan<Visitor extends { readonly visit: Visit }>(
  store: StoredCollections,
  collection: string,
  begin: () => Visitor,
): Awaitable<Visitor> {
  let visitor = begin();
  let beginnings = 1;
  let index = 0;
  /** Where the last resource that was visited is. */
  let offset = 0;
  /** How many resources before it are read again, as it may have moved up. */
  let behind = 0;
  let visited: readonly Stored[] = [];
  let turn = TURN;
  const beginAgain = (): void => {
    beginnings++;
    visitor = begin();
    index = 0;
    offset = 0;
    behind = 0;
    visited = [];
  };
  /** Returns the place of the first resource to visit; undefined if it is in another chunk. */
  const findPlace = (chunk: readonly Stored[]): number | undefined => {
    const last = visited.at(-1);
    if (last === undefined) return 0;
    if (behind === 0 && chunk[0]?.key === last.key) return 1;
    if (beginnings >= MOST_BEGINNINGS) {
      // One that was deleted and created again is behind all others, with another version.
      const versions = new Map(visited.map(({ key, version }) => [key, version]));
      const place = chunk.findLastIndex(({ key, version }) => versions.get(key) === version);
      if (place >= 0) return place + 1;
      if (behind < offset) {
        behind += CHUNK;
        return undefined;
      }
    }
    beginAgain();
    return undefined;
  };
  /** Returns true at the end. */
  const take = (chunk: readonly Stored[], { offset: start, limit }: Range): boolean => {
    const first = findPlace(chunk);
    if (first === undefined) return false;
    for (let place = first; place < chunk.length; place++) {
      const stored = chunk[place];
      if (stored !== undefined && !visitor.visit(stored, index++)) return true;
    }
    offset = start + Math.max(0, chunk.length - 1);
    visited = chunk;
    return chunk.length < limit;
  };
  const go = (): Awaitable<Visitor> => {
    for (;;) {
      const start = Math.max(0, offset - behind);
      const range = { offset: start, limit: offset - start + CHUNK + 1, isScan: true };
      const listed = store.list(collection, range);
      if (listed instanceof Promise)
        return listed.then((chunk) => (take(chunk, range) ? visitor : go()));
      if (take(listed, range)) return visitor;
      if (index >= turn) {
        turn = index + TURN;
        return after(nextTurn(), go);
      }
    }
  };
  return go();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
