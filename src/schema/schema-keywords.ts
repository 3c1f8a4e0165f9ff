import type { JsonValue } from '../base/json/value.ts';
import { exactKeywords, isOfType } from './value-keywords.ts';

/** How a keyword holds subschemas: one, an array, or an object with one for each name. */
export type SubschemaForm = 'schema' | 'list' | 'map';

/** The keywords with subschemas that apply (JSON Schema Core §10, Validation §8): not `$defs`. */
export const subschemaKeywords: ReadonlyMap<string, SubschemaForm> = new Map([
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
 * The keywords that a validator ignores: annotations and OpenAPI's keywords (OAS 3.1 §4.8.24), which
 * hold data, and keywords that name schemas, as references are resolved before.
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

/** The keywords in the order in which Ajv checks them, those for values of one type together. */
export const keywordOrder: readonly { readonly type?: string; readonly keywords: string[] }[] = [
  {
    keywords: [
      ...['$dynamicRef', '$ref', 'const', 'enum', 'not', 'anyOf', 'oneOf', 'allOf', 'if'],
      ...exactKeywords,
    ],
  },
  {
    type: 'number',
    keywords: [
      ...['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'multipleOf', 'format'],
    ],
  },
  { type: 'string', keywords: ['maxLength', 'minLength', 'pattern', 'format'] },
  {
    type: 'array',
    keywords: ['maxItems', 'minItems', 'prefixItems', 'items', 'contains', 'unevaluatedItems'],
  },
  {
    type: 'object',
    keywords: [
      ...['maxProperties', 'minProperties', 'required', 'propertyNames', 'additionalProperties'],
      ...['dependencies', 'properties', 'patternProperties', 'dependentRequired'],
      ...['dependentSchemas', 'unevaluatedProperties'],
    ],
  },
];

/** The keywords with a number, which limits values. */
export const limitKeywords: readonly string[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
];

/** The keywords that a value is held against: all of them, or those that say what it consists of. */
export type Depth = 'full' | 'structure';

/**
 * The keywords that do not say what a value consists of, but which values of that structure it may
 * be, and those whose result depends on them.
 */
export const detailKeywords: ReadonlySet<string> = new Set([
  ...limitKeywords,
  ...['format', 'pattern', 'uniqueItems', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
]);

/** The type that the value of a keyword has. */
export const keywordTypes: ReadonlyMap<string, string> = new Map([
  ...limitKeywords.map((keyword) => [keyword, 'number'] as const),
  ['uniqueItems', 'boolean'],
  ['pattern', 'string'],
  ['format', 'string'],
  ['enum', 'array'],
  ['required', 'array'],
  ['dependentRequired', 'object'],
]);

/** False for a keyword with a value of a type that it cannot have. */
export function isWellTyped(keyword: string, value: JsonValue): boolean {
  const type = keywordTypes.get(keyword);
  return type === undefined || isOfType(value, type);
}
