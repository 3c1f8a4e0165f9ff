import { parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { Decimal, isJsonObject, type JsonValue, setMember } from '../base/json/value.ts';

/**
 * Writes a value as JSON like `JSON.stringify`, with a bigint as an integer.
 *
 * @throws {TypeError} for a value that JSON cannot represent, such as a function
 */
export function writeJsonText(value: unknown): string {
  return stringifyJson(toJson(value));
}

function toJson(value: unknown): JsonValue {
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

/**
 * Parses JSON like `JSON.parse`, with integers beyond the safe range as bigints.
 *
 * @throws {JsonError} for invalid JSON
 */
export function readJsonText(text: string): unknown {
  return toPlain(parseJson(text));
}

function toPlain(value: JsonValue): unknown {
  if (value instanceof Decimal) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, toPlain(member)] as const);
  return Object.fromEntries(entries);
}
