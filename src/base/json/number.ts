import { Decimal, type JsonNumber, type JsonValue } from './value.ts';

/** The parts of a decimal number: `sign · digits · 10^exponent`, digits without outer zeros. */
interface Decomposed {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const ZERO = 0x30;

/** A double holds fifteen digits exactly. */
const SAFE_INTEGER = /^-?\d{1,15}$/;

/** Longer numbers are refused: RFC 8259 §6 allows a limit, and their cost is quadratic. */
export const MAXIMUM_DIGITS = 4096;

/**
 * Returns the number, bigint or Decimal that denotes exactly the same number as a text (RFC 8259 §6);
 * undefined when it has more than {@link MAXIMUM_DIGITS} digits written out.
 */
export function readExactNumber(text: string): JsonNumber | undefined {
  if (SAFE_INTEGER.test(text)) return Number(text) + 0;
  if (text.length > MAXIMUM_DIGITS) return undefined;
  const exact = decompose(text);
  if (exact.digits === '') return 0;
  if (Math.abs(exact.exponent) > MAXIMUM_DIGITS) return undefined;
  const double = Number(text);
  if (exact.exponent >= 0) return Number.isSafeInteger(double) ? double : toBigInt(exact);
  return isSame(exact, decompose(String(double))) ? double : new Decimal(text);
}

/** The grammar of a number in JSON (RFC 8259 §6). */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the number that a text is in JSON; undefined for any other text. */
export function readNumber(text: string): JsonNumber | undefined {
  return JSON_NUMBER.test(text) ? readExactNumber(text) : undefined;
}

/** Returns true for a number in any of its three forms. */
export function isNumber(value: JsonValue): value is JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal;
}

/** Returns true for a mathematical integer, such as `1.0` or `1e3` (JSON Schema Core §4.2.3). */
export function isInteger(value: JsonNumber): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Compares two numbers by value: negative, zero or positive where `left` is less, equal, greater. */
export function compareNumbers(left: JsonNumber, right: JsonNumber): number {
  if (!(left instanceof Decimal) && !(right instanceof Decimal)) {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const [a, b] = align(decompose(String(left)), decompose(String(right)));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns a text that two numbers share exactly where {@link compareNumbers} finds them equal. */
export function toCanonicalNumber(value: JsonNumber): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'number' && Number.isInteger(value)) return String(BigInt(value));
  // Only an integer is a bigint, and a Decimal always has a fraction.
  const { negative, digits, exponent } = decompose(String(value));
  return `${negative ? '-' : ''}${digits}e${exponent}`;
}

/** Returns true when `value` is `divisor` times an integer (JSON Schema Validation §6.2.1). */
export function isMultipleOf(value: JsonNumber, divisor: JsonNumber): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) {
    return Number(value) % Number(divisor) === 0;
  }
  const [a, b] = align(decompose(String(value)), decompose(String(divisor)));
  return b !== 0n && a % b === 0n;
}

function decompose(text: string): Decomposed {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? mantissa.slice(1) : mantissa).split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  // A pattern for the zeros at the end would try each zero of the number as their beginning.
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  const significant = digits.slice(0, end);
  const exponent = Number(power) - fraction.length + (digits.length - significant.length);
  return { negative, digits: significant, exponent };
}

function isSame(left: Decomposed, right: Decomposed): boolean {
  return (
    left.digits === right.digits &&
    left.exponent === right.exponent &&
    left.negative === right.negative
  );
}

function toBigInt({ negative, digits, exponent }: Decomposed): bigint {
  const magnitude = BigInt(digits + '0'.repeat(exponent));
  return negative ? -magnitude : magnitude;
}

/** Returns both numbers as integers of a common power of ten. */
function align(left: Decomposed, right: Decomposed): [bigint, bigint] {
  const lowest = Math.min(left.exponent, right.exponent);
  return [
    toBigInt({ ...left, exponent: left.exponent - lowest }),
    toBigInt({ ...right, exponent: right.exponent - lowest }),
  ];
}
