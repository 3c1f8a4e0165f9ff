/**
 * Values of which the ones that were used longest ago go. What is used again is moved from `older`
 * to `recent`, which is emptied into `older` when it is full: so the values of one `most` are kept at
 * least, and those of two at most.
 */
export class Generations<Key, Value> {
  recent = new Map<Key, Value>();
  older: ReadonlyMap<Key, Value> = new Map();
  readonly #most: number;
  #size = 0;

  /** @param most the size of all values in one generation */
  constructor(most: number) {
    this.#most = most;
  }

  /** Makes room in `recent` for a value of a size, in the unit of `most`. */
  makeRoom(size: number): void {
    this.#size += size;
    if (this.#size <= this.#most) return;
    this.older = this.recent;
    this.recent = new Map();
    this.#size = size;
  }
}
