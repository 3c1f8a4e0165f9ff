import { fileURLToPath } from 'node:url';
import test from 'ava';
import { findDocuments } from '../../scripts/sweep/find-documents.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { toPointer } from '../../src/base/json/pointer.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { createRandom } from '../../src/base/random.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { createGenerator } from '../../src/generate/generator.ts';
import { findContradictions } from '../../src/generate/space/contradictions.ts';
import { SchemaCompiler } from '../../src/schema/schema-compiler.ts';
import { describeSchemas, drawnSchemas, NOW, recursiveSchema } from '../support/generation.ts';
import { openForJudging } from '../support/judges.ts';
import { testWith } from '../support/needs.ts';
import { fc } from '../support/properties.ts';

const at = (name: string): string => `/components/schemas${toPointer([name])}`;
const chance = (seed: string) => ({ random: createRandom(seed), now: NOW });
const seeds = Array.from({ length: 12 }, (_, index) => String(index));

function textsOf(names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
}

function codes(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `e${first + index}`);
}

/** Each has values, of which the note says something that they have in common. */
const satisfiable: Readonly<Record<string, unknown>> = {
  'the largest int64': {
    type: 'integer',
    format: 'int64',
    minimum: 9_223_372_036_854_775_800n,
  },
  'fractions of a cent': {
    type: 'number',
    multipleOf: 0.01,
    minimum: 19.985,
    exclusiveMaximum: 20,
  },
  'a narrow range': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e-9 },
  'two divisors': {
    allOf: [{ type: 'integer', multipleOf: 6 }, { multipleOf: 4 }, { minimum: 1 }],
  },
  'huge numbers': { type: 'number', minimum: -1e300, maximum: -1e299 },
  'a pattern with lookaheads': {
    type: 'string',
    pattern: '^(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]).{8,12}$',
  },
  'two patterns and lengths': {
    allOf: [
      { type: 'string', pattern: '^[a-z]+$' },
      { pattern: 'ab' },
      { minLength: 5, maxLength: 6 },
    ],
  },
  'a pattern with a lookbehind': { type: 'string', pattern: '^(?!-)[a-z-]{3,10}(?<!-)$' },
  'a pattern with Unicode properties': { type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' },
  'word boundaries': { type: 'string', pattern: '\\bword\\b', minLength: 10 },
  'a back reference': { type: 'string', pattern: '^(a|b)\\1$' },
  'a pattern with groups': {
    type: 'string',
    pattern: '^([a-z]{2}){1,10}$',
    minLength: 19,
  },
  'a pattern and a format': { type: 'string', format: 'email', pattern: '@corp\\.com$' },
  'a negated pattern': {
    type: 'string',
    pattern: '^[a-z]{4}$',
    not: { pattern: '[aeiou]' },
  },
  'Chinese characters': { type: 'string', pattern: '^[\u4e00-\u9fff]{2,4}$' },
  'a short email': { type: 'string', format: 'email', maxLength: 5 },
  'a long email': { type: 'string', format: 'email', minLength: 50 },
  'a long hostname': { type: 'string', format: 'hostname', minLength: 100 },
  'a short URI': { type: 'string', format: 'uri', maxLength: 4 },
  'a long date-time': { type: 'string', format: 'date-time', minLength: 24 },
  'long bytes': { type: 'string', format: 'byte', minLength: 50 },
  'all values of an enum': {
    type: 'array',
    items: { enum: ['a', 'b', 'c'] },
    minItems: 3,
    uniqueItems: true,
  },
  'all values of a range': {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 20 },
    minItems: 20,
    uniqueItems: true,
  },
  'all pairs of booleans': {
    type: 'array',
    uniqueItems: true,
    minItems: 4,
    items: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
    },
  },
  'a bounded number of contained items': {
    type: 'array',
    contains: { type: 'integer', minimum: 5 },
    minContains: 2,
    maxContains: 3,
    items: { type: ['integer', 'string'] },
    minItems: 6,
  },
  'several contained items': {
    allOf: [{ type: 'array', contains: { const: 1 } }, { contains: { const: 2 } }, { maxItems: 3 }],
  },
  'a tuple': {
    type: 'array',
    prefixItems: [{ type: 'integer' }, { type: 'string' }],
    items: false,
    minItems: 2,
  },
  'a tuple without further items': {
    type: 'array',
    prefixItems: [{ type: 'integer' }],
    unevaluatedItems: false,
    minItems: 1,
  },
  'properties of an allOf part': {
    type: 'object',
    allOf: [{ properties: { a: { type: 'string' } } }],
    properties: { b: { type: 'integer' } },
    unevaluatedProperties: false,
    minProperties: 2,
  },
  'properties of a branch': {
    type: 'object',
    oneOf: [
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'string' } }, required: ['b'] },
    ],
    unevaluatedProperties: false,
  },
  'names with a pattern': {
    type: 'object',
    patternProperties: { '^x-[a-z]{3}$': { type: 'integer' } },
    additionalProperties: false,
    minProperties: 3,
  },
  'names with a schema': {
    type: 'object',
    propertyNames: { pattern: '^[A-Z]{2}$' },
    additionalProperties: { type: 'integer' },
    minProperties: 4,
  },
  'one property above the maximum': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
    required: ['c'],
    maxProperties: 2,
  },
  'a dependent property': {
    type: 'object',
    properties: { card: { type: 'integer' }, billing: { type: 'string' } },
    dependentRequired: { card: ['billing'] },
  },
  'a dependent schema': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    dependentSchemas: { kind: { required: ['extra'], properties: { extra: { type: 'integer' } } } },
  },
  conditions: {
    type: 'object',
    required: ['country', 'zip'],
    properties: { country: { enum: ['US', 'CA'] }, zip: { type: 'string' } },
    if: { properties: { country: { const: 'US' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { properties: { zip: { pattern: '^\\d{5}$' } } },
    else: { properties: { zip: { pattern: '^[A-Z]\\d[A-Z]$' } } },
  },
  'all types but one excluded': { not: { type: ['object', 'array', 'string', 'null', 'boolean'] } },
  'not both': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    not: { required: ['a', 'b'] },
  },
  'a negated enum': { type: 'integer', minimum: 1, maximum: 3, not: { enum: [1, 3] } },
  'a negated range': {
    type: 'array',
    minItems: 2,
    items: { type: 'integer', minimum: 0, maximum: 9 },
    not: { items: { maximum: 5 } },
  },
  'oneOf with limits': {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'integer', maximum: 10 },
    ],
  },
  'oneOf with number and integer': { oneOf: [{ type: 'number' }, { type: 'integer' }] },
  'oneOf with properties': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  'two unions': {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
    allOf: [
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { anyOf: [{ required: ['b'] }, { required: ['c'] }] },
    ],
  },
  'a hundred branches': {
    oneOf: Array.from({ length: 100 }, (_, index) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: `kind-${index}` } },
    })),
  },
  'names of inherited members': {
    type: 'object',
    required: ['__proto__', '$ref', 'constructor', 'toString'],
    properties: { $ref: { type: 'string' }, constructor: { type: 'integer' } },
  },
  'a recursive list': {
    type: 'object',
    required: ['next'],
    properties: {
      next: { anyOf: [{ $ref: '#/components/schemas/a%20recursive%20list' }, { type: 'null' }] },
    },
  },
  'nested lists': {
    type: 'array',
    minItems: 1,
    items: { oneOf: [{ $ref: '#/components/schemas/nested%20lists' }, { type: 'string' }] },
  },
  'mutual recursion': {
    type: 'object',
    required: ['other'],
    properties: { other: { $ref: '#/components/schemas/the%20other' } },
  },
  'the other': {
    type: 'object',
    required: ['ones'],
    properties: {
      ones: {
        type: 'array',
        items: { $ref: '#/components/schemas/mutual%20recursion' },
      },
    },
  },
  'one of several objects without required members': {
    oneOf: Array.from({ length: 9 }, (_, index) => ({
      type: 'object',
      properties: {
        ...textsOf(['id', 'state', `a${index}`, `b${index % 3}`]),
        kind: { enum: ['x', 'y', 'z'] },
        day: { type: 'string', format: 'date' },
        count: { type: 'integer' },
      },
    })),
  },
  'one of several kinds of filters, of filters': {
    type: 'object',
    properties: {
      all: { $ref: '#/components/schemas/filters' },
      some: { $ref: '#/components/schemas/filters' },
      no: {
        $ref: '#/components/schemas/one%20of%20several%20kinds%20of%20filters%2C%20of%20filters',
      },
      field: { type: 'string' },
    },
    oneOf: ['all', 'some', 'no', 'field'].map((name) => ({ required: [name] })),
  },
  filters: {
    type: 'array',
    minItems: 1,
    items: {
      $ref: '#/components/schemas/one%20of%20several%20kinds%20of%20filters%2C%20of%20filters',
    },
  },
  'a chain of dependent schemas': {
    type: 'object',
    required: ['a0'],
    dependentSchemas: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`a${index}`, { required: [`a${index + 1}`] }]),
    ),
  },
  'a choice of long enums': {
    type: 'string',
    enum: codes(0, 3000),
    oneOf: Array.from({ length: 30 }, (_, index) => ({ enum: codes(index * 60, 2000) })),
  },
  'five hundred items': { type: 'array', minItems: 500, items: { type: 'integer' } },
  R: recursiveSchema,
};

