import assert from 'node:assert/strict';
import test from 'ava';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { parseSource } from '../../src/document/source.ts';
import { SourceDocument } from '../../src/document/source-document.ts';
import { createAjv } from '../../src/schema/ajv.ts';
import { compilePattern } from '../../src/schema/pattern/pattern.ts';
import { type Schema, SchemaCompiler } from '../../src/schema/schema-compiler.ts';
import { keywordOrder } from '../../src/schema/schema-keywords.ts';
import { addExactKeywords } from '../../src/schema/value-keywords.ts';
import { fc, holds } from '../support/properties.ts';

/**
 * @param text a JSON Schema as JSON or YAML, numbers to the last digit
 * @param pointer of the schema in it, where it is not the whole
 * @param mostSteps 0 compiles at once
 */
function compileSchema(text: string, pointer = '', mostSteps?: number): Schema {
  const document = new SourceDocument(parseSource('schema.yaml', text));
  return new SchemaCompiler(document, mostSteps).schemaAt(pointer);
}

/** @returns the violations of an instance, given as JSON text, in words */
function complaints(schema: Schema, instance: string): readonly string[] {
  return schema.check(parseJson(instance), 'body').map(({ message }) => message);
}

function accepts(schema: Schema, instance: string): boolean {
  return complaints(schema, instance).length === 0;
}

/** Values of which each is near another one of another type. */
const smallValues: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, '', 'a', '1', 0, 1, 2, 3, 5, 6, -1, 0.5, 1.5, 0.1, 0.3, 1e3),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const limits = fc.constantFrom(-1, 0, 0.1, 0.5, 1, 1.5, 2, 3, 1000);

/** Schemas of the keywords that are done twice: once for doubles, once for exact numbers. */
const schemas: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
        minimum: limits,
        maximum: limits,
        exclusiveMinimum: limits,
        exclusiveMaximum: limits,
        multipleOf: fc.constantFrom(0.1, 0.5, 1, 2, 3),
        enum: fc.uniqueArray(smallValues, { minLength: 1, maxLength: 4, selector: JSON.stringify }),
        const: smallValues,
        format: fc.constantFrom('int32', 'int64', 'uint8', 'double', 'email'),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        items: tie('schema'),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
})).schema;

/** A number that no double holds: a value that has it is checked by the exact engine. */
const EXACT = '1180591620717411303425';

test('a schema has the same result beside an exact number', (t) => {
  const property = fc.property(
    schemas,
    fc.array(smallValues, { maxLength: 5 }),
    (schema, values) => {
      const text = JSON.stringify({ properties: { value: schema, beside: true } });
      const compiled = compileSchema(text);
      for (const value of values.map((one) => JSON.stringify(one))) {
        const ordinary = complaints(compiled, `{"value":${value}}`);
        const exact = complaints(compiled, `{"value":${value},"beside":${EXACT}}`);
        assert.equal(exact.length === 0, ordinary.length === 0, value);
      }
    },
  );
  holds(t, property, 150);
});

test('a schema has the same result whether it is read or compiled', (t) => {
  const property = fc.property(
    schemas,
    fc.array(smallValues, { maxLength: 10 }),
    (schema, values) => {
      const text = JSON.stringify({
        $defs: { one: schema },
        $ref: '#/$defs/one',
        minProperties: 0,
      });
      const [read, compiled] = [compileSchema(text), compileSchema(text, '', 0)];
      for (const value of values.map((one) => parseJson(JSON.stringify(one)))) {
        assert.equal(read.accepts(value), compiled.accepts(value));
        assert.deepEqual(read.check(value, 'body'), compiled.check(value, 'body'));
      }
    },
  );
  holds(t, property, 500);
});

test('the keywords have the order in which Ajv checks them', (t) => {
  const ajv = createAjv(true, compilePattern);
  addExactKeywords(ajv);
  const isKnown = (one: string) => keywordOrder.some(({ keywords }) => keywords.includes(one));
  const ofAjv = ajv.RULES.rules.map(({ type, rules }) => ({
    ...(type !== undefined && { type }),
    keywords: rules.map(({ keyword }) => keyword).filter(isKnown),
  }));
  t.deepEqual(keywordOrder, ofAjv);
});

