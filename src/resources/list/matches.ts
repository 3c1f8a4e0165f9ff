import { compareNumbers, readExactNumber } from '../../base/json/number.ts';
import type { Stored } from '../../state/store.ts';
import type { ListRequest } from './compile-query.ts';
import type { Anchor } from './page.ts';
import { compareOne, compareSorted, readSortValues, type SortValue } from './sort.ts';

export interface Match {
  readonly key: string;
  /** The number of resources before it, in the order of creation. */
  readonly index: number;
  readonly values: readonly SortValue[];
  /** Undefined if there are too many to hold. */
  readonly stored: Stored | undefined;
}

const MOST_HELD = 20_000;
const NO_VALUES: readonly SortValue[] = Object.freeze([]);

type Compare = (left: Match, right: Match) => number;

/** Finds a page while it visits a collection, and keeps only what the page may still need. */
export class Matches {
  readonly #request: ListRequest;
  readonly #anchor: Anchor | undefined;
  /** The kept matches come first in this order. */
  readonly #compare: Compare;
  /** The number of matches before the page, and up to the one after it. */
  readonly #skipped: number;
  readonly #most: number;
  readonly #isHeld: boolean;
  /** The functions that read the value of each sort key. */
  readonly #values: ReturnType<typeof readSortValues>;
  #kept: Match[] = [];
  #worst: Match | undefined;
  /** The number of matches, and of the matches before the anchor. */
  total = 0;
  #before = 0;
  size = 0;

  constructor(request: ListRequest, anchor: Anchor | undefined) {
    const { limit = Number.POSITIVE_INFINITY, start } = request;
    const inOrder = createCompare(request);
    const isBefore = anchor?.direction === 'before';
    this.#request = request;
    this.#values = readSortValues(request.sort.keys);
    this.#anchor = anchor;
    this.#compare = isBefore ? (left, right) => inOrder(right, left) : inOrder;
    this.#skipped = start.kind === 'offset' ? start.offset : 0;
    this.#most = this.#skipped + limit + 1;
    this.#isHeld = this.#most <= MOST_HELD || limit === Number.POSITIVE_INFINITY;
  }

  readonly visit = (stored: Stored, index: number): boolean => {
    this.size = index + 1;
    for (const filter of this.#request.filters) if (!filter(stored, index)) return true;
    this.total++;
    if (this.#isBehind(stored, index)) return true;
    const { key } = stored;
    const isSorted = this.#values.length > 0;
    const values = isSorted ? this.#values.map((read) => read(stored, index)) : NO_VALUES;
    const match = { key, index, values, stored: this.#isHeld ? stored : undefined };
    if (this.#anchor !== undefined) {
      const order = this.#compareToAnchor(match, this.#anchor);
      if (order < 0) this.#before++;
      if (this.#anchor.direction === 'before' ? order >= 0 : order < 0) return true;
    }
    this.#keep(match);
    return true;
  };

  /** Most are behind the page; with an anchor, they are still to be counted. */
  #isBehind(stored: Stored, index: number): boolean {
    if (this.#worst === undefined || this.#anchor !== undefined) return false;
    const { values } = this.#worst;
    const { keys } = this.#request.sort;
    let order = 0;
    for (let at = 0; at < keys.length && order === 0; at++) {
      const [read, worst] = [this.#values[at], values[at]];
      if (read === undefined || worst === undefined) break;
      order = compareOne(read(stored, index), worst, keys[at]?.isDescending === true);
    }
    return order > 0;
  }

  /** Returns the page, the match after it, and the number of matches before it. */
  get found() {
    const { limit = Number.POSITIVE_INFINITY } = this.#request;
    const end = this.#skipped + limit;
    const best = this.#kept.sort(this.#compare).slice(0, this.#most);
    const matches = best.slice(this.#skipped, end);
    const isBefore = this.#anchor?.direction === 'before';
    const offset = isBefore ? this.#before - matches.length : this.#before + this.#skipped;
    return { matches: isBefore ? matches.reverse() : matches, beyond: best[end], offset };
  }

  #keep(match: Match): void {
    if (this.#worst !== undefined && this.#compare(match, this.#worst) > 0) return;
    this.#kept.push(match);
    if (this.#kept.length < 2 * this.#most + MOST_HELD / 100) return;
    this.#kept.sort(this.#compare);
    this.#kept.length = this.#most;
    this.#worst = this.#kept.at(-1);
  }

  /** Returns less than zero for a match before the anchor. */
  #compareToAnchor(match: Match, { direction, index, key, values }: Anchor): number {
    const { sort } = this.#request;
    if (sort.keys.length === 0) {
      const isBefore = sort.isReversed ? match.index >= index : match.index < index;
      return isBefore ? -1 : 1;
    }
    const order =
      compareSorted(match.values, values, sort.keys) || compareKeys(match.key, key, this.#request);
    // The resource that the client has seen is on this side of the position.
    if (order === 0) return direction === 'after' ? -1 : 1;
    return order;
  }
}

function createCompare(request: ListRequest): Compare {
  const { sort, hasCursors } = request;
  const isBackward = sort.isReversed || sort.keys[0]?.isDescending === true;
  const byIndex: Compare = isBackward
    ? (left, right) => right.index - left.index
    : (left, right) => left.index - right.index;
  if (sort.keys.length === 0) return byIndex;
  const compareAlike: Compare = hasCursors
    ? (left, right) => compareKeys(left.key, right.key, request)
    : byIndex;
  return (left, right) =>
    compareSorted(left.values, right.values, sort.keys) || compareAlike(left, right);
}

/** Sorts numbers by value, then strings; in the direction of the first sort key. */
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