for (const name of Object.keys(satisfiable)) {
  test(`generated values conform, confirmed by another validator: ${name}`, async (t) => {
    const { text, generator, schemas } = describeSchemas(satisfiable);
    const judge = await openForJudging(t, parseJson(text))(at(name));
    for (const seed of seeds) {
      const value = generator.generate(at(name), chance(seed));
      if (value === undefined) {
        t.fail(`nothing was found with the seed ${seed}`);
        continue;
      }
      t.deepEqual(schemas.schemaAt(at(name), 'response').check(value, 'body'), []);
      t.true(name === 'the largest int64' || judge(value), stringifyJson(value));
    }
  });
}

test('patterns that are invalid with the u flag work without it', (t) => {
  const pattern = '^[\\-\\.\\w]{3}\\-$';
  const { generator } = describeSchemas({ it: { type: 'string', pattern } });
  for (const seed of seeds)
    t.regex(String(generator.generate(at('it'), chance(seed))), /^[-.\w]{3}-$/);
});

const unsatisfiable: Readonly<Record<string, readonly [schema: unknown, said: RegExp]>> = {
  'crossed limits': [{ type: 'integer', minimum: 5, maximum: 3 }, /minimum is above maximum/],
  'no multiple in range': [
    { type: 'integer', multipleOf: 10, minimum: 1, maximum: 9 },
    /no number/,
  ],
  'two types': [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, /type integer where string/],
  'a required property with a false schema': [
    { type: 'object', required: ['a'], properties: { a: false } },
    /required property "a" cannot be: the schema is false/,
  ],
  'a property that is not allowed': [
    {
      type: 'object',
      properties: {
        p: {
          type: 'object',
          allOf: [{ properties: { a: {} }, additionalProperties: false }, { required: ['b'] }],
        },
      },
      required: ['p'],
    },
    /required property "p" cannot be: the required property "b" cannot be/,
  ],
  'an enum of another type': [{ type: 'string', enum: [1, 2] }, /no value of enum/],
  'two enums': [{ allOf: [{ enum: ['a'] }, { enum: ['b'] }] }, /allows no value/],
  'a pattern above maxLength': [{ type: 'string', pattern: '^a{5}$', maxLength: 3 }, /no text/],
  'an endless recursion': [
    {
      type: 'object',
      required: ['next'],
      properties: { next: { $ref: '#/components/schemas/it' } },
    },
    /without end/,
  ],
  'not anything': [{ not: {} }, /applies always/],
  'branches that are all unsatisfiable': [
    { type: 'string', oneOf: [{ type: 'integer' }, { type: 'null' }] },
    /no branch can be/,
  ],
};

