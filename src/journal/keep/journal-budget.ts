export interface BudgetShare {
  readonly bytes: number;
  /** Drops the oldest exchanges until at most this many bytes are left. */
  shrinkTo(bytes: number): void;
}

/** The share of the maximum that is freed at once, so that not every request has to make room. */
export const SLACK = 1 / 16;

/**
 * A limit on the bytes of all journals together. When it is reached, the largest journals shrink
 * first, down to one level; smaller ones keep everything. So a busy session cannot empty the journal
 * of a quiet one, and a new session always finds room.
 *
 * Making room takes time for every journal that is not empty. There are at most as many of them as
 * exchanges, and a sixteenth of all exchanges goes at a time: constant time each, on average.
 */
export class JournalBudget {
  readonly maximumBytes: number;
  readonly #shares = new Set<BudgetShare>();
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.maximumBytes = maximumBytes;
  }

  /** The bytes of all journals; never more than the maximum after a call of {@link add}. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts bytes that a journal has just added, and makes room if there are too many. */
  add(share: BudgetShare, bytes: number): void {
    this.#bytes += bytes;
    // Only a new share is added: a look-up among thousands would cost every request.
    if (share.bytes === bytes) this.#shares.add(share);
    if (this.#bytes <= this.maximumBytes) return;
    const sizes = Array.from(this.#shares, (one) => one.bytes);
    const level = findLevel(sizes, this.maximumBytes * (1 - SLACK));
    for (const one of this.#shares) {
      if (one.bytes > level) one.shrinkTo(level);
    }
  }

  /** Subtracts bytes of a journal, and removes a journal that is empty. */
  subtract(share: BudgetShare, bytes: number): void {
    this.#bytes -= bytes;
    if (share.bytes === 0) this.#shares.delete(share);
  }
}

/** Returns the size to which the largest ones must shrink, so that all fit into the room. */
export function findLevel(sizes: readonly number[], room: number): number {
  const rising = sizes.toSorted((left, right) => left - right);
  let left = room;
  for (const [index, size] of rising.entries()) {
    const level = left / (rising.length - index);
    if (size > level) return level;
    left -= size;
  }
  return room;
}
