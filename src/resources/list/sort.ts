import { compareNumbers, isNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { compareMoments, type MomentSpan, readMoments } from './moment.ts';

/** A property to sort by. */
interface SortKey {
  readonly property: readonly string[];
  readonly isDescending: boolean;
}

/** What is asked for of the order of a list. */
export interface SortOrder {
  readonly keys: readonly SortKey[];
  /** True where the last comes first, and no property is named. */
  readonly isReversed: boolean;
}

/** The order in which resources were made. */
export const CREATION_ORDER: SortOrder = Object.freeze({ keys: [], isReversed: false });

/**
 * Reads `name`, `-name`, `name:desc`, `name desc`, `name,-createdAt` and lists of those. What names
 * no property of the resource is passed over.
 *
 * @param order `asc`, `desc`, `descending`…, for what does not say its own
 * @param names of the properties of a resource
 */
export function readSort(
  sort: JsonValue | undefined,
  order: JsonValue | undefined,
  names: Iterable<string>,
): SortOrder {
  const isDescending = typeof order === 'string' && DESCENDING.test(order);
  const known = [...names];
  const wishes = [sort ?? []]
    .flat()
    .filter((text) => typeof text === 'string')
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (wishes.length === 1 && DIRECTION.test(wishes[0] ?? '')) {
    return { keys: [], isReversed: DESCENDING.test(wishes[0] ?? '') };
  }
  const keys = wishes
    .slice(0, MOST_KEYS)
    .flatMap((text) => readKey(text, isDescending, known) ?? []);
  return { keys, isReversed: keys.length === 0 && isDescending };
}

/** Each is looked at for each resource. */
const MOST_KEYS = 16;

const DIRECTION = /^(?:asc|desc)(?:ending)?$/i;
const DESCENDING = /^(?:desc|descending|-1|-|reverse)$/i;

function readKey(
  text: string,
  isDescending: boolean,
  names: readonly string[],
): SortKey | undefined {
  if (names.includes(text)) return { property: [text], isDescending };
  const [, sign, name = '', direction] = SIGNED.exec(text) ?? [];
  const property = findProperty(name, names);
  if (property === undefined) return undefined;
  if (sign === '-') return { property, isDescending: true };
  if (sign === '+') return { property, isDescending: false };
  return {
    property,
    isDescending: direction === undefined ? isDescending : /^desc/i.test(direction),
  };
}

const SIGNED = /^([-+]?)(.*?)(?:[\s:._|-](asc|desc|ascending|descending))?$/i;

/** `created` is `created_at`, `createdAt`; a dot leads into a member. */
function findProperty(text: string, names: readonly string[]): readonly string[] | undefined {
  if (names.includes(text)) return [text];
  const plain = simplify(text);
  if (plain === '') return undefined;
  for (const wanted of [plain, `${plain}at`, `${plain}on`, `${plain}date`]) {
    const name = names.find((one) => simplify(one) === wanted);
    if (name !== undefined) return [name];
  }
  const [first = '', ...rest] = text.split('.');
  return rest.length > 0 && names.includes(first) ? [first, ...rest] : undefined;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** @returns what a resource is sorted by, one for each key */
export function sortValues(resource: JsonValue, keys: readonly SortKey[]): readonly SortValue[] {
  return keys.map(({ property }) => {
    let value: JsonValue | undefined = resource;
    for (const name of property) {
      value = isJsonObject(value) ? getMember(value, name) : undefined;
    }
    return toSortValue(value ?? null);
  });
}

/** @returns negative, zero or positive as the left comes before, with or behind the right */
export function compareSorted(
  left: readonly SortValue[],
  right: readonly SortValue[],
  keys: readonly SortKey[],
): number {
  for (let index = 0; index < keys.length; index++) {
    const [one, other] = [left[index], right[index]];
    if (one === undefined || other === undefined) return 0;
    const order = compareOne(one, other, keys[index]?.isDescending === true);
    if (order !== 0) return order;
  }
  return 0;
}

/** What is missing comes last, whichever way. */
function compareOne(left: SortValue, right: SortValue, isDescending: boolean): number {
  if (left.value === null || right.value === null) {
    return Number(left.value === null) - Number(right.value === null);
  }
  const order = compareSortValues(left, right);
  return isDescending ? -order : order;
}

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