for (const [name, [schema, said]] of Object.entries(unsatisfiable)) {
  test(`an unsatisfiable schema generates nothing and a reason: ${name}`, (t) => {
    const { document, generator } = describeSchemas({ it: schema });
    t.is(generator.generate(at('it'), chance('seed')), undefined);
    const [found] = findContradictions(document, at('it'));
    t.regex(found?.message ?? 'nothing was found', said);
    t.true(found?.pointer.startsWith(at('it')));
  });
}

const twins = Array.from({ length: 50 }, (_, index) => ({
  type: 'object',
  description: `the kind ${index}`,
  properties: { ...textsOf(['id', 'name', `p${index % 16}`]), day: { format: 'date' } },
}));

for (const [name, schema] of Object.entries({
  'fifty branches of which each has a twin': { oneOf: twins },
  'a list of such branches': { type: 'array', minItems: 50, items: { oneOf: twins } },
  'choices within choices': { oneOf: [{ oneOf: twins }, { oneOf: [...twins] }] },
  'choices of the same long enum': {
    oneOf: Array.from({ length: 30 }, () => ({ enum: codes(0, 5_000) })),
  },
  'many choices that exclude each other': {
    allOf: twins.map((one, index) => ({ not: { oneOf: [one, twins[index - 1] ?? {}, {}] } })),
  },
  'a billion items': { type: 'array', minItems: 1e9, items: { type: 'integer' } },
  'a billion characters': { type: 'string', minLength: 1e9 },
  'a billion members': { type: 'object', minProperties: 1e9, additionalProperties: true },
  'a reference loop': { $ref: '#/components/schemas/it' },
})) {
  test(`an impossible schema fails at once: ${name}`, (t) => {
    const { generator } = describeSchemas({ it: schema });
    const started = process.cpuUsage();
    const found = generator.generate(at('it'), chance('seed'));
    t.true(process.cpuUsage(started).user < 5_000_000);
    if (found !== undefined) return;
    const again = process.cpuUsage();
    for (const seed of seeds) t.is(generator.generate(at('it'), chance(seed)), undefined);
    t.true(process.cpuUsage(again).user < 100_000, 'the next request does not search again');
  });
}

