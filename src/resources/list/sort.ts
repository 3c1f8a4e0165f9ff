import { compareNumbers, isNumber } from '../../base/json/number.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import { type ReadColumn, readColumn } from '../../state/columns.ts';
import { valueAt } from '../wrapping.ts';
import { splitNames } from './fields.ts';
import { compareMoments, type MomentSpan, readMoments } from './moment.ts';

interface SortKey {
  readonly property: readonly string[];
  readonly isDescending: boolean;
}

export interface SortOrder {
  readonly keys: readonly SortKey[];
  /** True if the newest come first, and no property is named. */
  readonly isReversed: boolean;
}

/**
 * Reads `name`, `-name`, `name:desc`, `name desc`, `name,-createdAt` and lists of those. Ignores
 * names that the resource does not have.
 *
 * @param order `asc`, `desc`, `descending`… for names without a direction
 * @param names of the resource's properties
 */
export function readSort(
  sort: JsonValue | undefined,
  order: JsonValue | undefined,
  names: readonly string[],
): SortOrder {
  const isDescending = typeof order === 'string' && DESCENDING.test(order);
  const wanted = splitNames(sort);
  if (wanted.length === 1 && DIRECTION.test(wanted[0] ?? '')) {
    return { keys: [], isReversed: DESCENDING.test(wanted[0] ?? '') };
  }
  const keys = wanted
    .slice(0, MOST_KEYS)
    .flatMap((text) => readKey(text, isDescending, names) ?? []);
  return { keys, isReversed: keys.length === 0 && isDescending };
}

const MOST_KEYS = 16;

const DIRECTION = /^(?:asc|desc)(?:ending)?$/i;
const DESCENDING = /^(?:desc|descending|-1|-|reverse)$/i;

function readKey(text: string, isDescending: boolean, names: readonly string[]) {
  if (names.includes(text)) return { property: [text], isDescending };
  const [, sign, name = '', direction] = SIGNED.exec(text) ?? [];
  const property = findProperty(name, names);
  if (property === undefined) return undefined;
  if (sign !== '') return { property, isDescending: sign === '-' };
  const isNamed = direction !== undefined;
  return { property, isDescending: isNamed ? /^desc/i.test(direction) : isDescending };
}

const SIGNED = /^([-+]?)(.*?)(?:[\s:._|-](asc|desc|ascending|descending))?$/i;

/** Finds the property that a name means: `created` means `created_at`; a dot leads inside. */
function findProperty(text: string, names: readonly string[]): readonly string[] | undefined {
  if (names.includes(text)) return [text];
  const word = plain(text);
  if (word === '') return undefined;
  for (const wanted of [word, `${word}at`, `${word}on`, `${word}date`]) {
    const name = names.find((one) => plain(one) === wanted);
    if (name !== undefined) return [name];
  }
  const [first = '', ...rest] = text.split('.');
  return rest.length > 0 && names.includes(first) ? [first, ...rest] : undefined;
}

export function sortValues(resource: JsonValue, keys: readonly SortKey[]): SortValues {
  return keys.map(({ property }) => toSortValue(valueAt(resource, property) ?? null));
}

/** Returns what reads the values of a resource in a scan that each key sorts by. */
export function readSortValues(keys: readonly SortKey[]): readonly ReadColumn<SortValue>[] {
  return keys.map(({ property }) =>
    readColumn(`order ${JSON.stringify(property)}`, (resource) =>
      toSortValue(valueAt(resource, property) ?? null),
    ),
  );
}

/** Compares as `toSorted` does: negative if `left` comes first. */
export function compareSorted(left: SortValues, right: SortValues, keys: readonly SortKey[]) {
  for (let index = 0; index < keys.length; index++) {
    const [one, other] = [left[index], right[index]];
    if (one === undefined || other === undefined) return 0;
    const order = compareOne(one, other, keys[index]?.isDescending === true);
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares two values. Missing values come last in both directions. */
export function compareOne(left: SortValue, right: SortValue, isDescending: boolean): number {
  if (left.value === null || right.value === null) {
    return Number(left.value === null) - Number(right.value === null);
  }
  const order = compareSortValues(left, right);
  return isDescending ? -order : order;
}

type SortValues = readonly SortValue[];

export interface SortValue {
  readonly value: JsonValue;
  /** Booleans, then numbers, then dates, then other strings, then other values. */
  readonly rank: number;
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

/** Compares as `toSorted` does: negative if `left` comes first. */
export function compareSortValues(left: SortValue, right: SortValue): number {
  if (left.rank !== right.rank) return left.rank - right.rank;
  const [one, other] = [left.value, right.value];
  if (typeof one === 'string' && typeof other === 'string') return compareTexts(left, right);
  if (typeof one === 'boolean' || typeof other === 'boolean') return Number(one) - Number(other);
  return isNumber(one) && isNumber(other) ? compareNumbers(one, other) : 0;
}

/** Compares without case first, so that `A` is beside `a`. */
function compareTexts(left: SortValue, right: SortValue): number {
  if (left.value === right.value) return 0;
  if (left.moments !== undefined && right.moments !== undefined) {
    const order = compareMoments(left.moments.from, right.moments.from);
    if (order !== 0) return order;
  }
  if (left.text !== right.text) return left.text < right.text ? -1 : 1;
  return String(left.value) < String(right.value) ? -1 : 1;
}
