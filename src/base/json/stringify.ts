import { Decimal, isJsonObject, type JsonValue } from './value.ts';

/** Returns a value as JSON text without white space; every number keeps its exact value. */
export function stringifyJson(value: JsonValue): string {
  return stringifyOrdinary(value) ?? writeExactly(value);
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
