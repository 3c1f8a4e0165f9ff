import assert from 'node:assert/strict';
import test from 'ava';
import { isEqual, toCanonicalText } from '../../src/base/json/equal.ts';
import { compareNumbers, isInteger, isMultipleOf } from '../../src/base/json/number.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { Decimal, type JsonNumber } from '../../src/base/json/value.ts';
import { numberFormats } from '../../src/schema/formats.ts';
import { compareFractions, readFraction } from '../support/decimal.ts';
import { exactNumberTexts } from '../support/json-texts.ts';
import { fc, holds } from '../support/properties.ts';

function read(text: string): JsonNumber {
  const value = parseJson(text);
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal) {
    return value;
  }
  throw new Error(`no number: ${text}`);
}

/** @returns what the format says of the number as it is read from this text */
function accepts(format: string, text: string): boolean | undefined {
  return numberFormats.get(format)?.accepts(read(text));
}

/** Numbers that differ in their last digit, if at all. */
const neighbours = fc
  .tuple(exactNumberTexts, fc.constantFrom('', '0', '1', '00000001'))
  .map(([text, digits]) => {
    const [mantissa = '', power] = text.toLowerCase().split('e');
    const longer = mantissa.includes('.') ? mantissa + digits : `${mantissa}.0${digits}`;
    return [text, power === undefined ? longer : `${longer}e${power}`] as const;
  });

test('two numbers compare by value, whatever their notation', (t) => {
  const pairs = fc.oneof(fc.tuple(exactNumberTexts, exactNumberTexts), neighbours);
  const property = fc.property(pairs, ([left, right]) => {
    const expected = compareFractions(readFraction(left), readFraction(right));
    assert.equal(Math.sign(compareNumbers(read(left), read(right))), expected);
    assert.equal(Math.sign(compareNumbers(read(right), read(left))), 0 - expected);
  });
  holds(t, property, 2_000);
});

test('a number equals itself in another notation', (t) => {
  for (const [left, right] of [
    ['1', '1.0'],
    ['100', '1e2'],
    ['9223372036854775807', '9223372036854775807.000'],
    ['9223372036854775807', '92233720368547758.07E2'],
    ['-0', '0'],
    ['0.10', '1e-1'],
    ['1.00000000000000000001', '100000000000000000001e-20'],
  ] as const) {
    t.is(compareNumbers(read(left), read(right)), 0, `${left} and ${right}`);
  }
});

test('two values have one canonical text exactly where they are equal', (t) => {
  const number = fc.constantFrom('1', '1.0', '10e-1', '0', '-0', '0.5', '5e-1', '1e400', '10e399');
  const near = fc.constantFrom(
    '1.00000000000000000001',
    '100000000000000000001e-20',
    '"1"',
    'null',
  );
  const value = fc.oneof(number, near, exactNumberTexts);
  const whole = fc.oneof(
    value,
    fc.array(value, { maxLength: 3 }).map((items) => `[${items.join()}]`),
    fc.tuple(value, value).map(([a, b]) => `{"a":${a},"b":${b}}`),
    fc.tuple(value, value).map(([a, b]) => `{"b":${b},"a":${a}}`),
  );
  const property = fc.property(whole, whole, (left, right) => {
    const [one, other] = [parseJson(left), parseJson(right)];
    assert.equal(toCanonicalText(one) === toCanonicalText(other), isEqual(one, other));
  });
  holds(t, property, 3_000);
});

test('numbers next to a limit are on the correct side', (t) => {
  t.true(compareNumbers(read('9223372036854775808'), read('9223372036854775807')) > 0);
  t.true(compareNumbers(read('9007199254740993'), read('9007199254740992')) > 0);
  t.true(compareNumbers(read('0.30000000000000000001'), read('0.3')) > 0);
  t.true(compareNumbers(read('-0.30000000000000000001'), read('-0.3')) < 0);
  t.true(compareNumbers(read('1e400'), read('1e308')) > 0);
  t.true(compareNumbers(read('1e-400'), read('0')) > 0);
});

test('a number times an integer is a multiple of that number', (t) => {
  const scaled = fc.tuple(
    fc.bigInt({ min: 1n, max: 10n ** 20n }),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.nat(30),
  );
  const property = fc.property(scaled, ([divisor, factor, scale]) => {
    const multiple = read(`${divisor * factor}e-${scale}`);
    assert.equal(isMultipleOf(multiple, read(`${divisor}e-${scale}`)), true);
  });
  holds(t, property, 1_000);
});

