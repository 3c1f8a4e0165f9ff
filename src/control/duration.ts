import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { textOf } from './members.ts';

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
