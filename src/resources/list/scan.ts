import { type Awaitable, after } from '../../base/awaitable.ts';
import type { Store, Stored } from '../../state/store.ts';

const CHUNK = 1000;
/** After this many resources, other requests get their turn. */
const TURN = 5000;
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
  store: Store,
  collection: string,
  begin: () => Visitor,
): Awaitable<Visitor> {
  return new Scan(store, collection, begin).go();
}

class Scan<Visitor extends { readonly visit: Visit }> {
  readonly #store: Store;
  readonly #collection: string;
  readonly #begin: () => Visitor;
  #visitor: Visitor;
  #beginnings = 1;
  #index = 0;
  #last: Stored | undefined;
  #turn = TURN;

  constructor(store: Store, collection: string, begin: () => Visitor) {
    this.#store = store;
    this.#collection = collection;
    this.#begin = begin;
    this.#visitor = begin();
  }

  go(): Awaitable<Visitor> {
    for (;;) {
      const last = this.#last;
      const offset = last === undefined ? 0 : this.#index - 1;
      const listed = this.#store.list(this.#collection, { offset, limit: CHUNK + 1 });
      if (listed instanceof Promise) {
        return listed.then((chunk) => (this.#take(chunk) ? this.#visitor : this.go()));
      }
      if (this.#take(listed)) return this.#visitor;
      if (this.#index >= this.#turn) {
        this.#turn = this.#index + TURN;
        return after(nextTurn(), () => this.go());
      }
    }
  }

  /** Returns true at the end. */
  #take(chunk: readonly Stored[]): boolean {
    const last = this.#last;
    if (last !== undefined && chunk[0]?.key !== last.key && this.#beginnings < MOST_BEGINNINGS) {
      this.#beginnings++;
      this.#visitor = this.#begin();
      this.#index = 0;
      this.#last = undefined;
      return false;
    }
    for (const stored of last === undefined ? chunk : chunk.slice(1)) {
      if (!this.#visitor.visit(stored, this.#index++)) return true;
    }
    this.#last = chunk.at(-1) ?? last;
    return chunk.length <= CHUNK;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
