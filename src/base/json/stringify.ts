import { containsExactNumber, Decimal, isJsonObject, type JsonValue } from './value.ts';

/** Returns a value as JSON text without white space; every number keeps its exact value. */
export function stringifyJson(value: JsonValue): string {
  return containsExactNumber(value) ? writeExactly(value) : JSON.stringify(value);
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
