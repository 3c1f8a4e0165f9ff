import { containsExactNumber, Decimal, type JsonValue } from './value.ts';

/**
 * Writes a value as JSON text; every number keeps its exact value.
 *
 * @param value any JSON value
 * @returns the text, without white space
 */
export function stringifyJson(value: JsonValue): string {
  return containsExactNumber(value) ? writeExactly(value) : JSON.stringify(value);
}

function writeExactly(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExactly).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)}:${writeExactly(member)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}