test('keywords of texts, objects and lists have the same result read or compiled', (t) => {
  const written = [
    '{ minLength: 2, maxLength: 3 }',
    '{ pattern: "^a+$", format: date }',
    '{ format: int32, multipleOf: 3, exclusiveMaximum: 9 }',
    '{ required: [a], minProperties: 1, maxProperties: 2, additionalProperties: false, properties: { a: {}, __proto__: { type: string } } }',
    '{ patternProperties: { "^a": { type: integer } }, additionalProperties: { type: string } }',
    '{ propertyNames: { maxLength: 1 }, dependentRequired: { a: [b] } }',
    '{ prefixItems: [{ type: integer }, false], items: { type: string }, minItems: 1, maxItems: 3 }',
    '{ type: array, contains: { const: 1 }, uniqueItems: true }',
    '{ if: { type: object }, then: { required: [b] }, else: { enum: [aa, 1, null] } }',
    '{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }',
    '{ dependentSchemas: { a: { required: [b] } }, not: { const: [] } }',
    '{ type: object, if: { required: [a] } }',
    '{ maxLength: 9223372036854775807, maximum: 9223372036854775807 }',
    '{ type: null }',
    '{ type: [string, "null"], format: unknown }',
    '{ type: object, required: [b], enum: [1], properties: { a: { type: string, minLength: 2 } } }',
    '{ oneOf: [{ required: [a] }, { required: [b] }, { type: integer }] }',
    '{ anyOf: [{ properties: { a: { const: x } }, required: [a] }, { properties: { a: { const: y } } }] }',
    '{ additionalProperties: { oneOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/deep" }] }, $defs: { n: { enum: [5] }, deep: { items: { $ref: "#/$defs/n" }, type: array } } }',
    '{ items: { anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] }, minItems: 2, $defs: { n: { allOf: [{ type: string }, { minLength: 2 }] } } }',
    '{ prefixItems: [{ const: 5 }], items: false }',
    '{ if: { required: [a] }, then: false }',
  ];
  const values = ['"a"', '"aa"', '"aaaa"', '"😀"', '"2026-01-01"', '3', '9', '1e22', '2.5', 'null'];
  const objects = ['{}', '{"a":1}', '{"a":"x"}', '{"b":2}', '{"a":1,"b":"y"}', '{"__proto__":1}'];
  const lists = ['[]', '[1]', '[1,1]', '["a"]', '[1,2,"x",4]', 'true'];
  for (const text of written) {
    const [read, compiled] = [compileSchema(text), compileSchema(text, '', 0)];
    for (const value of [...values, ...objects, ...lists].map((one) => parseJson(one))) {
      const told = `${text} ${stringifyJson(value)}`;
      t.is(read.accepts(value), compiled.accepts(value), told);
      t.deepEqual(read.check(value, 'body'), compiled.check(value, 'body'), told);
    }
  }
});

