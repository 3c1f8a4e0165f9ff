import { compareNumbers, isMultipleOf, readExactNumber } from '../base/json/number.ts';
import type { JsonNumber } from '../base/json/value.ts';
import { type Chance, drawBigInt, drawInteger, drawOne } from './chance.ts';
import type { UsualRange } from './named-ranges.ts';
import type { Constraints, NumberLimit } from './space/constraints.ts';
import { drawMoment, RECENT } from './text/moments.ts';
import { errorOf, placeOf } from './text/topic.ts';
import { type Draft, topicOf } from './value-builder.ts';

/** Beyond this, a double has no decimal places. */
const FAR = 2 ** 52;

/** Steps are made finer until one lies within the limits, down to this many digits. */
const MOST_PLACES = 400;

/**
 * Draws a number within limits as a multiple of a step. It calculates with integers of a power of
 * ten, so that no digit is lost.
 *
 * @param usual where the number lies if the limits allow it
 * @returns undefined when no number is within the limits
 */
export function drawNumber(
  constraints: Constraints,
  chance: Chance,
  usual: UsualRange,
): JsonNumber | undefined {
  const { minimum, maximum, divisors, isIntegral } = constraints;
  const given = [minimum?.value, maximum?.value, ...divisors].filter((one) => one !== undefined);
  const finest = Math.max(0, ...given.map(placesOf));
  if (finest > MOST_PLACES) return undefined;
  const isStepped = isIntegral || divisors.length > 0;
  const isFar =
    Number(String(minimum?.value ?? 0)) > FAR || Number(String(maximum?.value ?? 0)) < -FAR;
  const usualPlaces = isFar ? 0 : usual.places;
  for (const places of isStepped ? [finest] : placesToTry(usualPlaces, finest)) {
    const drawn = drawMultiple(constraints, chance, usual, Math.max(places, finest), places);
    if (drawn !== undefined) return drawn;
  }
  return undefined;
}

/** Returns numbers of decimal places to try: the usual one first, then finer ones. */
function placesToTry(usual: number, finest: number): number[] {
  return [...new Set([usual, 2, 6, finest, finest + 1, finest + 3])].filter((one) => one >= usual);
}

/** @param stepPlaces digits of the step, where neither `integer` nor `multipleOf` gives one */
function drawMultiple(
  constraints: Constraints,
  chance: Chance,
  usual: UsualRange,
  places: number,
  stepPlaces: number,
): JsonNumber | undefined {
  const { minimum, maximum, divisors, isIntegral } = constraints;
  const scale = (value: JsonNumber): bigint => toScaled(value, places);
  const steps = divisors.map(scale);
  if (isIntegral) steps.push(10n ** BigInt(places));
  const step =
    steps.length > 0
      ? steps.reduce(leastCommonMultiple)
      : scale(10n ** 0n) / 10n ** BigInt(stepPlaces);
  const toSteps = (limit: NumberLimit | undefined, isLowest: boolean): bigint | undefined => {
    if (limit === undefined) return undefined;
    const value = scale(limit.value);
    const at = isLowest ? ceilDivide(value, step) : floorDivide(value, step);
    if (!limit.isExclusive || at * step !== value) return at;
    return isLowest ? at + 1n : at - 1n;
  };
  const usualLow = ceilDivide(scale(usual.lowest), step);
  const usualHigh = floorDivide(scale(usual.highest), step);
  const limits = [toSteps(minimum, true), toSteps(maximum, false)] as const;
  const [low, high] = narrow(limits, usualLow, usualHigh);
  if (low > high) return undefined;
  return readExactNumber(toText(drawBigInt(chance, low, high) * step, places));
}

type Limits = readonly [lowest: bigint | undefined, highest: bigint | undefined];

