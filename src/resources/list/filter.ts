import { toCanonicalText } from '../../base/json/equal.ts';
import { compareNumbers, isNumber, readExactNumber } from '../../base/json/number.ts';
import { toText } from '../../base/json/stringify.ts';
import {
  getMember,
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { quote } from '../../base/words.ts';
import { type ReadColumn, readColumn } from '../../state/columns.ts';
import { getProperty } from '../collections.ts';
import type { MemberPath } from '../meaning.ts';
import { NAMING } from '../shape/words.ts';
import { valueAt } from '../wrapping.ts';
import { COMPARISON_WORDS, type Comparison } from './list-query.ts';
import { compareMoments, type MomentSpan, readMoments } from './moment.ts';

/** Returns true if a resource is in the list. What it derives is kept by position. */
export type Filter = ReadColumn<boolean>;

/**
 * Creates a filter.
 *
 * @param property names that lead to the property; each item of an array is compared
 * @param wanted the value in the query. One of several values must match. Each member of an object
 *   names a property, or a comparison as in `price[gte]`
 * @throws {Problem} INVALID_REQUEST if each resource had to be compared with too many values
 */
export function createFilter(
  property: MemberPath,
  comparison: Comparison,
  wanted: JsonValue,
): Filter {
  refuseMany(countTests(comparison, wanted), `values of ${property.join('.') || 'members'}`);
  return compile(property, comparison, wanted);
}

/** How many values or words each resource is compared with, one after the other. */
const MOST_TESTS = 100;

export function refuseMany(count: number, what: string): void {
  if (count <= MOST_TESTS) return;
  const message = `a list is filtered by at most ${MOST_TESTS} ${what} at once, not by ${count}`;
  throw new Problem('INVALID_REQUEST', message);
}

/** Counts equal values as one, because they are looked up. */
function countTests(comparison: Comparison, wanted: JsonValue): number {
  if (isJsonObject(wanted)) {
    return Object.entries(wanted).reduce(
      (count, [name, value]) => count + countTests(operatorOf(name) ?? comparison, value),
      0,
    );
  }
  if (comparison === 'selects') return toText(wanted).split(',').length;
  return comparison === 'equal' || comparison === 'not-equal' ? 1 : [wanted].flat().length;
}

function compile(property: MemberPath, comparison: Comparison, wanted: JsonValue): Filter {
  if (isJsonObject(wanted)) {
    const filters = Object.entries(wanted).map(([name, value]) => {
      const operator = operatorOf(name);
      return operator === undefined
        ? compile([...property, name], comparison, value)
        : compile(property, operator, value);
    });
    return (scanned, position) => filters.every((filter) => filter(scanned, position));
  }
  if (comparison === 'not-equal') {
    const isOne = compile(property, 'equal', wanted);
    return (scanned, position) => !isOne(scanned, position);
  }
  if (comparison === 'selects') return createSelector(property, toText(wanted));
  return compileTest(property, comparison, [wanted].flat());
}

/** A test of what a scalar is turned into first, whatever is wanted. */
interface PreparedTest<Prepared> {
  /** Names how it is prepared. */
  readonly name: string;
  readonly prepare: (value: JsonValue) => Prepared | undefined;
  readonly test: (prepared: Prepared) => boolean;
}

/**
 * Creates a filter that tests each value of a property.
 *
 * @param prepared does the same for the one scalar that most properties have
 */
function createTestFilter<Prepared>(
  property: MemberPath,
  test: Test,
  prepared: PreparedTest<Prepared>,
): Filter {
  const isMet = (value: JsonValue): boolean =>
    isJsonObject(value) ? namesOf(value).some(test) : test(value);
  const isMetAt = (value: JsonValue, depth: number): boolean => {
    if (Array.isArray(value)) return value.some((item) => isMetAt(item, depth));
    const name = property[depth];
    if (name === undefined) return isMet(value);
    const member = isJsonObject(value) ? getMember(value, name) : undefined;
    return member !== undefined && isMetAt(member, depth + 1);
  };
  const read = readColumn(`${prepared.name} ${JSON.stringify(property)}`, (resource) => {
    const value = valueAt(resource, property);
    return value === undefined || typeof value === 'object' ? undefined : prepared.prepare(value);
  });
  return (scanned, position) => {
    const known = read(scanned, position);
    return known === undefined ? isMetAt(scanned.resource, 0) : prepared.test(known);
  };
}

const OPERATORS: ReadonlyMap<string, Comparison> = new Map([
  ...COMPARISON_WORDS,
  ['neq', 'not-equal'],
  ['ilike', 'contains'],
  ['starts_with', 'starts-with'],
]);

/** Returns the comparison that a name inside a filter means: `gte`, `$ne`. */
export function operatorOf(name: string): Comparison | undefined {
  return OPERATORS.get(name.replace(/^[$_]/, '').toLowerCase());
}

/** Returns the members by which a text or a number can mean an object: `tags=red`. */
function namesOf(value: JsonObject): readonly JsonValue[] {
  return [...NAMING, 'value'].flatMap((name) => getMember(value, name) ?? []).filter(isScalar);
}

type Test = (value: JsonValue) => boolean;
type ScalarComparison = Exclude<Comparison, 'not-equal' | 'selects'>;

/** Creates a filter that one of the wanted values passes. */
function compileTest(
  property: MemberPath,
  comparison: ScalarComparison,
  wanted: readonly JsonValue[],
): Filter {
  if (comparison === 'contains' || comparison === 'starts-with') {
    const parts = wanted.map((one) => toText(one).toLowerCase());
    const isIn = (text: string): boolean =>
      parts.some((part) =>
        comparison === 'contains' ? text.includes(part) : text.startsWith(part),
      );
    const prepare = (value: JsonValue): string => toText(value).toLowerCase();
    const test: Test = (value) => isIn(prepare(value));
    return createTestFilter(property, test, { name: 'lower case', prepare, test: isIn });
  }
  const [first = null, ...others] = wanted;
  if (comparison !== 'equal' && others.length === 0) {
    const isInTime = createTimeTest(comparison, first);
    const test = createOrderTest(comparison, first);
    if (isInTime !== undefined) {
      return createTestFilter(property, test, { name: 'time', prepare: timeOf, test: isInTime });
    }
  }
  const test =
    comparison === 'equal' ? createEquality(wanted) : createOrderTests(comparison, wanted);
  return createTestFilter(property, test, { name: 'value', prepare: (value) => value, test });
}

/** Compares numbers and dates by value; looks values up, as a query may have thousands. */
function createEquality(wanted: readonly JsonValue[]): Test {
  const scalars = wanted.filter(isScalar);
  const texts = new Set(scalars.map(toText));
  const spans = [...texts].flatMap((text) => readMoments(text) ?? []);
  const isNamed = createNumberTest(scalars.flatMap((one) => numberOf(one) ?? []));
  return (value) => {
    if (isNumber(value)) return isNamed(value);
    if (value === null) return scalars.includes(null);
    if (texts.has(toText(value))) return true;
    const own = typeof value === 'string' && spans.length > 0 ? readMoments(value) : undefined;
    return own !== undefined && spans.some((span) => isWithin(own, span));
  };
}

function createNumberTest(wanted: readonly JsonNumber[]): (value: JsonNumber) => boolean {
  const numbers = new Set(wanted);
  const isPlain = wanted.every((one) => typeof one === 'number');
  const canonical = new Set(wanted.map(toCanonicalText));
  return (value) => {
    if (numbers.has(value)) return true;
    if (isPlain && typeof value === 'number') return false;
    return canonical.has(toCanonicalText(value));
  };
}

function isWithin(own: MomentSpan, span: MomentSpan): boolean {
  if (compareMoments(own.from, span.from) === 0) return true;
  return compareMoments(own.from, span.from) >= 0 && compareMoments(own.from, span.until) < 0;
}

type OrderComparison = Exclude<ScalarComparison, 'equal' | 'contains' | 'starts-with'>;

/**
 * Compares numbers by value, dates by time, other strings by their characters. Values that cannot
 * be compared do not match. After a day means after its end.
 */
function createOrderTest(comparison: OrderComparison, wanted: JsonValue): Test {
  const isKept = ORDERS[comparison];
  const number = numberOf(wanted);
  const text = isScalar(wanted) ? toText(wanted) : '';
  const span = readMoments(text);
  const compare = (value: string): number => {
    const moments = span && readMoments(value);
    if (span === undefined || moments === undefined) return compareTexts(value, text);
    const isFromStart = comparison === 'less' || comparison === 'at-least';
    return !isFromStart && isWithin(moments, span) ? 0 : compareMoments(moments.from, span.from);
  };
  return (value) => {
    const own = number === undefined ? undefined : numberOf(value);
    if (own !== undefined && number !== undefined) return isKept(compareNumbers(own, number));
    return typeof value === 'string' && isKept(compare(value));
  };
}

function createOrderTests(comparison: OrderComparison, wanted: readonly JsonValue[]): Test {
  const tests = wanted.map((one) => createOrderTest(comparison, one));
  return (value) => tests.some((test) => test(value));
}

/** Creates the test of milliseconds that {@link timeOf} returns; undefined where no date is wanted. */
function createTimeTest(comparison: OrderComparison, wanted: JsonValue) {
  const span = typeof wanted === 'string' ? readMoments(wanted) : undefined;
  if (span === undefined || span.from.finer !== '') return undefined;
  const isKept = ORDERS[comparison];
  const [from, until] = [span.from.milliseconds, span.until.milliseconds];
  const isFromStart = comparison === 'less' || comparison === 'at-least';
  return (time: number): boolean =>
    isKept(!isFromStart && time >= from && time < until ? 0 : time - from);
}

/** Returns the milliseconds of a date; undefined for another value, and for a finer one. */
function timeOf(value: JsonValue): number | undefined {
  const moments = typeof value === 'string' ? readMoments(value) : undefined;
  return moments?.from.finer === '' ? moments.from.milliseconds : undefined;
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

/**
 * Creates the filter of a selector: `app=web,tier!=back`, `tier in (front, edge)`, `app`, `!app`.
 * A resource must meet all requirements.
 *
 * @param property names that lead to the object whose members are selected by
 * @throws {Problem} INVALID_REQUEST
 */
function createSelector(property: MemberPath, wanted: string): Filter {
  // A comma in parentheses separates values, not requirements.
  const parts = wanted.match(/(?:[^,(]|\([^()]*\)?)+/g) ?? [];
  const requirements = parts.filter((part) => part.trim() !== '').map(readRequirement);
  return ({ resource }) => {
    const owner = valueAt(resource, property);
    return requirements.every((isMet) => isMet(isJsonObject(owner) ? owner : {}));
  };
}

function readRequirement(part: string): (owner: JsonObject) => boolean {
  const text = part
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?(!=|==?) ?/, '$1');
  const found = /^(!?)([^ =!()]+)(?:(!=|==?)([^=()]*)| (in|notin) ?\(([^()]*)\))?$/.exec(text);
  if (found === null) {
    const message = `${quote(part)} is no selector such as app=web or app in (web, db)`;
    throw new Problem('INVALID_REQUEST', message);
  }
  const [, not, name = '', operator, value, word, list] = found;
  const textOf = (owner: JsonObject): string | undefined => {
    const own: JsonValue | undefined = getMember(owner, name) ?? getProperty(owner, name);
    return own === undefined || own === null ? undefined : toText(own);
  };
  const values = value === undefined ? list?.split(',').map((one) => one.trim()) : [value];
  const isNegated = not === '!' || operator === '!=' || word === 'notin';
  return (owner) => {
    const own = textOf(owner);
    const isMet = own !== undefined && values?.includes(own) !== false;
    return isMet !== isNegated;
  };
}
