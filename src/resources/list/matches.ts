import { compareNumbers, readExactNumber } from '../../base/json/number.ts';
import type { Stored } from '../../state/store.ts';
import type { ListRequest } from './compile-query.ts';
import type { Anchor } from './find-anchor.ts';
import { compareSorted, type SortValue, sortValues } from './sort.ts';

/** A resource that is asked for. */
export interface Match {
  readonly key: string;
  /** How many of the collection stand before it, in the order in which they were made. */
  readonly index: number;
  /** What it is sorted by. */
  readonly values: readonly SortValue[];
  /** Undefined where there are too many to have them all at hand. */
  readonly stored: Stored | undefined;
}

/** More resources than this are not held for a page that shows only a few of them. */
const MOST_HELD = 20_000;
const NO_VALUES: readonly SortValue[] = Object.freeze([]);

type Compare = (left: Match, right: Match) => number;

/**
 * Finds a page among all resources of a collection, which it is told of one after the other. It
 * keeps no more of them than the page may still need.
 */
export class Matches {
  readonly #request: ListRequest;
  readonly #anchor: Anchor | undefined;
  /** Of the order in which those that are kept are the first. */
  readonly #compare: Compare;
  /** How many to keep. */
  readonly #most: number;
  readonly #isHeld: boolean;
  #kept: Match[] = [];
  #worst: Match | undefined;
  /** How many match, and how many of those stand before the anchor. */
  total = 0;
  #before = 0;
  /** How many there are in the collection. */
  size = 0;

  constructor(request: ListRequest, anchor: Anchor | undefined) {
    const { limit = Number.POSITIVE_INFINITY, start } = request;
    const inOrder = createCompare(request);
    const isBefore = anchor?.direction === 'before';
    this.#request = request;
    this.#anchor = anchor;
    this.#compare = isBefore ? (left, right) => inOrder(right, left) : inOrder;
    this.#most = limit + 1 + (start.kind === 'offset' ? start.offset : 0);
    this.#isHeld = this.#most <= MOST_HELD || limit === Number.POSITIVE_INFINITY;
  }

  readonly visit = (stored: Stored, index: number): boolean => {
    this.size = index + 1;
    const { filters, sort } = this.#request;
    const { key, resource } = stored;
    for (const filter of filters) if (!filter(resource)) return true;
    this.total++;
    const values = sort.keys.length === 0 ? NO_VALUES : sortValues(resource, sort.keys);
    const match = { key, index, values, stored: this.#isHeld ? stored : undefined };
    if (this.#anchor !== undefined) {
      const order = this.#compareToAnchor(match, this.#anchor);
      if (order < 0) this.#before++;
      if (this.#anchor.direction === 'before' ? order >= 0 : order < 0) return true;
    }
    this.#keep(match);
    return true;
  };

  /** @returns the page, one that follows it, and how many stand before it */
  get found(): {
    readonly matches: readonly Match[];
    readonly beyond: Match | undefined;
    readonly offset: number;
  } {
    const { limit = Number.POSITIVE_INFINITY, start } = this.#request;
    const best = this.#kept.sort(this.#compare).slice(0, this.#most);
    if (start.kind === 'offset') {
      const { offset } = start;
      return { matches: best.slice(offset, offset + limit), beyond: best[offset + limit], offset };
    }
    const matches = best.slice(0, limit);
    const beyond = best[limit];
    if (this.#anchor?.direction !== 'before') return { matches, beyond, offset: this.#before };
    return { matches: matches.reverse(), beyond, offset: this.#before - matches.length };
  }

  #keep(match: Match): void {
    if (this.#worst !== undefined && this.#compare(match, this.#worst) > 0) return;
    this.#kept.push(match);
    if (this.#kept.length < 2 * this.#most + MOST_HELD / 10) return;
    this.#kept.sort(this.#compare);
    this.#kept.length = this.#most;
    this.#worst = this.#kept.at(-1);
  }

  /** @returns less than zero for one that stands before the anchor's place */
  #compareToAnchor(match: Match, { direction, index, key, values }: Anchor): number {
    const { sort } = this.#request;
    if (sort.keys.length === 0) {
      const isBefore = sort.isReversed ? match.index >= index : match.index < index;
      return isBefore ? -1 : 1;
    }
    const order =
      compareSorted(match.values, values, sort.keys) || this.#compareKeys(match.key, key);
    // What was seen stands on this side of the place.
    if (order === 0) return direction === 'after' ? -1 : 1;
    return order;
  }

  #compareKeys(left: string, right: string): number {
    return compareKeys(left, right, this.#request);
  }
}

function createCompare(request: ListRequest): Compare {
  const { sort, hasCursors } = request;
  const isBackward = sort.isReversed || sort.keys[0]?.isDescending === true;
  if (sort.keys.length === 0) {
    return isBackward
      ? (left, right) => right.index - left.index
      : (left, right) => left.index - right.index;
  }
  const compareAlike: Compare = hasCursors
    ? (left, right) => compareKeys(left.key, right.key, request)
    : (left, right) => (isBackward ? right.index - left.index : left.index - right.index);
  return (left, right) =>
    compareSorted(left.values, right.values, sort.keys) || compareAlike(left, right);
}

/** Numbers by their value before texts; backward where what is sorted first goes backward. */
function compareKeys(left: string, right: string, { sort }: ListRequest): number {
  if (left === right) return 0;
  const [one, other] = [numberOf(left), numberOf(right)];
  let order = left < right ? -1 : 1;
  if (one !== undefined && other !== undefined) order = compareNumbers(one, other) || order;
  else if (one !== undefined || other !== undefined) order = one === undefined ? 1 : -1;
  return sort.keys[0]?.isDescending === true ? -order : order;
}

function numberOf(key: string) {
  return key.startsWith('"') || !/^-?\d/.test(key) ? undefined : readExactNumber(key);
}
