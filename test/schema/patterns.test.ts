import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import fc from 'fast-check';
import { createMock } from '../../src/index.ts';
import { compileLinear } from '../../src/schema/pattern/linear.ts';
import { compilePattern } from '../../src/schema/pattern/pattern.ts';
import { readPattern } from '../../src/schema/pattern/syntax.ts';
import { createFolder } from '../support/folder.ts';
import { holds } from '../support/properties.ts';

/** Patterns that JavaScript's engine takes hours for, and a text that does it. */
const busy: Readonly<Record<string, string>> = {
  '^(\\w+\\s?)*$': `${'a'.repeat(50)}!`,
  '^(a+)+$': `${'a'.repeat(50)}!`,
  '(a|a)*b': 'a'.repeat(50),
  '^(([a-z])+.)+[A-Z]([a-z])+$': 'a'.repeat(60),
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$':
    'a'.repeat(60),
  '^(a|b|ab)*c$': 'ab'.repeat(40),
  '^(a?){40}a{40}$': 'a'.repeat(39),
  '(x+x+)+y': 'x'.repeat(50),
  '^(\\d+\\-?)*$': `${'1'.repeat(50)}!`,
  'a*b': 'a'.repeat(200_000),
  '^(b?a?b?a?){12}$': 'a'.repeat(60),
  '\\s+$': `${' '.repeat(200_000)}.`,
};

test('no input makes a pattern slow', (t) => {
  for (const [pattern, text] of Object.entries(busy)) {
    const started = performance.now();
    t.false(compilePattern(pattern).test(text), pattern);
    t.true(performance.now() - started < 10_000, pattern);
  }
});

/** Patterns of real documents; backtracking finds no other match. */
const quick = [
  '^[a-zA-Z0-9_]*$',
  '^\\d{5}(-\\d{4})?$',
  '^(0|[1-9][0-9]*)$',
  '^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$',
  '^.*$',
  '\\S',
  'fooBar',
];

test('common patterns work as in JavaScript', (t) => {
  const texts = [
    '',
    'a_1',
    '12345',
    '12345-6789',
    '0',
    '10',
    '01',
    '#fff',
    '#ffffff',
    'fooBar',
    ' \n',
  ];
  for (const pattern of [...quick, ...Object.keys(busy)]) {
    for (const text of texts) {
      const { source, flags } = readPattern(pattern);
      const expected = new RegExp(source, flags).test(text);
      t.is(compilePattern(pattern).test(text), expected, `${pattern} on ${text}`);
    }
  }
});

const items = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '[^]',
    '[]',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    'é',
    '\\u0061',
  ],
  ...[
    '\\u{1F335}',
    '🌵',
    '[🌵a]',
    '[^🌵]',
    '\\ud83c',
    '\\udf35',
    '[\\ud800-\\udbff]',
    '\\x61',
    '\\n',
    '\\-',
  ],
  ...['^', '$', '\\b', '(?=a)', '(?!a)', '(?<=b)', '\\/', '\\cA', '\\0', '[\\b]'],
);
const quantifiers = fc.constantFrom(
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,2}',
  '{0}',
  '{2,}',
  '*?',
  '+?',
);
const sources = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc
    .tuple(
      fc.oneof(
        { maxDepth: 3 },
        items,
        tie('pattern').map((inner) => `(${inner})`),
        tie('pattern').map((inner) => `(?:${inner})`),
      ),
      quantifiers,
    )
    .map((both) => both.join('')),
  pattern: fc
    .array(
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((alternatives) => alternatives.join('|')),
})).pattern;
const texts = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'é',
    '1',
    ' ',
    '\n',
    '_',
    '🌵',
    '\ud83c',
    '\udf35',
    '\u2028',
    '\ufeff',
    '\0',
    '-',
  ),
  maxLength: 5,
});

test('RE2 and JavaScript agree on every pattern that RE2 gets', (t) => {
  let translated = 0;
  const property = fc.property(sources, fc.constantFrom('u', ''), texts, (source, flags, text) => {
    const pattern = toPattern(source, flags);
    const linear = pattern && compileLinear(pattern);
    if (pattern === undefined || linear === undefined) return;
    translated++;
    assert.equal(linear.test(text), pattern.test(text), `${pattern.source} on ${escape(text)}`);
  });
  holds(t, property, 5_000);
  t.true(translated > 300, `${translated} of 5000 were translated`);
});

function toPattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

test('Ajv validates with guarded patterns', (t) => {
  const regExp = (pattern: string) => compilePattern(pattern);
  const ajv = new Ajv2020({
    strict: false,
    code: { regExp: Object.assign(regExp, { code: 'guard' }) },
  });
  const validate = ajv.compile({
    properties: { a: { pattern: '^(x+)+$' }, b: { pattern: '^(y+)+$' } },
    patternProperties: { '^(z|z)*$': { type: 'integer' } },
  });
  t.true(validate({ a: 'xx', b: 'yy', zz: 1 }));
  t.false(validate({ a: 'yy' }));
  t.false(validate({ b: 'xx' }));
  t.false(validate({ zz: 'one' }));
  t.false(validate({ a: `${'x'.repeat(60)}!` }));
});

/** Names of members are matched against `^(z|z)*$`, which takes a backtracking engine ages. */
const NAMED_BY_PATTERN = `
openapi: 3.1.0
info: { title: Names, version: "1" }
paths:
  /shelves:
    get:
      parameters:
        - { name: filter, in: query, style: deepObject, schema: { $ref: "#/components/schemas/Shelf" } }
      responses: { "204": { description: Done } }
    post:
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/Shelf" } }
          application/x-www-form-urlencoded: { schema: { $ref: "#/components/schemas/Shelf" } }
          multipart/form-data: { schema: { $ref: "#/components/schemas/Shelf" } }
          application/xml: { schema: { $ref: "#/components/schemas/Shelf" } }
      responses: { "204": { description: Done } }
components:
  schemas:
    Shelf:
      type: object
      properties: { password: { type: string, format: password } }
      patternProperties: { "^(z|z)*$": { type: string } }
`;

const LONG_NAME = `${'z'.repeat(60)}y`;

const requestsWithLongName: Readonly<Record<string, () => Request>> = {
  'a form': () => post('application/x-www-form-urlencoded', `${LONG_NAME}=1`),
  'a multipart body': () => {
    const form = new FormData();
    form.set(LONG_NAME, '1');
    return new Request('http://mock/shelves', { method: 'POST', body: form });
  },
  'an XML body': () => post('application/xml', `<Shelf><${LONG_NAME}>1</${LONG_NAME}></Shelf>`),
  'a deepObject parameter': () => new Request(`http://mock/shelves?filter[${LONG_NAME}]=1`),
  'a JSON body, which the journal redacts': () =>
    post('application/json', `{"${LONG_NAME}": "1", "password": "secret"}`),
};

function post(type: string, body: string): Request {
  return new Request('http://mock/shelves', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
}

for (const [name, createRequest] of Object.entries(requestsWithLongName)) {
  test(`a member name of ${name} does not make a pattern slow`, async (t) => {
    const folder = await createFolder(t, { 'document.yaml': NAMED_BY_PATTERN });
    const mock = await createMock({ document: join(folder, 'document.yaml'), fixtures: [] });
    t.teardown(() => mock.close());
    const started = process.cpuUsage();
    const response = await mock.fetch(createRequest());
    t.true(response.status < 500, await response.text());
    const journal = await mock.fetch(new Request('http://mock/__admin/requests'));
    t.true((await journal.text()).includes(LONG_NAME));
    t.true(process.cpuUsage(started).user < 10_000_000);
  });
}
