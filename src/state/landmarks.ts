import { remember } from '../base/remember.ts';
import type { Rows } from './file-tables.ts';

/** SQLite steps over so many rows of an index in about twenty microseconds. */
const STEP = 4096;
/** Collections with landmarks. */
const MOST_COLLECTIONS = 100;

/** So many resources of a collection are before this place, whether or not one is there. */
interface Landmark {
  readonly place: number;
  before: number;
}

/**
 * Places in long collections, so that a list from a position does not step over all that precedes
 * it. New resources are behind all of them, and those that leave are told to {@link remove}. What
 * another process changes makes them be found anew.
 */
export class Landmarks {
  readonly #collections = new Map<number, Landmark[]>();
  /** The version of the file for which they are right; see `data_version` of SQLite. */
  #version: number | undefined;

  /** Returns the rows of a range of a collection, which the texts name as in the file. */
  readRange(rows: Rows, names: readonly [string, string], offset: number, limit: number) {
    const collection = offset < STEP ? undefined : rows.findCollectionOf.get(...names)?.[0];
    if (collection !== undefined) {
      const version = rows.version.get()?.[0];
      if (version !== this.#version) this.#collections.clear();
      this.#version = version;
      const { place, before } = this.#find(rows, collection, offset);
      const found = rows.readRange.all(...names, offset - before, limit, place);
      if (rows.version.get()?.[0] === version) return found;
    }
    return rows.readRange.all(...names, offset, limit, 0);
  }

  /** Notes that a resource has left, or all of a collection. */
  remove(collection: number, place?: number): void {
    if (place === undefined) this.#collections.delete(collection);
    for (const landmark of this.#collections.get(collection) ?? []) {
      if (landmark.place > (place ?? 0)) landmark.before--;
    }
  }

  #find(rows: Rows, collection: number, offset: number): Landmark {
    const isKnown = this.#collections.has(collection);
    if (!isKnown && this.#collections.size >= MOST_COLLECTIONS) this.#collections.clear();
    const known = remember(this.#collections, collection, (): Landmark[] => []);
    let last = known.findLast(({ before }) => before <= offset) ?? { place: 0, before: 0 };
    while (offset - last.before >= STEP) {
      const place = rows.findPlace.get(collection, last.place, STEP)?.[0];
      if (place === undefined) break;
      last = { place, before: last.before + STEP };
      known.push(last);
    }
    return last;
  }
}