test('a number with a remainder is not a multiple', (t) => {
  const parts = fc.tuple(
    fc.bigInt({ min: 2n, max: 10n ** 20n }),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc.bigInt({ min: 1n, max: 10n ** 20n }),
    fc.nat(30),
  );
  const property = fc.property(parts, ([divisor, factor, seed, scale]) => {
    const rest = 1n + (seed % (divisor - 1n));
    const value = read(`${divisor * factor + rest}e-${scale}`);
    assert.equal(isMultipleOf(value, read(`${divisor}e-${scale}`)), false);
  });
  holds(t, property, 1_000);
});

test('multipleOf uses decimal arithmetic, not that of doubles', (t) => {
  t.true(isMultipleOf(read('0.3'), read('0.1')));
  t.true(isMultipleOf(read('1.1'), read('0.01')));
  t.true(isMultipleOf(read('19.99'), read('0.01')));
  t.false(isMultipleOf(read('0.30000000000000000001'), read('0.1')));
  t.true(isMultipleOf(read('9007199254740993'), read('3')));
  t.false(isMultipleOf(read('9007199254740992'), read('3')));
  t.true(isMultipleOf(read('0'), read('0.7')));
  t.true(isMultipleOf(read('1e300'), read('1e-5')));
});

test('an integer is an integer in every notation', (t) => {
  for (const text of [
    '0',
    '-0',
    '1',
    '1.0',
    '1e3',
    '1.5e1',
    '9007199254740993',
    '1e300',
    '-10e-1',
  ]) {
    t.true(isInteger(read(text)), text);
  }
  for (const text of ['0.5', '1.00000000000000000001', '1e-1', '9007199254740993.5', '1e-300']) {
    t.false(isInteger(read(text)), text);
  }
});

const ranges = {
  int8: ['-128', '127'],
  uint8: ['0', '255'],
  int16: ['-32768', '32767'],
  uint16: ['0', '65535'],
  int32: ['-2147483648', '2147483647'],
  uint32: ['0', '4294967295'],
  int64: ['-9223372036854775808', '9223372036854775807'],
  uint64: ['0', '18446744073709551615'],
} as const;

for (const [format, [lowest, highest]] of Object.entries(ranges)) {
  test(`${format} is an integer from ${lowest} to ${highest}`, (t) => {
    t.true(accepts(format, lowest));
    t.true(accepts(format, highest));
    t.true(accepts(format, `${highest}.0`));
    t.true(accepts(format, '0'));
    t.true(accepts(format, '1e2'));
    t.false(accepts(format, String(BigInt(lowest) - 1n)));
    t.false(accepts(format, String(BigInt(highest) + 1n)));
    t.false(accepts(format, '0.5'));
    t.false(accepts(format, `${highest}.00000000000000000001`));
    t.false(accepts(format, '1e400'));
  });
}

test('a float is a number that single precision can represent', (t) => {
  for (const text of ['0', '1.5', '-1.5', '3.4028234e38', '-3.4028234e38', '1e-46', '0.1']) {
    t.true(accepts('float', text), text);
  }
  for (const text of ['3.5e38', '-3.5e38', '1e39', '1.7e308', '1e400']) {
    t.false(accepts('float', text), text);
  }
});

test('the largest float is a float in every common notation', (t) => {
  const largest = new Float32Array(new Uint32Array([0x7f7fffff]).buffer)[0] ?? Number.NaN;
  t.true(accepts('float', JSON.stringify(largest)));
  t.true(accepts('float', JSON.stringify(-largest)));
  t.true(accepts('float', String(BigInt(largest))));
});

test('a double is a number that double precision can represent', (t) => {
  for (const text of ['0', '1.5', '1e308', '5e-324', '1e-400', '9007199254740993']) {
    t.true(accepts('double', text), text);
  }
  t.true(accepts('double', JSON.stringify(Number.MAX_VALUE)));
  t.true(accepts('double', JSON.stringify(-Number.MAX_VALUE)));
  t.true(accepts('double', String(BigInt(Number.MAX_VALUE))));
  for (const text of ['1.8e308', '-1.8e308', '1e309', '1e400']) {
    t.false(accepts('double', text), text);
  }
});

test('a body of long numbers is read in time that grows with its length', (t) => {
  const number = `1${'0'.repeat(4094)}1`;
  const started = performance.now();
  parseJson(`[${Array(1000).fill(number).join(',')}]`);
  t.true(performance.now() - started < 5000);
});

test('numbers have the same canonical text exactly if they are equal', (t) => {
  const pairs = fc.oneof(fc.tuple(exactNumberTexts, exactNumberTexts), neighbours);
  const property = fc.property(pairs, ([left, right]) => {
    const [one, other] = [read(left), read(right)];
    const isSame = toCanonicalText(one) === toCanonicalText(other);
    assert.equal(isSame, compareNumbers(one, other) === 0);
  });
  holds(t, property);
});
