import { isNumber } from '../base/json/number.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';

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

const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const SHORT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const ISO = /^P(?=[\dT])(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Returns the milliseconds of a duration in a request body; undefined where there is none.
 *
 * @throws {Problem} INVALID_REQUEST for any other text, such as `P`
 */
export function durationOf(body: JsonObject, name: string, example: string): number | undefined {
  const text = textOf(body, name);
  const milliseconds = text === undefined ? undefined : readDuration(text);
  if (text === undefined || milliseconds !== undefined) return milliseconds;
  throw new Problem(
    'INVALID_REQUEST',
    `body/${name} must be a duration such as "${example}" or "PT${example.toUpperCase()}"`,
  );
}

/** Returns the whole milliseconds of `250ms`, `1d` or `PT5M` (RFC 3339); undefined for others. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = ''] = SHORT.exec(text) ?? [];
  if (amount !== undefined) return whole(Number(amount) * (UNITS.get(unit) ?? 0));
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return whole(((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1_000);
}

function whole(milliseconds: number): number | undefined {
  return Number.isFinite(milliseconds) ? Math.round(milliseconds) : undefined;
}
