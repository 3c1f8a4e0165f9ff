import { isNumber } from '../base/json/number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { everyOf, fail, type Place, type Schema, type Step } from './schema-place.ts';
import { keepsNumberFormat } from './value-keywords.ts';

/** The schemas of a reading, and what it does not decide itself. */
export interface ReadingSource {
  /** Returns where a reference leads; a source with `schemaIn` need not return the schema. */
  follow(reference: string, from: Place): { readonly pointer: string; readonly schema?: Schema };
  /** Returns the schema at a place, if it is not the one that is written there. */
  schemaIn?(place: Place): Schema;
  matches(pattern: string, text: string): boolean;
  keepsFormat(format: JsonValue, value: JsonValue): boolean;
  /** Returns the properties that an object need not have, although the schema requires them. */
  absentAt?(pointer: string): ReadonlySet<string>;
  /** True if an object must not have those properties. */
  readonly forbidsAbsent?: boolean;
}

/** Compares values with schemas. */
export interface Reading {
  /** Compares the value of a place, or a part of it, with a subschema. */
  apply(place: Place, step: Step, schema: Schema, value?: JsonValue): boolean;
  follow(place: Place, reference: string): boolean;
  lists(list: readonly JsonValue[], value: JsonValue): boolean;
  readonly source: ReadingSource;
}

/** Thrown where only the compiled schema decides. */
export class Undecided extends Error {}

/**
 * Returns false where there is no compiled schema to agree with: where the steps are unlimited.
 *
 * @throws {Undecided} elsewhere
 */
export function leaveToAjv({ steps }: Place): false {
  if (steps.most < Number.POSITIVE_INFINITY) throw new Undecided();
  return false;
}

/** Returns true if the value of a place keeps a keyword. */
export type Keeps = (
  reading: Reading,
  place: Place,
  wanted: JsonValue,
  schema: JsonObject,
) => boolean;

/** The keywords that need more than the value and their own to decide. */
export const applicators: ReadonlyMap<string, Keeps> = new Map<string, Keeps>([
  ['enum', keepsEnum('enum')],
  ['exact-enum', keepsEnum('exact-enum')],
  [
    'exact-format',
    (_, place, wanted) => keepsNumberFormat(wanted, place.value) || fail(place, 'exact-format'),
  ],
  [
    'pattern',
    (reading, place, wanted) => {
      const { value } = place;
      const isText = typeof value === 'string' && typeof wanted === 'string';
      return !isText || reading.source.matches(wanted, value) || fail(place, 'pattern');
    },
  ],
  [
    'format',
    (reading, place, wanted) =>
      reading.source.keepsFormat(wanted, place.value) || fail(place, 'format'),
  ],
  ['$ref', keepsReference],
  ['$dynamicRef', keepsReference],
  [
    'allOf',
    (reading, place, wanted) =>
      everyOf(place, listOf(wanted).entries(), ([name, one]) =>
        reading.apply(place, { keyword: 'allOf', name }, one),
      ),
  ],
  ['anyOf', isEmptyOr(keepsAnyOf)],
  ['oneOf', isEmptyOr(keepsOneOf)],
  [
    'not',
    (reading, place, wanted) =>
      !reading.apply(place, { keyword: 'not', isQuiet: true }, wanted) ||
      fail(place, 'not', {}, 'must NOT be valid'),
  ],
  ['if', keepsCondition],
  [
    'dependentSchemas',
    (reading, place, wanted) =>
      entriesOf(wanted).every(
        ([name, one]) =>
          !hasMember(place.value, name) ||
          reading.apply(place, { keyword: 'dependentSchemas', name, isQuiet: true }, one),
      ),
  ],
  [
    'prefixItems',
    (reading, place, wanted) =>
      everyOf(
        place,
        itemsOf(place.value).slice(0, listOf(wanted).length).entries(),
        ([key, item]) =>
          reading.apply(
            place,
            { keyword: 'prefixItems', name: key, key },
            listOf(wanted)[key],
            item,
          ),
      ),
  ],
  [
    'items',
    (reading, place, wanted, { prefixItems }) => {
      // Of items behind a tuple that must not be, Ajv reports the length.
      const start = Array.isArray(prefixItems) ? prefixItems.length : 0;
      const isClosed = wanted === false && start > 0;
      return everyOf(place, itemsOf(place.value).slice(start).entries(), ([index, item]) => {
        const step = { keyword: 'items', key: start + index };
        return isClosed ? false : reading.apply(place, step, wanted, item);
      });
    },
  ],
  ['contains', keepsContains],
  ['unevaluatedItems', keepsUnevaluated('unevaluatedItems')],
  [
    'required',
    (_, place, wanted) =>
      !isJsonObject(place.value) ||
      everyOf(
        place,
        listOf(wanted).map(String),
        (name) =>
          hasMember(place.value, name) ||
          place.absent.has(name) ||
          fail(place, 'required', { missingProperty: name }),
      ),
  ],
  [
    'dependentRequired',
    (_, { value }, wanted) =>
      entriesOf(wanted).every(
        ([name, needed]) =>
          !hasMember(value, name) || listOf(needed).every((one) => hasMember(value, String(one))),
      ),
  ],
  [
    'propertyNames',
    (reading, place, wanted) =>
      entriesOf(place.value).every(([name]) =>
        reading.apply(place, { keyword: 'propertyNames', isQuiet: true }, wanted, name),
      ),
  ],
  [
    'properties',
    (reading, place, wanted) => {
      const { value } = place;
      if (!isJsonObject(value) || !isJsonObject(wanted)) return true;
      return everyOf(place, Object.keys(wanted), (name) => {
        if (!Object.hasOwn(value, name)) return true;
        const step = { keyword: 'properties', name, key: name };
        return reading.apply(place, step, wanted[name], value[name]);
      });
    },
  ],
  [
    'patternProperties',
    (reading, place, wanted) =>
      everyOf(place, entriesOf(wanted), ([pattern, one]) =>
        everyOf(place, entriesOf(place.value), ([name, member]) => {
          const step = { keyword: 'patternProperties', name: pattern, key: name };
          return !reading.source.matches(pattern, name) || reading.apply(place, step, one, member);
        }),
      ),
  ],
  [
    'additionalProperties',
    (reading, place, wanted, schema) =>
      everyOf(place, entriesOf(place.value), ([name, member]) => {
        if (isDescribed(reading, schema, name)) return true;
        if (wanted === false) {
          return fail(place, 'additionalProperties', { additionalProperty: name });
        }
        return reading.apply(place, { keyword: 'additionalProperties', key: name }, wanted, member);
      }),
  ],
  ['unevaluatedProperties', keepsUnevaluated('unevaluatedProperties')],
  // Not a keyword of 2020-12, but Ajv knows it.
  ['dependencies', (_, place) => !leaveToAjv(place)],
]);