/** Returns the usual range where it is within the limits, else the nearest one. */
function narrow([lowest, highest]: Limits, least: bigint, most: bigint): [bigint, bigint] {
  const span = most > least ? most - least : 100n;
  let low = least;
  let high = most >= least ? most : least;
  if (lowest !== undefined && low < lowest) {
    low = lowest;
    if (high < low) high = low + span;
  }
  if (highest !== undefined && high > highest) {
    high = highest;
    if (low > high) low = high - span;
    if (lowest !== undefined && low < lowest) low = lowest;
  }
  return [low, high];
}

function decompose(value: JsonNumber): { readonly digits: bigint; readonly exponent: number } {
  // Most limits are ordinary integers, which need not be written out.
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return { digits: BigInt(value), exponent: 0 };
  }
  const [mantissa = '', power = '0'] = String(value).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Returns the number of decimal places of a number that is written out. */
function placesOf(value: JsonNumber): number {
  return Math.max(0, -decompose(value).exponent);
}

function toScaled(value: JsonNumber, places: number): bigint {
  const { digits, exponent } = decompose(value);
  const zeros = places + exponent;
  // Where there are fewer places than the number has, the digits that are cut off are zeros.
  return zeros >= 0 ? digits * 10n ** BigInt(zeros) : digits / 10n ** BigInt(-zeros);
}

function toText(scaled: bigint, places: number): string {
  if (places === 0) return String(scaled);
  const sign = scaled < 0n ? '-' : '';
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by !== 0n && value < 0n ? quotient - 1n : quotient;
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return -floorDivide(-value, by);
}

function leastCommonMultiple(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return (left / a) * right;
}

const INTEGER: UsualRange = { lowest: 1, highest: 1000, places: 0 };
const NUMBER: UsualRange = { lowest: 1, highest: 1000, places: 2 };
const CENTS = ['25', '49', '75', '95', '99'];

/** Returns a number that suits the property's name; undefined when none conforms. */
export function drawNamedNumber(draft: Draft): JsonNumber | undefined {
  const { builder, constraints, wish } = draft;
  const found = suggested(draft);
  if (found !== undefined && isWithin(constraints, found)) return found;
  const usual = constraints.isIntegral ? INTEGER : NUMBER;
  const { range } = builder.analysis.suggestions(constraints, wish).number;
  return drawNumber(constraints, builder.chance, range ?? usual);
}

function isWithin({ minimum, maximum, divisors }: Constraints, value: number): boolean {
  return (
    (minimum === undefined ||
      compareNumbers(value, minimum.value) >= (minimum.isExclusive ? 1 : 0)) &&
    (maximum === undefined ||
      compareNumbers(maximum.value, value) >= (maximum.isExclusive ? 1 : 0)) &&
    divisors.every((divisor) => isMultipleOf(value, divisor))
  );
}

/** Formats of the seconds since 1970. */
const UNIX_TIME = /^(?:unix|epoch)[-_]?(?:time|timestamp|seconds)?$/i;

/** Returns a number that belongs to the other members of the object, counts, or has cents. */
function suggested(draft: Draft): number | undefined {
  const { builder, constraints, wish } = draft;
  const { span, number } = builder.analysis.suggestions(constraints, wish);
  const { isMoney, range, unit, part } = number;
  if (part === 'status') return errorOf(topicOf(draft)).status;
  if (part !== undefined) return placeOf(topicOf(draft))[part];
  if (constraints.isIntegral) {
    if (wish.name === 'index') return wish.index;
    if (constraints.formats.some((format) => UNIX_TIME.test(format)))
      return Math.floor(drawMoment(topicOf(draft), span ?? RECENT) / 1000);
    if (unit === undefined || span === undefined) return undefined;
    return Math.floor(drawMoment(topicOf(draft), span) / unit);
  }
  if (!isMoney) return undefined;
  const whole = drawInteger(builder.chance, range?.lowest ?? 5, range?.highest ?? 200);
  return Number(`${whole}.${drawOne(builder.chance, CENTS)}`);
}
