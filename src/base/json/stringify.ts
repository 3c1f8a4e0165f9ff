import { Decimal, isJsonObject, type JsonValue, setMember } from './value.ts';

/** Returns a value as JSON text without white space; every number keeps its exact value. */
export function stringifyJson(value: JsonValue): string {
  return stringifyOrdinary(value) ?? writeExactly(value);
}

/** Returns a text itself, and any other value as JSON. */
export function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}

/**
 * Returns the same text as {@link stringifyJson}; undefined where the value contains a number that a
 * double cannot hold. JSON.stringify throws for these, so nobody has to look for them first.
 */
export function stringifyOrdinary(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function writeExactly(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const write = ([key, member]: [string, JsonValue]) =>
    `${JSON.stringify(key)}:${writeExactly(member)}`;
  return `{${Object.entries(value).map(write).join(',')}}`;
}

/**
 * Returns a value of a program as JSON, as `JSON.stringify` does; a bigint is an integer.
 *
 * @throws {TypeError} for a value that JSON cannot represent, such as a function
 * @throws {RangeError} for an object that contains itself
 */
export function toJson(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : toCompound(value);
    default:
      throw new TypeError(`JSON cannot represent a ${typeof value}`);
  }
}

function toCompound(value: object): JsonValue {
  if (value instanceof Decimal) return value;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item)));
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON());
  const object: JsonValue = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) setMember(object, key, toJson(member));
  }
  return object;
}
