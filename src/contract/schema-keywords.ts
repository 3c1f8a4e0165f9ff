/** Which keywords of JSON Schema 2020-12 hold schemas, and how. */
export type SubschemaShape = 'schema' | 'list' | 'map';

/** JSON Schema Core §10 and Validation §8; `definitions` and `dependencies` are older names. */
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
  ['$defs', 'map'],
  ['definitions', 'map'],
]);

/** Keywords of OAS 3.1 §4.8.24 and annotations: what they hold is data, never a schema. */
export const annotationKeywords: ReadonlySet<string> = new Set([
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
]);