function keepsEnum(keyword: string): Keeps {
  return (reading, place, wanted) =>
    !Array.isArray(wanted) || reading.lists(wanted, place.value) || fail(place, keyword);
}

/** Returns true where there is no reference: such values of keywords say nothing. */
function keepsReference(reading: Reading, place: Place, wanted: JsonValue): boolean {
  return typeof wanted !== 'string' || reading.follow(place, wanted);
}

/** An empty list of branches says nothing. */
function isEmptyOr(keeps: Keeps): Keeps {
  return (reading, place, wanted, schema) =>
    listOf(wanted).length === 0 || keeps(reading, place, wanted, schema);
}

function keepsAnyOf(reading: Reading, place: Place, wanted: JsonValue): boolean {
  const { errors } = place;
  const before = errors?.length ?? 0;
  let isAny = false;
  for (const [name, one] of listOf(wanted).entries()) {
    if (!reading.apply(place, { keyword: 'anyOf', name }, one)) continue;
    isAny = true;
    if (place.evaluated === undefined) break;
  }
  if (!isAny) return fail(place, 'anyOf', {}, 'must match a schema in anyOf');
  errors?.splice(before);
  return true;
}

function keepsOneOf(reading: Reading, place: Place, wanted: JsonValue): boolean {
  const { errors } = place;
  const before = errors?.length ?? 0;
  const passing: number[] = [];
  for (const [name, one] of listOf(wanted).entries()) {
    if (reading.apply(place, { keyword: 'oneOf', name }, one) && passing.push(name) === 2) break;
  }
  if (passing.length === 1) {
    errors?.splice(before);
    return true;
  }
  const passingSchemas = passing.length > 0 ? passing : null;
  return fail(place, 'oneOf', { passingSchemas }, 'must match exactly one schema in oneOf');
}

function keepsCondition(
  reading: Reading,
  place: Place,
  wanted: JsonValue,
  schema: JsonObject,
): boolean {
  const keyword = reading.apply(place, { keyword: 'if', isQuiet: true }, wanted) ? 'then' : 'else';
  if (schema[keyword] === undefined || reading.apply(place, { keyword }, schema[keyword])) {
    return true;
  }
  return fail(place, 'if', { failingKeyword: keyword }, `must match "${keyword}" schema`);
}

function keepsContains(
  reading: Reading,
  place: Place,
  wanted: JsonValue,
  { minContains: least = 1, maxContains: most = null }: JsonObject,
): boolean {
  if (!Array.isArray(place.value)) return true;
  const { length } = place.value.filter((item, key) =>
    reading.apply(place, { keyword: 'contains', key, isQuiet: true }, wanted, item),
  );
  return (
    length >= (isNumber(least) ? Number(least) : 1) && (!isNumber(most) || length <= Number(most))
  );
}

/** Compares the parts that no other schema has evaluated (JSON Schema Core §11). */
function keepsUnevaluated(keyword: string): Keeps {
  return (reading, place, wanted) => {
    const isOfItems = keyword === 'unevaluatedItems';
    // Ajv misjudges which items have been evaluated.
    if (isOfItems) leaveToAjv(place);
    const parts: Iterable<[string | number, JsonValue]> = isOfItems
      ? itemsOf(place.value).entries()
      : entriesOf(place.value);
    for (const [key, part] of parts) {
      if (place.evaluated?.has(key)) continue;
      if (!reading.apply(place, { keyword, key, isQuiet: true }, wanted, part)) return false;
    }
    return true;
  };
}

function isDescribed(
  reading: Reading,
  { properties, patternProperties }: JsonObject,
  name: string,
): boolean {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return true;
  return entriesOf(patternProperties).some(([pattern]) => reading.source.matches(pattern, name));
}

function listOf(wanted: JsonValue): readonly JsonValue[] {
  return Array.isArray(wanted) ? wanted : [wanted];
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

export function hasMember(value: JsonValue, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name);
}
