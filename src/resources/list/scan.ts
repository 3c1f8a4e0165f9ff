import { type Awaitable, after } from '../../base/awaitable.ts';
import type { Stored, StoredCollections } from '../../state/store.ts';

const CHUNK = 1000;
/** After this many resources, other requests get their turn. */
const TURN = 2000;
/** How often to start again if the collection changes meanwhile. */
const MOST_BEGINNINGS = 3;

/** Visits a resource. Returns false to end the scan. */
type Visit = (stored: Stored, index: number) => boolean;

/**
 * Visits the resources of a collection in their order. If one is deleted meanwhile, so that the
 * others move up, it starts again and leaves none out.
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
  let last: Stored | undefined;
  let turn = TURN;
  /** Returns true at the end. */
  const take = (chunk: readonly Stored[]): boolean => {
    if (last !== undefined && chunk[0]?.key !== last.key && beginnings < MOST_BEGINNINGS) {
      beginnings++;
      visitor = begin();
      index = 0;
      last = undefined;
      return false;
    }
    for (let place = last === undefined ? 0 : 1; place < chunk.length; place++) {
      const stored = chunk[place];
      if (stored !== undefined && !visitor.visit(stored, index++)) return true;
    }
    last = chunk.at(-1) ?? last;
    return chunk.length <= CHUNK;
  };
  const go = (): Awaitable<Visitor> => {
    for (;;) {
      const offset = last === undefined ? 0 : index - 1;
      const listed = store.list(collection, { offset, limit: CHUNK + 1, isScan: true });
      if (listed instanceof Promise) return listed.then((chunk) => (take(chunk) ? visitor : go()));
      if (take(listed)) return visitor;
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
