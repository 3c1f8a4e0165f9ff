/**
 * A second reading of decimal numbers, by whole numbers and a power of ten only: it shares no line
 * with the code that it judges.
 */
export interface Fraction {
  readonly numerator: bigint;
  /** A power of ten. */
  readonly denominator: bigint;
}

/** @param text a number as JSON writes it (RFC 8259 §6) */
export function readFraction(text: string): Fraction {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) throw new Error(`no number: ${text}`);
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const exponent = BigInt(power) - BigInt(fraction.length);
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  return exponent >= 0n
    ? { numerator: digits * 10n ** exponent, denominator: 1n }
    : { numerator: digits, denominator: 10n ** -exponent };
}

/** @returns negative, zero or positive as `left` is below, equal, above */
export function compareFractions(left: Fraction, right: Fraction): -1 | 0 | 1 {
  const a = left.numerator * right.denominator;
  const b = right.numerator * left.denominator;
  return a < b ? -1 : a > b ? 1 : 0;
}