test('a numeric keyword has the same result beside an exact number', (t) => {
  const numbers = fc.oneof(
    fc.integer({ min: -2_000, max: 2_000 }).map((value) => value / 100),
    fc.maxSafeInteger(),
  );
  const keywords = fc.constantFrom('minimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'const');
  const property = fc.property(keywords, numbers, numbers, (keyword, limit, value) => {
    const of = keyword === 'multipleOf' ? Math.abs(limit) || 0.01 : limit;
    const compiled = compileSchema(JSON.stringify({ properties: { value: { [keyword]: of } } }));
    const ordinary = complaints(compiled, `{"value":${value}}`);
    assert.deepEqual(complaints(compiled, `{"value":${value},"beside":${EXACT}}`), ordinary);
  });
  holds(t, property, 500);
});

test('a violation has the same message beside an exact number', (t) => {
  const instances = ['null', 'true', '"text"', '0.5', '7', '-1', '[]', '{}', '[1]', '1e3'];
  const keywords = [
    { type: 'integer' },
    { type: ['string', 'null'] },
    { type: 'integer', format: 'int32' },
    { type: 'integer', minimum: 1, maximum: 3 },
    { exclusiveMinimum: 1, exclusiveMaximum: 7 },
    { type: 'number', multipleOf: 2 },
    { enum: ['text', 7, { a: 1 }] },
    { const: [1] },
    { type: 'string', minLength: 5, pattern: '^a' },
    { type: 'object', required: ['a'] },
  ];
  for (const schema of keywords) {
    const compiled = compileSchema(JSON.stringify({ properties: { value: schema } }));
    for (const instance of instances) {
      const ordinary = complaints(compiled, `{"value":${instance}}`);
      const exact = complaints(compiled, `{"value":${instance},"beside":${EXACT}}`);
      t.deepEqual([...exact].sort(), [...ordinary].sort(), JSON.stringify(schema));
    }
  }
});

test('limits are exact even where no double can represent them', (t) => {
  const int64 = compileSchema('{ minimum: -9223372036854775808, maximum: 9223372036854775807 }');
  t.true(accepts(int64, '9223372036854775807'));
  t.true(accepts(int64, '-9223372036854775808'));
  t.true(accepts(int64, '9223372036854775807.0'));
  t.deepEqual(complaints(int64, '9223372036854775808'), [
    'body must be at most 9223372036854775807, got 9223372036854775808',
  ]);
  t.false(accepts(int64, '-9223372036854775809'));
  t.false(accepts(int64, '9223372036854775807.00000000000000000001'));
  const open = compileSchema('{ exclusiveMinimum: 9007199254740992, multipleOf: 3 }');
  t.false(accepts(open, '9007199254740992'));
  t.true(accepts(open, '9007199254740993'));
  t.false(accepts(open, '9007199254740994'));
});

test('an ordinary value is on the correct side of an exact limit', (t) => {
  const large = compileSchema(
    '{ maximum: 9223372036854775807, exclusiveMinimum: -9223372036854775809 }',
  );
  t.true(accepts(large, '9007199254740991'));
  t.true(accepts(large, '-9007199254740991'));
  t.false(accepts(compileSchema('{ minimum: 9007199254740993 }'), '9007199254740991'));
  t.true(accepts(compileSchema('{ minimum: 0.1 }'), '0.1'));
  t.false(accepts(compileSchema('{ minimum: 0.1 }'), '0.09999999999999999999999'));
});

test('const and enum compare exact numbers', (t) => {
  const constant = compileSchema('{ const: { id: 9007199254740993 } }');
  t.true(accepts(constant, '{"id":9007199254740993}'));
  t.false(accepts(constant, '{"id":9007199254740992}'));
  t.false(accepts(constant, '{"id":1}'));
  const choice = compileSchema('{ enum: [9007199254740993, 18446744073709551615, a] }');
  t.true(accepts(choice, '18446744073709551615'));
  t.true(accepts(choice, '"a"'));
  t.false(accepts(choice, '18446744073709551614'));
  t.deepEqual(complaints(choice, '9007199254740992'), [
    'body must be one of 9007199254740993, 18446744073709551615, "a", got 9007199254740992',
  ]);
});

test('items that differ in the last digit are unique, and equal ones are not', (t) => {
  const unique = compileSchema('{ type: array, uniqueItems: true }');
  t.true(accepts(unique, '[9007199254740992, 9007199254740993]'));
  t.false(accepts(unique, '[9007199254740993, 9007199254740993]'));
  t.false(accepts(unique, '[9007199254740993, 9007199254740993.0]'));
  t.false(accepts(unique, '[{"a":9007199254740993}, {"a":9007199254740993}]'));
  t.false(accepts(unique, '[1.00000000000000000001, 1.00000000000000000001]'));
  t.true(accepts(unique, '[1.00000000000000000001, 1.00000000000000000002]'));
});

test('equal items are found in any spelling, whatever their type is', (t) => {
  const unique = compileSchema('{ type: array, uniqueItems: true }');
  t.false(accepts(unique, '[1, 1.0]'));
  t.false(accepts(unique, '[{"a":1,"b":[2]}, 0, {"b":[2.0],"a":1}]'));
  t.false(accepts(unique, '[1e400, 10e399]'));
  t.true(accepts(unique, '[1, "1", [1], ["1"], {"1":1}, true, "true", null, "null"]'));
  t.true(accepts(unique, '[[1, 2], [12], ["1,2"], [2, 1]]'));
  const words = compileSchema('{ type: array, items: { type: string }, uniqueItems: true }');
  t.false(accepts(words, '["__proto__", "__proto__"]'));
});

test('100,000 items are compared with each other, and with a long enum, in seconds', (t) => {
  const items = Array.from({ length: 100_000 }, (_, index) => `{"b":${index},"a":[]}`);
  const unique = compileSchema('{ type: array, items: { type: object }, uniqueItems: true }');
  const values = Array.from({ length: 2_000 }, (_, index) => `{ a: [], b: ${index * 50} }`);
  const listed = compileSchema(`{ items: { enum: [${values.join()}] } }`);
  const started = process.cpuUsage();
  t.true(accepts(unique, `[${items.join()}]`));
  t.false(accepts(unique, `[${items.join()},{"a":[],"b":0}]`));
  t.false(accepts(unique, `[${items.join()},{"a":[],"b":0},${EXACT}]`));
  t.true(accepts(listed, `[${items.filter((_, index) => index % 50 === 0).join()}]`));
  t.false(accepts(listed, `[${items[50]},${items[51]}]`));
  t.true(process.cpuUsage(started).user < 10_000_000);
});

test('multipleOf uses the decimal number of the document', (t) => {
  const cents = compileSchema('{ type: number, multipleOf: 0.01 }');
  for (const price of ['19.99', '0.07', '1.1', '4.35', '1.15', '-0.29', '1234567.89']) {
    t.true(accepts(cents, price), price);
  }
  t.false(accepts(cents, '19.999'));
  for (const mostSteps of [0, 10_000]) {
    const pairs = compileSchema('{ multipleOf: 2 }', '', mostSteps);
    t.deepEqual(
      ['4e300', '7', '1e22'].map((one) => accepts(pairs, one)),
      [true, false, true],
    );
  }
});

test('a recursive schema is followed as deep as the value', (t) => {
  const tree = compileSchema(
    `
    $defs:
      node:
        type: object
        required: [name]
        properties:
          name: { type: string }
          children: { type: array, items: { $ref: '#/$defs/node' } }
          parent: { $ref: '#/$defs/node' }
    $ref: '#/$defs/node'
    `,
  );
  t.true(accepts(tree, '{"name":"a","children":[{"name":"b","children":[]}]}'));
  t.deepEqual(complaints(tree, '{"name":"a","children":[{"name":"b","children":[{"name":1}]}]}'), [
    'body/children/0/children/0/name must be a string, got 1',
  ]);
  const deep = `${'{"name":"a","children":['.repeat(400)}{"name":1}${']}'.repeat(400)}`;
  t.is(complaints(tree, deep).length, 1);
  t.false(accepts(tree, `{"name":"a","children":[{"id":${EXACT}}]}`));
});

test('a value that several branches follow is validated in linear time', (t) => {
  const operator = (name: string) => `
  ${name}:
    type: object
    required: [op, left]
    properties: { op: { const: ${name} }, left: { $ref: '#/$defs/filter' } }
    unevaluatedProperties: false`;
  const filter = compileSchema(
    `$defs:
  filter: { oneOf: [{ type: integer }, { $ref: '#/$defs/and' }, { $ref: '#/$defs/or' }] }
${operator('and')}${operator('or')}`,
    '/$defs/filter',
  );
  const nest = (depth: number, inner: string): string =>
    `${'{"op":"and","left":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;
  const started = process.cpuUsage();
  t.deepEqual(complaints(filter, nest(300, '1')), []);
  t.deepEqual(complaints(filter, nest(300, '{"op":"or","left":1}')), []);
  for (const wrong of ['"x"', '{"op":"or","left":1,"right":2}', EXACT.concat('.5')]) {
    const found = complaints(filter, nest(30, wrong));
    t.true(found.length > 30 && found.length < 1_000, `${found.length}`);
    const deepest = `body${'/left'.repeat(30)}`;
    t.true(
      found.some((one) => one.startsWith(deepest)),
      wrong,
    );
  }
  const same = { op: 'and', left: { op: 'or', left: 1 } };
  t.deepEqual(filter.check({ op: 'and', left: same }, 'body'), []);
  t.true(process.cpuUsage(started).user < 10_000_000);
});

test('two schemas that reference each other both work', (t) => {
  const text = `
    $defs:
      a: { properties: { b: { $ref: '#/$defs/b' } } }
      b: { properties: { a: { $ref: '#/$defs/a' } }, type: object }
  `;
  t.deepEqual(complaints(compileSchema(text, '/$defs/a'), '{"b":{"a":{"b":1}}}'), [
    'body/b/a/b must be an object, got 1',
  ]);
  t.deepEqual(complaints(compileSchema(text, '/$defs/b'), '{"a":{"b":{"a":{"b":null}}}}'), [
    'body/a/b/a/b must be an object, got null',
  ]);
});

test('100,000 invalid items get a report of limited length', (t) => {
  const schema = compileSchema('{ type: array, items: { type: integer, minimum: 1 } }');
  for (const item of ['"wrong"', '-1', EXACT.padStart(EXACT.length + 1, '-')]) {
    const violations = complaints(schema, `[${`${item},`.repeat(99_999)}${item}]`);
    t.true(violations.length >= 1 && violations.length <= 1_000, `${violations.length}`);
  }
  t.true(complaints(schema, `[${'"wrong",'.repeat(1_999)}1]`).length <= 1_000);
});

const words: readonly (readonly [schema: string, instance: string, ...violations: string[]])[] = [
  ['{ type: string }', '12', 'body must be a string, got 12'],
  ['{ type: integer }', '1.5', 'body must be an integer, got 1.5'],
  ['{ type: [string, "null"] }', '[]', 'body must be a string or null, got an empty array'],
  ['{ type: array }', '{}', 'body must be an array, got an object'],
  ['{ type: integer, format: int64 }', '"12"', 'body must be an int64, got the string "12"'],
  ['{ type: integer, format: int32 }', '2147483648', 'body must be an int32, got 2147483648'],
  [
    '{ type: integer, format: int64 }',
    '9223372036854775808',
    'body must be an int64, got 9223372036854775808',
  ],
  ['{ type: integer, format: uint8 }', '-1', 'body must be a uint8, got -1'],
  ['{ format: email }', '"x"', 'body must be an email, got the string "x"'],
  ['{ required: [name] }', '{}', 'body/name is required but missing'],
  ['{ required: ["a/b~c"] }', '{}', 'body/a~1b~0c is required but missing'],
  ['{ additionalProperties: false }', '{"x":1}', 'body/x is not allowed'],
  [
    '{ properties: { a: {} }, unevaluatedProperties: false }',
    '{"a":1,"b":2}',
    'body/b is not allowed',
  ],
  ['{ properties: { a: false } }', '{"a":1}', 'body/a is not allowed'],
  ['{ enum: [a, 1, null] }', '"b"', 'body must be one of "a", 1, null, got the string "b"'],
  ['{ const: { a: 1 } }', '1', 'body must be {"a":1}, got 1'],
  ['{ pattern: ^a }', '"b"', 'body must match the pattern "^a", got the string "b"'],
  ['{ minimum: 1 }', '0', 'body must be at least 1, got 0'],
  ['{ maximum: 1.5 }', '2', 'body must be at most 1.5, got 2'],
  ['{ exclusiveMinimum: 1 }', '1', 'body must be more than 1, got 1'],
  ['{ exclusiveMaximum: 1 }', '1', 'body must be less than 1, got 1'],
  ['{ multipleOf: 3 }', '4', 'body must be a multiple of 3, got 4'],
  ['{ minLength: 2 }', '"a"', 'body must NOT have fewer than 2 characters, got the string "a"'],
  ['{ maxItems: 1 }', '[1,2]', 'body must NOT have more than 1 items, got an array'],
  [
    '{ uniqueItems: true }',
    '[1,2,2,1,{}]',
    'body must NOT have duplicate items (items ## 0 and 3 are identical), got an array',
  ],
  [
    '{ type: object, required: [a], properties: { b: { type: integer, minimum: 3 } } }',
    '{"b":"x"}',
    'body/a is required but missing',
    'body/b must be an integer, got the string "x"',
  ],
];

for (const [schema, instance, ...violations] of words) {
  test(`${schema} reports for ${instance}: ${violations.join('; ')}`, (t) => {
    t.deepEqual([...complaints(compileSchema(schema), instance)].sort(), violations.sort());
  });
}

test('a violation has pointer, keyword, expected and actual value', (t) => {
  const schema = compileSchema(
    '{ properties: { "a/b": { items: { type: integer, format: int64 } } } }',
  );
  t.deepEqual(schema.check({ 'a/b': [1, '2'] }, 'query', '/filter'), [
    {
      in: 'query',
      pointer: '/filter/a~1b/1',
      keyword: 'type',
      expected: 'an int64',
      got: 'the string "2"',
      message: 'query/filter/a~1b/1 must be an int64, got the string "2"',
    },
  ]);
});

test('a long value is shortened', (t) => {
  const [complaint = ''] = complaints(
    compileSchema('{ type: integer }'),
    `"${'x'.repeat(10_000)}"`,
  );
  t.true(complaint.length < 200, complaint);
});

test('names of inherited members are ordinary names', (t) => {
  const schema = compileSchema(
    '{ required: [toString], properties: { constructor: { type: string } } }',
  );
  t.deepEqual(complaints(schema, '{}'), ['body/toString is required but missing']);
  t.deepEqual(complaints(schema, '{"toString":1,"constructor":2}'), [
    'body/constructor must be a string, got 2',
  ]);
});

test('a schema that cannot be compiled is reported with position and remedy', (t) => {
  const schema = compileSchema('components:\n  bad:\n    type: nothing\n', '/components/bad');
  const error = t.throws(() => schema.check(1, 'body'));
  t.regex(error.message, /^schema\.yaml:3:5 error: this schema cannot be compiled/);
  t.regex(error.message, /JSON Schema 2020-12/);
});

const PETS = `
components:
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { hound: '#/components/schemas/Dog' } }
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, age: { type: integer } } }
    Dog: { type: object, required: [kind, bark], properties: { kind: { type: string }, bark: { type: boolean } } }
