import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import {
  JsonError,
  type JsonFault,
  MAXIMUM_DEPTH,
  parseJson,
  parseJsonOrText,
} from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { compareFractions, readFraction } from '../support/decimal.ts';
import { exactNumberTexts, nearlyJsonTexts, safeJsonTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

/** @returns the fault for which the text is refused; undefined when it is taken */
function faultOf(text: string): JsonFault | undefined {
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return error.fault;
    throw error;
  }
}

/**
 * After a key with a backslash, V8 of Node.js 24 may take another key for it that is written with an
 * escape: `{"":1,"\\":2}`, then `{"":1,"\u004e":2}`. Such keys are read in a realm of their own.
 */
const parseInOtherRealm = runInNewContext('JSON.parse') as typeof JSON.parse;
const textsWithoutBackslash = safeJsonTexts.filter((text) => !/\\\\|\\u005c/i.test(text));

function isTakenByPlatform(text: string): boolean {
  try {
    parseInOtherRealm(text);
    return true;
  } catch {
    return false;
  }
}

/** A negative zero is a zero: JSON knows one only. */
function parseByPlatform(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => (Object.is(value, -0) ? 0 : value));
}

test('text with safe numbers and unique keys is parsed like JSON.parse', (t) => {
  const property = fc.property(
    textsWithoutBackslash,
    fc.string({ unit: fc.constantFrom(' ', '\n') }),
    (text, gap) => {
      assert.deepEqual(parseJson(gap + text + gap), parseByPlatform(text));
    },
  );
  holds(t, property, 2_000);
});

test('an ordinary value is serialized like JSON.stringify', (t) => {
  const property = fc.property(textsWithoutBackslash, (text) => {
    assert.equal(stringifyJson(parseJson(text)), JSON.stringify(parseByPlatform(text)));
  });
  holds(t, property, 1_000);
});

test('every number keeps its exact value when parsed and serialized', (t) => {
  const property = fc.property(fc.array(exactNumberTexts, { minLength: 1 }), (numbers) => {
    const written = stringifyJson(parseJson(`[${numbers.join(', ')}]`))
      .slice(1, -1)
      .split(',');
    assert.equal(written.length, numbers.length);
    for (const [index, text] of numbers.entries()) {
      const same = compareFractions(readFraction(written[index] ?? ''), readFraction(text)) === 0;
      assert.ok(same, `${text} became ${written[index]}`);
    }
  });
  holds(t, property, 1_000);
});

test('a number deep in a value keeps its exact value', (t) => {
  const text =
    '{"a":[{"b":9223372036854775807,"c":1.5,"d":"9223372036854775808"}],"e":1.00000000000000000001}';
  t.is(stringifyJson(parseJson(text)), text);
});

test('numbers near the limits of doubles are distinguished', (t) => {
  for (const text of [
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551615',
    '0.1',
    '0.10000000000000000555',
    '123456789012345678901234567890.123456789',
  ]) {
    t.is(stringifyJson(parseJson(text)), text);
  }
});

test('the parser refuses exactly what JSON.parse refuses', (t) => {
  const property = fc.property(nearlyJsonTexts, (text) => {
    const fault = faultOf(text);
    if (isTakenByPlatform(text)) assert.notEqual(fault, 'syntax', text);
    else assert.notEqual(fault, undefined, text);
  });
  holds(t, property, 5_000);
});

test('the parser throws nothing but JsonError', (t) => {
  const property = fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
    assert.equal(faultOf(text) === undefined, isTakenByPlatform(text));
  });
  holds(t, property, 2_000);
});

test('common text that is not JSON is refused', (t) => {
  for (const text of [
    '',
    ' ',
    'NaN',
    'Infinity',
    'undefined',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1e',
    '0x10',
    "'a'",
    '"a',
    '"\\x"',
    '"\\u12G4"',
    '"\t"',
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{a:1}',
    '{"a" 1}',
    '1 2',
    '[] []',
    '/* a */ 1',
    '\u00a0 1',
    '\ufeff1',
  ]) {
    t.is(faultOf(text), 'syntax', JSON.stringify(text));
  }
});

