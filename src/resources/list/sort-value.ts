import { compareNumbers, isNumber } from '../../base/json/number.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { compareMoments, type MomentSpan, readMoments } from './filter-moment.ts';

/** A value with what takes time to find out of it, as it is compared with many others. */
export interface SortValue {
  readonly value: JsonValue;
  /** Falsehood and truth, then numbers, then moments, then other texts, then all else. */
  readonly rank: number;
  /** A text without regard to case. */
  readonly text: string;
  readonly moments: MomentSpan | undefined;
}

export function toSortValue(value: JsonValue): SortValue {
  if (typeof value !== 'string') {
    const rank = typeof value === 'boolean' ? 0 : isNumber(value) ? 1 : 4;
    return { value, rank, text: '', moments: undefined };
  }
  const moments = readMoments(value);
  return { value, rank: moments === undefined ? 3 : 2, text: value.toLowerCase(), moments };
}

/** @returns negative, zero or positive as the left comes before, with or behind the right */
export function compareSortValues(left: SortValue, right: SortValue): number {
  if (left.rank !== right.rank) return left.rank - right.rank;
  const [one, other] = [left.value, right.value];
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(left, right);
  if (typeof one === 'boolean' || typeof other === 'boolean') return Number(one) - Number(other);
  return isNumber(one) && isNumber(other) ? compareNumbers(one, other) : 0;
}

/** Capitals stand beside their small letters, where nothing else tells texts apart. */
function compareTexts(left: SortValue, right: SortValue): number {
  if (left.value === right.value) return 0;
  if (left.moments !== undefined && right.moments !== undefined) {
    const order = compareMoments(left.moments.from, right.moments.from);
    if (order !== 0) return order;
  }
  if (left.text !== right.text) return left.text < right.text ? -1 : 1;
  return String(left.value) < String(right.value) ? -1 : 1;
}
