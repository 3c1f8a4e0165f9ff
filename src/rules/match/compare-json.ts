import { isEqual, toCanonicalText } from '../../base/json/equal.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Mismatch } from '../../request/view.ts';
import type { Steps } from './steps.ts';
import { explainDifference, quoteValue } from './value-matcher.ts';

export interface JsonLeniency {
  readonly ignoresArrayOrder: boolean;
  readonly ignoresExtraMembers: boolean;
  readonly ignoresExtraItems: boolean;
}

const IN_PART: JsonLeniency = {
  ignoresArrayOrder: false,
  ignoresExtraMembers: true,
  ignoresExtraItems: false,
};

/** Returns whether a value has every member of another, at any depth; arrays count as a whole. */
export function containsPart(actual: JsonValue | undefined, expected: JsonValue): boolean {
  return actual !== undefined && isEqualBut(actual, expected, IN_PART);
}

/** Returns each innermost part that is missing or different, as {@link containsPart} compares. */
export function explainPart(
  actual: JsonValue | undefined,
  expected: JsonValue,
  subject: string,
): readonly Mismatch[] {
  if (containsPart(actual, expected)) return [];
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
  return [explainDifference(subject, actual, expected)];
}

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

function writeMember(key: string): string {
  return PLAIN_NAME.test(key) ? `.${key}` : `[${quoteValue(key)}]`;
}

/** Returns whether two values are equal but for the differences that are ignored. */
export function isEqualBut(
  actual: JsonValue,
  expected: JsonValue,
  leniency: JsonLeniency,
  steps?: Steps,
): boolean {
  steps?.spend(1);
  if (isJsonObject(actual) && isJsonObject(expected)) {
    const names = Object.keys(expected);
    if (!leniency.ignoresExtraMembers && Object.keys(actual).length > names.length) return false;
    return names.every((name) => {
      const member = getMember(actual, name);
      const wanted = expected[name] ?? null;
      return member !== undefined && isEqualBut(member, wanted, leniency, steps);
    });
  }
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length < expected.length) return false;
    if (!leniency.ignoresExtraItems && actual.length > expected.length) return false;
    if (leniency.ignoresArrayOrder) return isAssignable(actual, expected, leniency, steps);
    return expected.every((item, index) =>
      isEqualBut(actual[index] ?? null, item, leniency, steps),
    );
  }
  return isEqual(actual, expected);
}

/**
 * Returns whether each expected item can be assigned a different actual one. If all that fit are
 * taken, the item that has one of them looks for another: augmenting paths (Kuhn).
 */
function isAssignable(
  actual: readonly JsonValue[],
  expected: readonly JsonValue[],
  leniency: JsonLeniency,
  steps: Steps | undefined,
): boolean {
  // What is equal on both sides is assigned first: what could take its place, it could take, too.
  for (const side of [actual, expected]) steps?.spendOn(side);
  const items = withoutThose(actual, expected);
  const wanted = withoutThose(expected, actual);
  const free = new Set(items.keys());
  const owners = new Map<number, number>();
  const assign = (item: number, tried: Set<number>): boolean => {
    const take = (place: number): boolean => {
      free.delete(place);
      owners.set(place, item);
      return true;
    };
    const fits = (place: number): boolean =>
      isEqualBut(items[place] ?? null, wanted[item] ?? null, leniency, steps);
    for (const place of free) if (fits(place)) return take(place);
    for (const [place, owner] of owners) {
      if (tried.has(place) || !fits(place)) continue;
      tried.add(place);
      if (assign(owner, tried)) return take(place);
    }
    return false;
  };
  return wanted.every((_, item) => assign(item, new Set()));
}

/** Returns the items that the other list does not have, or not as often. */
function withoutThose(items: readonly JsonValue[], others: readonly JsonValue[]): JsonValue[] {
  const counts = new Map<string, number>();
  for (const other of others) {
    const text = toCanonicalText(other);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return items.filter((item) => {
    const text = toCanonicalText(item);
    const left = counts.get(text) ?? 0;
    counts.set(text, left - 1);
    return left <= 0;
  });
}
