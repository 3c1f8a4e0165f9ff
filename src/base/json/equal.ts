import { compareNumbers, isNumber, toCanonicalNumber } from './number.ts';
import { isJsonObject, type JsonValue } from './value.ts';

/** The items of a longer list are looked up. */
export const LONGEST_COMPARED = 50;

/** Compares values by JSON Schema Core §4.2.2: numbers by value, members in any order. */
export function isEqual(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'string' || typeof right === 'string') return left === right;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (Array.isArray(left) && Array.isArray(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index] as JsonValue))
    );
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every(
        (key) =>
          Object.hasOwn(right, key) && isEqual(left[key] as JsonValue, right[key] as JsonValue),
      )
    );
  }
  return left === right;
}

/** Returns a text that two values share exactly where {@link isEqual} holds for them. */
export function toCanonicalText(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isNumber(value)) return toCanonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join()}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${toCanonicalText(value[key] as JsonValue)}`);
  return `{${members.join()}}`;
}

/** Returns a function that says whether a list has a value; it looks long lists up. */
export function createLookup(list: readonly JsonValue[]): (value: JsonValue) => boolean {
  if (list.length <= LONGEST_COMPARED) return (value) => list.some((one) => isEqual(one, value));
  const texts = new Set(list.map(toCanonicalText));
  return (value) => texts.has(toCanonicalText(value));
}

/** Returns the indexes of two equal items, the last that repeats another and the one before it. */
export function findDuplicate(items: readonly JsonValue[]) {
  // Comparing each item with each other would take hours for a body of a few megabytes.
  const seen = new Map<string, number>();
  let found: readonly [number, number] | undefined;
  for (const [index, item] of items.entries()) {
    const text = toCanonicalText(item);
    const before = seen.get(text);
    if (before !== undefined) found = [before, index];
    seen.set(text, index);
  }
  return found;
}