test('random schemas have conforming values, or none exists', async (t) => {
  t.timeout(240_000);
  const drawn = fc.sample(drawnSchemas, { seed: 7, numRuns: 250 });
  const all = {
    R: recursiveSchema,
    ...Object.fromEntries(drawn.map((one, index) => [`s${index}`, one])),
  };
  const { text, generator, schemas, document } = describeSchemas(all);
  const open = openForJudging(t, parseJson(text));
  const values: JsonValue[] = [];
  const empty: string[] = [];
  for (const name of Object.keys(all)) {
    const value = generator.generate(at(name), chance(name));
    if (value === undefined) {
      empty.push(name);
      continue;
    }
    values.push(value);
    t.true(
      (await open(at(name)))(value),
      `${JSON.stringify(all[name as 'R'])} ${stringifyJson(value)}`,
    );
    t.deepEqual(findContradictions(document, at(name)), []);
  }
  for (const name of empty) {
    const schema = schemas.schemaAt(at(name), 'response');
    const missed = values.find((value) => schema.check(value, 'body').length === 0);
    t.is(missed, undefined, JSON.stringify(all[name as 'R']));
  }
  t.true(values.length > 120, String(values.length));
});

const user = {
  type: 'object',
  required: ['id', 'email'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    firstName: { type: 'string' },
    email: { type: 'string', format: 'email' },
    city: { type: 'string' },
    price: { type: 'number' },
    createdAt: { type: 'string', format: 'date-time' },
    nickname: { type: 'string', example: 'Mo' },
    status: { type: 'string', enum: ['open', 'closed'] },
  },
};

