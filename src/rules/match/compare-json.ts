import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Mismatch } from '../../request/view.ts';
import { distanceOf } from '../text-distance.ts';
import { quoteValue } from './value-matcher.ts';

/**
 * Returns whether the actual value has every member of the expected one, at any depth, with the
 * same value. Arrays are compared as a whole.
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

/** Returns each innermost part that is missing or different, as {@link containsPart} compares. */
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

/** The differences that `equalToJson` ignores. */
export interface JsonLeniency {
  readonly ignoresArrayOrder: boolean;
  /** Further members, and further items after the expected ones. */
  readonly ignoresExtraElements: boolean;
}

/** Returns whether two values are equal but for the differences that are ignored. */
export function isEqualBut(
  actual: JsonValue,
  expected: JsonValue,
  leniency: JsonLeniency,
): boolean {
  if (isJsonObject(actual) && isJsonObject(expected)) {
    return isObjectEqual(actual, expected, leniency);
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const isLongEnough = leniency.ignoresExtraElements && actual.length > expected.length;
    if (actual.length !== expected.length && !isLongEnough) return false;
    if (leniency.ignoresArrayOrder) return isAssignable(actual, expected, leniency);
    return expected.every((item, index) => isEqualBut(actual[index] ?? null, item, leniency));
  }
  return isEqual(actual, expected);
}

function isObjectEqual(actual: JsonObject, expected: JsonObject, leniency: JsonLeniency): boolean {
  const names = Object.keys(expected);
  if (!leniency.ignoresExtraElements && Object.keys(actual).length !== names.length) return false;
  return names.every((name) => {
    const member = getMember(actual, name);
    return member !== undefined && isEqualBut(member, expected[name] ?? null, leniency);
  });
}

/**
 * Returns whether each expected item can be assigned a different actual one. If an actual item is
 * taken, the item that has it looks for another: augmenting paths (Kuhn).
 */
function isAssignable(
  actual: readonly JsonValue[],
  expected: readonly JsonValue[],
  leniency: JsonLeniency,
): boolean {
  const owners = new Map<number, number>();
  const fits = expected.map((item) =>
    actual.flatMap((one, index) => (isEqualBut(one, item, leniency) ? [index] : [])),
  );
  const assign = (item: number, tried: Set<number>): boolean =>
    (fits[item] ?? []).some((place) => {
      if (tried.has(place)) return false;
      tried.add(place);
      const owner = owners.get(place);
      if (owner !== undefined && !assign(owner, tried)) return false;
      owners.set(place, item);
      return true;
    });
  return expected.every((_, item) => assign(item, new Set()));
}
