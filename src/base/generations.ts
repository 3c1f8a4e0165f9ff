/**
 * A cache that drops the values that were used longest ago. Callers add a value that they use to
 * `recent`, also one that they find in `older`. A full `recent` becomes `older`, so the cache keeps
 * the last values up to one size, and drops those beyond twice that size. A value larger than the
 * size has a generation of its own.
 */
export class Generations<Key, Value> {
  recent = new Map<Key, Value>();
  older: ReadonlyMap<Key, Value> = new Map();
  readonly #most: number;
  #size = 0;

  /** @param most the size of one generation, in the unit of {@link makeRoom} */
  constructor(most: number) {
    this.#most = most;
  }

  /** Makes room in `recent` for a value of this size. */
  makeRoom(size: number): void {
    this.#size += size;
    if (this.#size <= this.#most) return;
    this.older = this.recent;
    this.recent = new Map();
    this.#size = size;
  }
}
