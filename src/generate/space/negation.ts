import { isNumber } from '../../base/json/number.ts';
import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { SchemaSpace } from './schema-space.ts';

/** Keywords whose negation no other keyword expresses; the builder avoids their values. */
const ATOMIC = new Set(['type', 'const', 'enum', 'pattern', 'format', 'multipleOf', 'uniqueItems']);

const TEXT_KEYWORDS = ['const', 'enum', 'minLength', 'maxLength', 'pattern'];

type Limit = readonly [type: string, keyword: string, step: number];

/** Limits, each with the limit that expresses its negation: `not {minimum: 3}` is below 3. */
const LIMITS: ReadonlyMap<string, Limit> = new Map([
  ['minimum', ['number', 'exclusiveMaximum', 0]],
  ['maximum', ['number', 'exclusiveMinimum', 0]],
  ['exclusiveMinimum', ['number', 'maximum', 0]],
  ['exclusiveMaximum', ['number', 'minimum', 0]],
  ['minLength', ['string', 'maxLength', -1]],
  ['maxLength', ['string', 'minLength', 1]],
  ['minItems', ['array', 'maxItems', -1]],
  ['maxItems', ['array', 'minItems', 1]],
  ['minProperties', ['object', 'maxProperties', -1]],
  ['maxProperties', ['object', 'minProperties', 1]],
]);

/** The most references that are followed; the check of the whole value covers the rest. */
const MOST_STEPS = 16;

/**
 * Rewrites a `not` as alternatives without it, by De Morgan's laws, keyword by keyword.
 *
 * @param pointer of the schema that must not apply
 * @returns schemas of which one must apply; none when every value conforms to the schema
 */
export function negate(space: SchemaSpace, pointer: string, steps = 0): readonly JsonObject[] {
  const schema = space.schemaAt(pointer);
  if (schema === false) return [{}];
  if (schema === undefined || schema === true || steps > MOST_STEPS) return [];
  const place = { space, pointer, steps };
  // Validators need not check formats (JSON Schema Validation §7.2.1).
  const isSized = TEXT_KEYWORDS.some((keyword) => schema[keyword] !== undefined);
  const keywords = Object.entries(schema).filter(([keyword]) => !isSized || keyword !== 'format');
  return [
    ...negateCondition(place, schema),
    ...keywords.flatMap(([keyword, value]) => negateKeyword(place, keyword, value)),
  ];
}

/** A schema that is being negated. */
interface Place {
  readonly space: SchemaSpace;
  readonly pointer: string;
  /** The references that led here. */
  readonly steps: number;
}

function negateCondition({ space, pointer }: Place, schema: JsonObject): readonly JsonObject[] {
  if (schema['if'] === undefined) return [];
  const condition = space.refer(`${pointer}/if`);
  const not = (keyword: string): JsonObject => ({ not: space.refer(`${pointer}/${keyword}`) });
  return [
    ...(schema['then'] === undefined ? [] : [{ allOf: [condition, not('then')] }]),
    ...(schema['else'] === undefined ? [] : [{ allOf: [not('if'), not('else')] }]),
  ];
}

function negateKeyword(place: Place, keyword: string, value: JsonValue): readonly JsonObject[] {
  const { space, pointer, steps } = place;
  const limit = LIMITS.get(keyword);
  if (limit !== undefined) return isNumber(value) ? negateLimit(value, limit) : [];
  if (ATOMIC.has(keyword)) return [{ not: { [keyword]: value } }];
  const at = pointer + toPointer([keyword]);
  if (Array.isArray(value)) return negateList(place, keyword, value);
  const wrong = { not: space.refer(at) };
  switch (keyword) {
    case '$ref':
      return typeof value === 'string'
        ? negate(space, space.pointerOf(value, pointer), steps + 1)
        : [];
    case 'not':
      return [space.refer(at)];
    case 'properties':
      return Object.keys(isJsonObject(value) ? value : {}).map((name) => {
        const member = { not: space.refer(at + toPointer([name])) };
        return { ...objectWith(name, member), required: [name] };
      });
    case 'items':
      return [{ type: 'array', minItems: 1, contains: wrong }];
    case 'additionalProperties':
      return [{ type: 'object', minProperties: 1, additionalProperties: wrong }];
    case 'contains':
      return [{ type: 'array', items: wrong }];
    default:
      return [];
  }
}

function negateLimit(value: JsonValue, [type, keyword, step]: Limit): readonly JsonObject[] {
  if (step === 0 || typeof value !== 'number') return [{ type, [keyword]: value }];
  return value + step < 0 ? [] : [{ type, [keyword]: value + step }];
}

function negateList(
  { space, pointer, steps }: Place,
  keyword: string,
  list: readonly JsonValue[],
): readonly JsonObject[] {
  const branches = list.map((_, index) => `${pointer}/${keyword}/${index}`);
  const none = { allOf: branches.map((branch) => ({ not: space.refer(branch) })) };
  switch (keyword) {
    case 'required':
      return list.map((name) => objectWith(name, false));
    case 'allOf':
      return branches.flatMap((branch) => negate(space, branch, steps + 1));
    case 'anyOf':
      return [none];
    case 'oneOf':
      return [none, { allOf: branches.slice(0, 2).map((branch) => space.refer(branch)) }];
    default:
      return [];
  }
}

function objectWith(name: JsonValue, schema: JsonValue): JsonObject {
  return { type: 'object', properties: Object.fromEntries([[name, schema]]) };
}
