import { Decimal, isJsonObject, type JsonValue } from '../base/json/value.ts';

/** Which keywords of JSON Schema 2020-12 hold schemas, and how. */
export type SubschemaShape = 'schema' | 'list' | 'map';

/** JSON Schema Core §10 and Validation §8; `$defs` is not among them, as it applies to nothing. */
export const subschemaKeywords: ReadonlyMap<string, SubschemaShape> = new Map([
  ['items', 'schema'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['contains', 'schema'],
  ['propertyNames', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['contentSchema', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependentSchemas', 'map'],
]);

/**
 * What a validator has no use for: annotations and OpenAPI's keywords (OAS 3.1 §4.8.24), which hold
 * data and never a schema; and what names schemas, as every reference is resolved before.
 */
export const passedOverKeywords: ReadonlySet<string> = new Set([
  'example',
  'examples',
  'default',
  'xml',
  'externalDocs',
  'discriminator',
  'title',
  'description',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  '$id',
  'id',
  '$schema',
  '$vocabulary',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
]);

type KeywordType = 'number' | 'string' | 'boolean' | 'array' | 'object';

const keywordTypes: ReadonlyMap<string, KeywordType> = new Map([
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
  ['minLength', 'number'],
  ['maxLength', 'number'],
  ['minItems', 'number'],
  ['maxItems', 'number'],
  ['minContains', 'number'],
  ['maxContains', 'number'],
  ['minProperties', 'number'],
  ['maxProperties', 'number'],
  ['uniqueItems', 'boolean'],
  ['pattern', 'string'],
  ['format', 'string'],
  ['enum', 'array'],
  ['required', 'array'],
  ['dependentRequired', 'object'],
]);

/** True unless a keyword has a value of a type that it cannot have. */
export function isWellTyped(keyword: string, value: JsonValue): boolean {
  const type = keywordTypes.get(keyword);
  switch (type) {
    case undefined:
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal;
    default:
      return typeof value === type;
  }
}
