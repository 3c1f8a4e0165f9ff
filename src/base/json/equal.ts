import { compareNumbers, isNumber } from './number.ts';
import { isJsonObject, type JsonValue } from './value.ts';

/** Compares values by JSON Schema Core §4.2.2: numbers by value, members in any order. */
export function isEqual(left: JsonValue, right: JsonValue): boolean {
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