test('the same random numbers give the same value, whatever came before', (t) => {
  const first = describeSchemas({ user, ...satisfiable }).generator;
  const second = describeSchemas({ user, ...satisfiable }).generator;
  for (const name of Object.keys(satisfiable)) second.generate(at(name), chance('before'));
  for (const name of ['user', ...Object.keys(satisfiable)]) {
    const drawn = [first, second].map((one) => one.generate(at(name), chance('same')));
    t.deepEqual(drawn[0], drawn[1], name);
  }
  t.notDeepEqual(first.generate(at('user'), chance('1')), first.generate(at('user'), chance('2')));
});

test('values fit the names of their properties', (t) => {
  const { generator } = describeSchemas({ user });
  const value = generator.generate(at('user'), chance('seed'));
  if (!isJsonObject(value)) return t.fail();
  t.regex(String(value['firstName']), /^[A-Z][\p{L}'-]+$/u);
  t.regex(String(value['email']), /^[a-z.]+@example\.(?:com|org|net)$/);
  t.regex(String(value['city']), /^[A-Z]/);
  t.true(Number(value['price']) >= 1 && Number(value['price']) <= 500);
  const age = NOW - Date.parse(String(value['createdAt']));
  t.true(age >= 0 && age < 61 * 86_400_000, String(value['createdAt']));
});

test('an example that breaks its format keeps no other example from being given', (t) => {
  const { generator } = describeSchemas({
    it: {
      type: 'object',
      required: ['name', 'soldAt'],
      properties: {
        name: { type: 'string', examples: ['Fern'] },
        soldAt: { type: 'string', format: 'date-time', examples: ['2026-05-01 10:00:00Z'] },
      },
    },
  });
  const values = Array.from({ length: 20 }, (_, index) =>
    generator.generate(at('it'), chance(`seed ${index}`), 'given'),
  );
  t.true(values.every((value) => isJsonObject(value) && value['name'] === 'Fern'));
});

test('an example of a property is always used on request, and often otherwise', (t) => {
  const { generator } = describeSchemas({ user });
  const nicknames = (manner: 'given' | 'free') =>
    seeds.map((seed) => {
      const value = generator.generate(at('user'), chance(seed), manner);
      return isJsonObject(value) ? value['nickname'] : undefined;
    });
  t.deepEqual(new Set(nicknames('given')), new Set(['Mo']));
  const free = nicknames('free').filter((name) => name === 'Mo').length;
  t.true(free > 4 && free < 12, String(free));
});

test('an invalid example is not used', (t) => {
  const { generator } = describeSchemas({
    it: {
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer', maximum: 5, example: 10 } },
    },
  });
  const value = generator.generate(at('it'), chance('seed'), 'given');
  t.true(isJsonObject(value) && Number(value['n']) <= 5);
});

test('x-faker selects the function of Faker', (t) => {
  const { generator } = describeSchemas({
    it: {
      type: 'object',
      required: ['mail', 'first', 'number'],
      properties: {
        mail: { type: 'string', 'x-faker': 'internet.email' },
        first: { type: 'string', 'x-faker': 'name.firstName' },
        number: { type: 'integer', 'x-faker': { 'number.int': [{ min: 5, max: 6 }] } },
        wrong: { type: 'string', maxLength: 2, 'x-faker': 'internet.email' },
      },
    },
  });
  for (const seed of seeds) {
    const value = generator.generate(at('it'), chance(seed));
    if (!isJsonObject(value)) return t.fail();
    t.regex(String(value['mail']), /.@./);
    t.regex(String(value['first']), /^[A-Z]/);
    t.true([5, 6].includes(Number(value['number'])));
    t.true(String(value['wrong'] ?? '').length <= 2);
  }
});

test('requests omit readOnly members, responses writeOnly ones', (t) => {
  const it = {
    type: 'object',
    required: ['id', 'secret', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string' },
    },
  };
  const names = (direction: 'request' | 'response') =>
    Object.keys(describeSchemas({ it }, direction).generator.generate(at('it'), chance('s')) ?? {});
  t.deepEqual(names('request'), ['secret', 'name']);
  t.deepEqual(names('response'), ['id', 'name']);
});

test('a discriminator has the name of its branch', (t) => {
  const branch = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
  const { generator } = describeSchemas({
    cat: { ...branch, required: ['kind', 'lives'] },
    dog: { ...branch, required: ['kind', 'bark'] },
    pet: {
      anyOf: [{ $ref: '#/components/schemas/cat' }, { $ref: '#/components/schemas/dog' }],
      discriminator: { propertyName: 'kind', mapping: { kitty: '#/components/schemas/cat' } },
    },
  });
  const kinds = seeds.map((seed) => {
    const value = generator.generate(at('pet'), chance(seed));
    return isJsonObject(value) ? `${value['kind']} ${'lives' in value ? 'lives' : 'barks'}` : '';
  });
  t.deepEqual([...new Set(kinds)].sort(), ['dog barks', 'kitty lives']);
});

test('a tree that branches at every node stays small', (t) => {
  const { generator } = describeSchemas({ R: recursiveSchema });
  const sizes = seeds.map(
    (seed) => stringifyJson(generator.generate(at('R'), chance(seed)) ?? 0).length,
  );
  t.true(Math.max(...sizes) < 5_000, String(sizes));
});

test('the smallest value has the required members, the full one all declared members', (t) => {
  const { generator } = describeSchemas({ user });
  t.deepEqual(Object.keys(generator.generateMinimal(at('user')) ?? {}), ['id', 'email']);
  t.deepEqual(Object.keys(generator.generateFull(at('user')) ?? {}), Object.keys(user.properties));
  t.deepEqual(
    generator.generateFull(at('user')),
    describeSchemas({ user }).generator.generateFull(at('user')),
  );
});

test('keywords with values that say nothing keep no value from being found', (t) => {
  const nothing = { anyOf: [], oneOf: [], $ref: { type: 'string' }, prefixItems: {} };
  const { generator } = describeSchemas({
    odd: {
      oneOf: [
        { type: 'integer', ...nothing },
        { type: 'string', ...nothing },
      ],
    },
  });
  t.regex(typeof generator.generate(at('odd'), chance('odd')), /number|string/);
});

const shared = fileURLToPath(new URL('../../../shared/documents', import.meta.url));

testWith(shared)('the schemas of real documents have values (../shared/documents)', async (t) => {
  t.timeout(600_000);
  const found = { schemas: 0, values: 0 };
  const unexplained: string[] = [];
  for (const location of findDocuments(shared)) {
    const { document } = await readDocument([{ location }], { allowReference: [shared] });
    const schemas = new SchemaCompiler(document);
    const generator = createGenerator({
      source: document,
      direction: 'response',
      accepts: (pointer, value) => schemas.schemaAt(pointer, 'response').accepts(value),
    });
    const roots = document.entries.flatMap(({ place }) => [
      `${place}/components/schemas`,
      `${place}/definitions`,
    ]);
    for (const root of roots) {
      for (const [, pointer] of document.members(root)) {
        found.schemas++;
        if (generator.generate(pointer, chance(pointer)) !== undefined) found.values++;
        else if (findContradictions(document, pointer).length === 0) {
          unexplained.push(`${location.slice(shared.length + 1)} ${pointer}`);
        }
      }
    }
  }
  t.log(`${found.values} of ${found.schemas} schemas have values`);
  t.deepEqual(unexplained, []);
});
