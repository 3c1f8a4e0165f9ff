import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber, readExactNumber } from '../../base/json/number.ts';
import {
  getMember,
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../base/json/value.ts';
import { toText } from '../../media/text-codec.ts';
import { COMPARISON_WORDS, type Comparison } from './list-query.ts';
import { compareMoments, type MomentSpan, readMoments } from './moment.ts';

/** Returns true if a resource is in the list. */
export type Filter = (resource: JsonObject) => boolean;

/**
 * Creates a filter.
 *
 * @param property names that lead to the property; each item of an array is compared
 * @param wanted the value in the query. One of several values must match. Each member of an object
 *   names a property, or a comparison as in `price[gte]`
 */
export function createFilter(
  property: readonly string[],
  comparison: Comparison,
  wanted: JsonValue,
): Filter {
  if (isJsonObject(wanted)) {
    const filters = Object.entries(wanted).map(([name, value]) => {
      const operator = OPERATORS.get(name.replace(/^[$_]/, '').toLowerCase());
      return operator === undefined
        ? createFilter([...property, name], comparison, value)
        : createFilter(property, operator, value);
    });
    return (resource) => filters.every((filter) => filter(resource));
  }
  if (comparison === 'not-equal') {
    const isOne = createFilter(property, 'equal', wanted);
    return (resource) => !isOne(resource);
  }
  const tests = [wanted].flat().map((one) => createTest(comparison, one));
  const isMet = (value: JsonValue): boolean =>
    isJsonObject(value) ? namesOf(value).some(isMet) : tests.some((test) => test(value));
  return (resource) => holdsAnywhere(resource, property, 0, isMet);
}

const OPERATORS: ReadonlyMap<string, Comparison> = new Map([
  ...COMPARISON_WORDS,
  ['neq', 'not-equal'],
  ['ilike', 'contains'],
  ['starts_with', 'starts-with'],
]);

/** The properties by which a string or a number can mean an object: `tags=red`. */
const NAMING = ['id', 'name', 'key', 'code', 'slug', 'title', 'value', 'uuid'];

function namesOf(value: JsonObject): readonly JsonValue[] {
  return NAMING.flatMap((name) => getMember(value, name) ?? []).filter(isScalar);
}

function holdsAnywhere(
  value: JsonValue,
  property: readonly string[],
  depth: number,
  isMet: (value: JsonValue) => boolean,
): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => holdsAnywhere(item, property, depth, isMet));
  }
  const name = property[depth];
  if (name === undefined) return isMet(value);
  const member = isJsonObject(value) ? getMember(value, name) : undefined;
  return member !== undefined && holdsAnywhere(member, property, depth + 1, isMet);
}

type Test = (value: JsonValue) => boolean;

function createTest(comparison: Exclude<Comparison, 'not-equal'>, wanted: JsonValue): Test {
  switch (comparison) {
    case 'equal':
      return createEquality(wanted);
    case 'contains':
    case 'starts-with': {
      const part = toText(wanted).toLowerCase();
      return comparison === 'contains'
        ? (value) => isScalar(value) && toText(value).toLowerCase().includes(part)
        : (value) => isScalar(value) && toText(value).toLowerCase().startsWith(part);
    }
    default:
      return createOrderTest(comparison, wanted);
  }
}

/** Compares numbers and dates by value, because the query may write them in another way. */
function createEquality(wanted: JsonValue): Test {
  const span = typeof wanted === 'string' ? readMoments(wanted) : undefined;
  const text = isScalar(wanted) ? toText(wanted) : undefined;
  const number = numberOf(wanted);
  return (value) => {
    if (typeof value === 'string' && span !== undefined) {
      const own = readMoments(value);
      return own === undefined ? value === wanted : isWithin(own, span);
    }
    if (isNumber(value)) return number !== undefined && compareNumbers(value, number) === 0;
    return isEqual(value, wanted) || (value !== null && isScalar(value) && toText(value) === text);
  };
}

function isWithin(own: MomentSpan, span: MomentSpan): boolean {
  if (compareMoments(own.from, span.from) === 0) return true;
  return compareMoments(own.from, span.from) >= 0 && compareMoments(own.from, span.until) < 0;
}

type OrderComparison = Exclude<Comparison, 'equal' | 'not-equal' | 'contains' | 'starts-with'>;

/**
 * Compares numbers by value, dates by time, other strings by their characters. Values that cannot
 * be compared do not match. After a day means after its end.
 */
function createOrderTest(comparison: OrderComparison, wanted: JsonValue): Test {
  const isKept = ORDERS[comparison];
  const number = numberOf(wanted);
  const text = isScalar(wanted) ? toText(wanted) : '';
  const span = readMoments(text);
  return (value) => {
    const own = numberOf(value);
    if (own !== undefined && number !== undefined) return isKept(compareNumbers(own, number));
    if (typeof value !== 'string') return false;
    const moments = span && readMoments(value);
    if (span === undefined || moments === undefined) return isKept(compareTexts(value, text));
    if (comparison === 'less' || comparison === 'at-least') {
      return isKept(compareMoments(moments.from, span.from));
    }
    const isInside = isWithin(moments, span);
    return isKept(isInside ? 0 : compareMoments(moments.from, span.from));
  };
}

const ORDERS: Readonly<Record<OrderComparison, (order: number) => boolean>> = {
  less: (order) => order < 0,
  'at-most': (order) => order <= 0,
  greater: (order) => order > 0,
  'at-least': (order) => order >= 0,
};

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns a number, also of a string: parameters without a schema are strings. */
function numberOf(value: JsonValue): JsonNumber | undefined {
  if (isNumber(value)) return value;
  return typeof value === 'string' && NUMBER.test(value) ? readExactNumber(value) : undefined;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d{1,4})?$/;

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null || isNumber(value);
}

const DEEPEST = 8;

/**
 * Returns the filter for resources that contain each word in one of their strings, in upper or
 * lower case.
 */
export function createSearch(wanted: JsonValue): Filter {
  const words = [wanted]
    .flat()
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .flatMap((text) => String(text).toLowerCase().split(/\s+/))
    .filter((word) => word !== '');
  return (resource) => words.every((word) => hasWord(resource, word, 0));
}

function hasWord(value: JsonValue, word: string, depth: number): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(word);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value) === word;
  if (depth >= DEEPEST) return false;
  if (Array.isArray(value)) return value.some((item) => hasWord(item, word, depth + 1));
  if (!isJsonObject(value)) return false;
  return Object.values(value).some((member) => hasWord(member, word, depth + 1));
}
