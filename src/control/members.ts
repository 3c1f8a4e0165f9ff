import { isNumber } from '../base/json/number.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';

/** What a validated body holds, by member; undefined where it is not there, or null. */

export function textOf(object: JsonObject, name: string): string | undefined {
  const value = getMember(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(object: JsonObject, name: string): number | undefined {
  return toNumber(getMember(object, name));
}

export function flagOf(object: JsonObject, name: string): boolean | undefined {
  const value = getMember(object, name);
  return typeof value === 'boolean' ? value : undefined;
}

export function objectOf(object: JsonObject, name: string): JsonObject | undefined {
  const value = getMember(object, name);
  return isJsonObject(value) ? value : undefined;
}

export function listOf(object: JsonObject, name: string): readonly JsonValue[] | undefined {
  const value = getMember(object, name);
  return Array.isArray(value) ? value : undefined;
}

/** @returns the number as a double: the control API's own numbers all fit into one */
export function toNumber(value: JsonValue | undefined): number | undefined {
  return value !== undefined && isNumber(value) ? Number(String(value)) : undefined;
}
