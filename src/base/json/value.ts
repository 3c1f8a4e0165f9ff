/**
 * JSON values without the loss that JSON.parse brings.
 *
 * A number is a `number` when the double says the same as the text, a `bigint` when it is an
 * integer that no double holds safely, and a `Decimal` otherwise. So an ordinary document has
 * ordinary numbers, and `9223372036854775807` is still itself when it is written out again.
 */
export type JsonValue = null | boolean | JsonNumber | string | JsonArray | JsonObject;
export type JsonNumber = number | bigint | Decimal;
type JsonArray = JsonValue[];
export type JsonObject = { [key: string]: JsonValue };

/** A number whose digits no double and no integer holds, such as `1.00000000000000000001`. */
export class Decimal {
  readonly text: string;

  /** @param text the number as JSON writes it (RFC 8259 §6) */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  /** JSON.stringify would write an object: it must never see one of these. */
  toJSON(): never {
    throw new TypeError('a Decimal is written by stringifyJson');
  }
}

/** Returns true for an object in JSON's sense: not null, not an array, not a number in disguise. */
export function isJsonObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Decimal)
  );
}

/**
 * Counts the values in a value, at all depths.
 *
 * @returns the count, negative when among them is a number that a double cannot carry
 */
export function measure(value: JsonValue): number {
  if (typeof value === 'bigint') return -1;
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Decimal) return -1;
  let count = 1;
  let isExact = false;
  for (const key in value) {
    const inner = measure((value as JsonObject)[key] as JsonValue);
    if (inner < 0) isExact = true;
    count += Math.abs(inner);
  }
  return isExact ? -count : count;
}

/** Returns true when somewhere in the value stands a number that a double cannot carry. */
export function containsExactNumber(value: JsonValue): boolean {
  return measure(value) < 0;
}

/**
 * Sets a member so that every key is an ordinary key: `object.__proto__ = x` would set the
 * prototype, where the JSON text only names a member.
 */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[key] = value;
  }
}

/** The member's value, never one that the object inherits. */
export function getMember(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