`;

test('the discriminator of a request selects between schemas that both match', (t) => {
  const schema = compileSchema(PETS, '/components/schemas/Pet');
  t.true(accepts(schema, '{"kind":"Dog","bark":true}'));
  t.true(accepts(schema, '{"kind":"hound","bark":true}'));
  t.deepEqual(complaints(schema, '{"kind":"hound"}'), ['body/bark is required but missing']);
  t.deepEqual(complaints(schema, '{"kind":"Cat","age":"x"}'), [
    'body/age must be an integer, got the string "x"',
  ]);
});

test('an unknown discriminator value is validated against the union alone', (t) => {
  const schema = compileSchema(PETS, '/components/schemas/Pet');
  t.true(accepts(schema, '{"kind":"lion","age":3}'));
  t.false(accepts(schema, '{"age":3}'));
});

test('internationalized formats are asserted', (t) => {
  const facts: readonly (readonly [format: string, good: string, bad: string])[] = [
    ['idn-email', '실례@실례.테스트', 'no address'],
    ['idn-email', 'joe.bloggs@example.com', 'joe@'],
    ['idn-email', 'joe@x', 'joe@-x'],
    ['idn-email', 'joe@bücher.example', 'joe@bücher_.example'],
    ['idn-email', 'joe@example.com', 'joe@example..com'],
    ['idn-email', '2962@x', '2962'],
    ['idn-hostname', '실례.테스트', '-실례'],
    ['iri', 'http://ƒøø.ßår/?∂éœ=πîx#πîüx', '/abc'],
    ['iri', 'http://[2001:db8::1]:8080/', 'http://2001:db8::1'],
    ['iri-reference', '/âππ', '\\\\WINDOWS\\filëßåré'],
    ['iri-reference', '#ƒrägmênt', '#ƒräg\\mênt'],
  ];
  for (const [format, good, bad] of facts) {
    const schema = compileSchema(`{ format: ${format} }`);
    t.true(accepts(schema, JSON.stringify(good)), good);
    t.false(accepts(schema, JSON.stringify(bad)), bad);
  }
});

test('a pattern in the syntax of another language is translated', (t) => {
  const facts: readonly (readonly [pattern: string, good: string, bad: string])[] = [
    ['^[a-z]+\\.(?i)(pdf|png)$', 'a.PDF', 'a.gif'],
    ['\\A(?P<year>\\d{4})\\Z', '2026', '26'],
    ['^[[:alpha:]]++$', 'abc', '1'],
    ['^[\\w\\-]+$', 'a-b', 'a b'],
  ];
  for (const [pattern, good, bad] of facts) {
    const schema = compileSchema(JSON.stringify({ pattern }));
    t.true(accepts(schema, JSON.stringify(good)), pattern);
    t.false(accepts(schema, JSON.stringify(bad)), pattern);
  }
});

test('a base schema that lists its heirs, which extend it in allOf, is validated once', (t) => {
  const family = `
components:
  schemas:
    Base:
      type: object
      required: [kind]
      oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }]
    A: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: [a] }] }
    B: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: [b] }] }
    List: { properties: { next: { $ref: '#/components/schemas/List' }, end: { type: boolean } } }
`;
  const base = compileSchema(family, '/components/schemas/Base');
  t.true(accepts(base, '{"kind":1,"a":1}'));
  t.false(accepts(base, '{"kind":1,"a":1,"b":1}'));
  t.false(accepts(base, '{"a":1}'));
  const heir = compileSchema(family, '/components/schemas/A');
  t.true(accepts(heir, '{"kind":1,"a":1}'));
  t.false(accepts(heir, '{"kind":1}'));
  const list = compileSchema(family, '/components/schemas/List');
  t.false(accepts(list, '{"next":{"next":{"end":1}}}'));
});