test('a repeated key is refused in any notation', (t) => {
  const property = fc.property(fc.string({ unit: 'binary' }), (key) => {
    const escaped = [...Array(key.length).keys()]
      .map((index) => `\\u${key.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join('');
    const fault = faultOf(`{${JSON.stringify(key)}:1,"another":{},"${escaped}":2}`);
    assert.equal(fault, 'duplicate-key');
  });
  holds(t, property);
  t.is(faultOf('{"__proto__":1,"__proto__":1}'), 'duplicate-key');
  t.is(faultOf('[{"a":1},{"a":1},{"b":{"a":1},"a":1}]'), undefined);
});

test('an error states expected and actual text, line and column', (t) => {
  const complaints = {
    '{"a": 1,\n "b": }': 'expected a value, got "}" at line 2, column 7',
    '{"a": 1,\n "a": 2}': 'the key "a" occurs twice at line 2, column 2',
    '{"a": 1': 'expected "," or "}", got the end at line 1, column 8',
    '[\n\n"a\tb"]':
      'a string contains the control character U+0009, which must be escaped at line 3, column 3',
    '"abc': 'the string is never closed, opened at line 1, column 1',
  };
  for (const [text, message] of Object.entries(complaints)) {
    t.throws(() => parseJson(text), { instanceOf: JsonError, message });
  }
});

test('a value can be nested up to the limit', (t) => {
  const nest = (open: string, close: string, depth: number): string =>
    open.repeat(depth) + close.repeat(depth);
  t.is(faultOf(nest('[', ']', MAXIMUM_DEPTH)), undefined);
  t.is(faultOf(nest('[', ']', MAXIMUM_DEPTH + 1)), 'too-deep');
  t.is(faultOf(`${'{"a":'.repeat(MAXIMUM_DEPTH)}1${'}'.repeat(MAXIMUM_DEPTH)}`), undefined);
  t.is(faultOf('{"a":'.repeat(MAXIMUM_DEPTH + 1)), 'too-deep');
  t.is(faultOf('['.repeat(1_000_000)), 'too-deep');
  t.is(faultOf(`[${nest('[', ']', 999)},`.repeat(3)), 'too-deep');
  t.is(faultOf(`[${`${nest('[', ']', MAXIMUM_DEPTH - 1)},`.repeat(3)}1]`), undefined);
});

test('the deepest accepted value can be serialized and walked', (t) => {
  const text = `${'[{"a":'.repeat(MAXIMUM_DEPTH / 2)}9007199254740993${'}]'.repeat(MAXIMUM_DEPTH / 2)}`;
  t.is(stringifyJson(parseJson(text)), text);
});

test('a text is read as JSON if it is JSON, and as it is otherwise', (t) => {
  const gaps = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n') });
  const texts = fc.oneof(nearlyJsonTexts, exactNumberTexts, safeJsonTexts, fc.string());
  const property = fc.property(gaps, texts, (gap, text) => {
    const whole = gap + text + gap;
    const isJson = faultOf(whole) === undefined;
    assert.deepEqual(parseJsonOrText(whole), isJson ? parseJson(whole) : whole);
  });
  holds(t, property, 2_000);
});

test('__proto__ is an ordinary key', (t) => {
  const text = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":2}';
  const value: JsonValue = parseJson(text);
  t.true(isJsonObject(value));
  t.deepEqual(Object.keys(value as object), ['__proto__', 'constructor', 'toString']);
  t.is(Object.getPrototypeOf(value), Object.prototype);
  t.is(Reflect.get({}, 'admin'), undefined);
  t.is(stringifyJson(value), text);
  const exact = '{"__proto__":{"__proto__":9007199254740993}}';
  t.is(stringifyJson(parseJson(exact)), exact);
});

test('a number with too many digits is refused without computing it', (t) => {
  for (const text of [
    '1'.repeat(4_097),
    `0.${'1'.repeat(4_097)}`,
    '1e999999999',
    '1e-999999999',
    `1e${'9'.repeat(1_000)}`,
    '9'.repeat(5_000_000),
  ]) {
    t.is(faultOf(`[${text}]`), 'number-too-long');
  }
  t.is(faultOf('1'.repeat(4_096)), undefined);
  t.is(stringifyJson(parseJson('0e999999999')), '0');
});

test('the time to parse grows linearly with the text', (t) => {
  // Each of these takes minutes where any step looks at the whole of the text again.
  const members = Array.from({ length: 200_000 }, (_, index) => `"k${index}":${index}`).join(',');
  t.is(faultOf(`{${members}}`), undefined);
  t.is(faultOf(`[${'1,'.repeat(2_000_000)}1]`), undefined);
  t.is(faultOf(`"${'\\n\\u00e9'.repeat(500_000)}"`), undefined);
  t.is(faultOf(`${' \n'.repeat(5_000_000)}1`), undefined);
  t.is(faultOf(`"${'a'.repeat(20_000_000)}"`), undefined);
  t.is(faultOf(`[${'"\\"",'.repeat(500_000)}1]`), undefined);
  t.is(faultOf(`[${'\n[],'.repeat(500_000)}x]`), 'syntax');
  t.is(faultOf(`[${'123456789012345678901,'.repeat(200_000)}1]`), undefined);
});
