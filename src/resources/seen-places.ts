import type { Page } from './list/page.ts';

/** So many are remembered; whoever follows a list asks for the last of them. */
const MOST = 10_000;

/**
 * Where the ends of pages were that were shown: who names the last that it has seen by its key
 * goes on there, and nobody has to look for it among all others.
 */
export class SeenPlaces {
  readonly #indexes = new Map<string, number>();

  /** @param list what tells the list from all others */
  note(list: string, { next, previous }: Page): void {
    for (const cursor of [next, previous]) {
      if (cursor === undefined || cursor.values.length > 0) continue;
      const name = `${list}\n${cursor.seen}`;
      this.#indexes.delete(name);
      this.#indexes.set(name, cursor.index);
    }
    for (const name of this.#indexes.keys()) {
      if (this.#indexes.size <= MOST) break;
      this.#indexes.delete(name);
    }
  }

  /** @returns the place beside a key; it may have moved since */
  find(list: string, keys: readonly string[]): number | undefined {
    return keys.map((key) => this.#indexes.get(`${list}\n${key}`)).find((one) => one !== undefined);
  }
}
