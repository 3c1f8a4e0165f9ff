/** One of those who share: its size, and how it gives room back. */
export interface BudgetShare {
  /** Bytes that it takes now. */
  readonly bytes: number;
  /** Drops its oldest until it takes no more than so many bytes. */
  shrinkTo(bytes: number): void;
}

/** A bound on the bytes of all journals together. */
export interface JournalBudget {
  readonly maximumBytes: number;
  /** Bytes that all take now; never more than the maximum after a call of `add`. */
  readonly bytes: number;
  /** Counts what a share has taken more, and makes room where that is too much. */
  add(share: BudgetShare, bytes: number): void;
  /** Counts what a share has given back; one that has nothing left is forgotten. */
  subtract(share: BudgetShare, bytes: number): void;
}

/** How much room is made beyond what is needed, so that it is not made for each request. */
export const SLACK = 1 / 16;

/**
 * When the room is used up, those who take most give back first, down to one level for all of
 * them; whoever is below that level keeps everything. So a session that is noisy cannot empty the
 * journal of a quiet one, and one that is new finds room however full it is.
 *
 * To make room looks at every journal that is not empty. There are at most as many of those as
 * exchanges, and a sixteenth of all exchanges goes at a time: constant for each, on average.
 *
 * @param maximumBytes of all journals together
 */
export function createJournalBudget(maximumBytes: number): JournalBudget {
  const shares = new Set<BudgetShare>();
  let taken = 0;
  return {
    maximumBytes,
    get bytes() {
      return taken;
    },
    add(share, bytes) {
      taken += bytes;
      shares.add(share);
      if (taken <= maximumBytes) return;
      const sizes = [...shares].map(({ bytes }) => bytes);
      const level = findLevel(sizes, maximumBytes * (1 - SLACK));
      for (const one of shares) {
        if (one.bytes > level) one.shrinkTo(level);
      }
    },
    subtract(share, bytes) {
      taken -= bytes;
      if (share.bytes === 0) shares.delete(share);
    },
  };
}

/** @returns the level to which the largest must come down, so that all fit in the room */
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
