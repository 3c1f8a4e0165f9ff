/** Fewer gaps are not worth a move of the items. */
const FEWEST_GAPS = 32;

/** A queue; adding and removing take constant time on average. */
export class ExchangeQueue<Item> {
  #items: (Item | undefined)[] = [];
  /** How many items at the front were removed. */
  #gaps = 0;

  get length(): number {
    return this.#items.length - this.#gaps;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item; undefined when there is none. */
  shift(): Item | undefined {
    const item = this.#items[this.#gaps];
    if (item === undefined) return undefined;
    this.#items[this.#gaps++] = undefined;
    if (this.#gaps >= FEWEST_GAPS && this.#gaps * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#gaps);
      this.#gaps = 0;
    }
    return item;
  }

  /** The oldest first. */
  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#gaps; index < this.#items.length; index++) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }

  /** Removes the items that do not pass. */
  keep(passes: (item: Item) => boolean): void {
    this.#items = [...this].filter(passes);
    this.#gaps = 0;
  }
}
