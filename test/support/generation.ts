import { stringifyJson } from '../../src/base/json/stringify.ts';
import type { JsonValue } from '../../src/base/json/value.ts';
import { createGenerator, type Generator } from '../../src/generate/generator.ts';
import { SchemaCompiler } from '../../src/schema/schema-compiler.ts';
import { parseDocument } from './documents.ts';
import { fc } from './properties.ts';

/** The moment at which tests draw. */
export const NOW = Date.UTC(2026, 5, 15, 12);

/** A document that has only schemas. */
export interface SchemaDocument {
  readonly text: string;
  readonly document: ReturnType<typeof parseDocument>;
  readonly schemas: SchemaCompiler;
  readonly generator: Generator;
}

/** @param schemas by name, as JSON has them; a bigint is written digit for digit */
export function describeSchemas(
  schemas: Readonly<Record<string, unknown>>,
  direction: 'request' | 'response' = 'response',
): SchemaDocument {
  const text = stringifyJson({
    openapi: '3.1.0',
    info: { title: 'Schemas', version: '1' },
    paths: {},
    components: { schemas: schemas as JsonValue },
  } as JsonValue);
  const document = parseDocument('schemas.json', text);
  const compiler = new SchemaCompiler(document);
  const generator = createGenerator({
    source: document,
    direction,
    accepts: (pointer, value) => compiler.schemaAt(pointer, direction).accepts(value),
  });
  return { text, document, schemas: compiler, generator };
}

const names = fc.constantFrom('a', 'b', 'c', 'x-1');

const leaves = fc.oneof(
  fc.record(
    {
      type: fc.constant('integer'),
      minimum: fc.integer({ min: -20, max: 20 }),
      maximum: fc.integer({ min: -10, max: 40 }),
      multipleOf: fc.constantFrom(1, 2, 3, 7),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('number'),
      exclusiveMinimum: fc.constantFrom(0, 0.5, -3.25),
      exclusiveMaximum: fc.constantFrom(1, 0.6, 100),
      multipleOf: fc.constantFrom(0.25, 0.5, 2),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.integer({ min: 0, max: 12 }),
      maxLength: fc.integer({ min: 3, max: 20 }),
      pattern: fc.constantFrom('^[a-z]+$', '\\d', '^(a|bc)*$', '^[A-Z]{2}-\\d+$', '^(?=.*x).+$'),
      format: fc.constantFrom('email', 'date', 'uuid', 'hostname', 'ipv4'),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, null, true), { minLength: 1 }) }),
  fc.record({ const: fc.constantFrom('a', 1, null, false) }),
  fc.constantFrom({}, { type: 'null' }, { type: 'boolean' }, { type: ['string', 'null'] }),
);

type Tied = Readonly<Record<'schema' | 'object' | 'array' | 'combined', unknown>>;

/** Schemas of all keywords that values are built by; `R` is a recursive one beside them. */
export const drawnSchemas: fc.Arbitrary<unknown> = fc.letrec<Tied>((tie) => ({
  schema: fc.oneof({ depthSize: 'small' }, leaves, tie('object'), tie('array'), tie('combined')),
  object: fc.record(
    {
      type: fc.constantFrom('object', ['object', 'null']),
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 4 }),
      required: fc.uniqueArray(names, { maxLength: 3 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      patternProperties: fc.dictionary(fc.constantFrom('^x-', '^[a-b]$'), tie('schema'), {
        maxKeys: 1,
      }),
      minProperties: fc.integer({ min: 0, max: 4 }),
      maxProperties: fc.integer({ min: 1, max: 6 }),
      propertyNames: fc.constantFrom({ maxLength: 3 }, { pattern: '^[a-z]' }),
      dependentRequired: fc.constant({ a: ['b'] }),
      dependentSchemas: fc.record({ b: tie('schema') }),
      unevaluatedProperties: fc.constantFrom(false, { type: 'integer' }),
    },
    { requiredKeys: ['type'] },
  ),
  array: fc.record(
    {
      type: fc.constant('array'),
      items: tie('schema'),
      prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      minItems: fc.integer({ min: 0, max: 3 }),
      maxItems: fc.integer({ min: 1, max: 5 }),
      uniqueItems: fc.boolean(),
      contains: tie('schema'),
      minContains: fc.integer({ min: 0, max: 2 }),
      maxContains: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['type'] },
  ),
  combined: fc.oneof(
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
    fc.record(
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      { if: tie('schema'), then: tie('schema'), else: tie('schema') },
      { requiredKeys: ['if'] },
    ),
    fc.constant({ $ref: '#/components/schemas/R' }),
  ),
})).schema;

/** A tree without an end of its own. */
export const recursiveSchema = {
  type: 'object',
  properties: {
    r: { $ref: '#/components/schemas/R' },
    s: { type: 'array', items: { $ref: '#/components/schemas/R' } },
  },
};
