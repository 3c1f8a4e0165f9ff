import { isNumber } from '../base/json/number.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';

// Readers of members of a validated body; undefined where the member is missing or null.

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

/** Returns an object with the members of these names that exist. */
export function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = getMember(object, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns a number as a double, which holds every number of the control API. */
export function toNumber(value: JsonValue | undefined): number | undefined {
  return value !== undefined && isNumber(value) ? Number(String(value)) : undefined;
}
