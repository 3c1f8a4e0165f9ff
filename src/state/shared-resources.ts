import type { JsonObject } from '../json/value.ts';
import type { StateBudget } from './state-budget.ts';

/** Resources that several collections hold, so that nobody may change them. */
export class SharedResources {
  readonly entries: ReadonlyMap<string, JsonObject>;
  /** What they weigh beyond those of `older`; bytes. */
  readonly #bytes: number;
  /** Of which most of the entries are, and which must be counted as long as these are. */
  readonly #older: SharedResources | undefined;
  readonly #budget: StateBudget;
  #holders = 0;

  constructor(
    entries: ReadonlyMap<string, JsonObject>,
    bytes: number,
    older: SharedResources | undefined,
    budget: StateBudget,
  ) {
    this.entries = entries;
    this.#bytes = bytes;
    this.#older = older?.hold();
    this.#budget = budget;
  }

  hold(): this {
    this.#holders++;
    return this;
  }

  /** One holder less; the last gives all room back. */
  release(): void {
    this.#holders--;
    if (this.#holders > 0) return;
    this.#budget.take(-this.#bytes);
    this.#older?.release();
  }
}
