import { compareNumbers, isNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Mismatch } from '../../request/request-pattern.ts';
import { distanceOf } from '../text-distance.ts';
import { quoteValue } from './value-matcher.ts';

/**
 * @returns whether every member of the expected value is in the actual one, with this value, at any
 *   depth; arrays are compared as a whole
 */
export function containsPart(actual: JsonValue | undefined, expected: JsonValue): boolean {
  if (actual === undefined) return false;
  if (isJsonObject(expected)) {
    return (
      isJsonObject(actual) &&
      Object.entries(expected).every(([key, value]) => containsPart(getMember(actual, key), value))
    );
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => containsPart(actual[index], item))
    );
  }
  if (isNumber(actual) && isNumber(expected)) {
    return compareNumbers(actual, expected) === 0;
  }
  return actual === expected;
}

/** @returns each innermost part that {@link containsPart} misses or finds to be another */
export function explainPart(
  actual: JsonValue | undefined,
  expected: JsonValue,
  subject: string,
): readonly Mismatch[] {
  if (containsPart(actual, expected)) return [];
  if (actual === undefined) return [{ subject, message: `${subject} was absent`, distance: 1 }];
  if (isJsonObject(actual) && isJsonObject(expected)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      explainPart(getMember(actual, key), value, subject + writeMember(key)),
    );
  }
  const areLists = Array.isArray(actual) && Array.isArray(expected);
  // Two lists of one length differ in their items, others as a whole.
  if (areLists && actual.length === expected.length) {
    return expected.flatMap((item, index) =>
      explainPart(actual[index], item, `${subject}[${index}]`),
    );
  }
  const was = quoteValue(actual);
  const wanted = quoteValue(expected);
  const message = `${subject} was ${was}, not ${wanted}`;
  return [{ subject, message, distance: distanceOf(was, wanted) || 1 }];
}

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

function writeMember(key: string): string {
  return PLAIN_NAME.test(key) ? `.${key}` : `[${quoteValue(key)}]`;
}
