/**
 * JSON values without the loss of digits that JSON.parse causes.
 *
 * A number is a `number` where a double has the same value as the text, a `bigint` for an integer
 * that no double holds exactly, and a `Decimal` otherwise. So ordinary documents have ordinary
 * numbers, and `9223372036854775807` is unchanged when it is written again.
 */
export type JsonValue = null | boolean | JsonNumber | string | JsonArray | JsonObject;
export type JsonNumber = number | bigint | Decimal;
type JsonArray = JsonValue[];
export type JsonObject = { [key: string]: JsonValue };

/** A number that neither a double nor an integer holds, such as `1.00000000000000000001`. */
export class Decimal {
  readonly text: string;

  /** @param text the number as JSON writes it (RFC 8259 §6) */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** Throws: JSON.stringify would write an object. */
  toJSON(): never {
    throw new TypeError('a Decimal is written by stringifyJson');
  }
}

/** Returns true for a JSON object: not null, not an array, not a Decimal. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof Decimal);
}

/**
 * Returns the count of the values in a value, at all depths; negative when one of them is a number
 * that a double cannot hold.
 */
export function measure(value: JsonValue): number {
  if (typeof value === 'bigint') return -1;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Decimal) return -1;
  let count = 1;
  let isExact = false;
  // Not `for…in`: V8 13.6, in Node.js 24, compiles a recursion with it again and again.
  for (const member of Object.values(value)) {
    const inner = measure(member as JsonValue);
    if (inner < 0) isExact = true;
    count += Math.abs(inner);
  }
  return isExact ? -count : count;
}

/** Returns true when the value contains a number that a double cannot hold. */
export function containsExactNumber(value: JsonValue): boolean {
  return measure(value) < 0;
}

/** Sets a member with any key: `object.__proto__ = x` would set the prototype instead. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, ...ORDINARY });
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

type MapMember = (member: JsonValue, name: string) => JsonValue;

/** Returns an object with the same names, and the results of a function for their values. */
export function mapMembers(object: JsonObject, map: MapMember): JsonObject {
  const mapped: JsonObject = {};
  for (const [name, member] of Object.entries(object)) setMember(mapped, name, map(member, name));
  return mapped;
}

/** Returns the value of an object's own member. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns a deep copy, which shares no object and no array with the value. */
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  return isJsonObject(value) ? mapMembers(value, copyJson) : value;
}

/** Returns a deep copy with doubles only, for validators that know no other numbers. */
export function toDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint' || value instanceof Decimal) return Number(value);
  if (Array.isArray(value)) return value.map(toDoubles);
  return isJsonObject(value) ? mapMembers(value, toDoubles) : value;
}

type Merge = (base: JsonValue, value: JsonValue) => JsonValue;

/**
 * Returns an object with the members of both, at every depth.
 *
 * @param mergeOthers chooses of two values that are not both objects; the second by default
 */
export function mergeDeep(
  base: JsonValue,
  value: JsonValue,
  mergeOthers: Merge = (_, second) => second,
): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(value)) return mergeOthers(base, value);
  const merged: JsonObject = { ...base };
  for (const [name, member] of Object.entries(value)) {
    const below = getMember(base, name);
    setMember(merged, name, below === undefined ? member : mergeDeep(below, member, mergeOthers));
  }
  return merged;
}
