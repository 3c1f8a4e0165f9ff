import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import fc from 'fast-check';
import { compileLinear, guardPattern } from '../../src/schema/linear-pattern.ts';
import { compilePattern } from '../../src/schema/pattern.ts';
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

test('no text keeps a pattern busy', (t) => {
  for (const [pattern, text] of Object.entries(busy)) {
    const started = performance.now();
    t.false(guardPattern(compilePattern(pattern)).test(text), pattern);
    t.true(performance.now() - started < 10_000, pattern);
  }
});

/** What documents have; going back finds no other way through it. */
const quick = [
  '^[a-zA-Z0-9_]*$',
  '^\\d{5}(-\\d{4})?$',
  '^(0|[1-9][0-9]*)$',
  '^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$',
  '^.*$',
  '\\S',
  'fooBar',
];

test('a pattern of the usual kinds says what JavaScript says', (t) => {
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
      const expression = compilePattern(pattern);
      t.is(guardPattern(expression).test(text), expression.test(text), `${pattern} on ${text}`);
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

test('RE2 says of every pattern that it is given what JavaScript says', (t) => {
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

test('Ajv validates by patterns that are guarded', (t) => {
  const regExp = (pattern: string) => guardPattern(compilePattern(pattern));
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
