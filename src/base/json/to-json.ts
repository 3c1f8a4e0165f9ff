import { Decimal, type JsonValue, setMember } from './value.ts';

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
