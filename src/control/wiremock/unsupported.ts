import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';

/** @returns the refusal of what WireMock has and is not taken here */
export function unsupported(reasons: readonly string[]): Problem {
  return new Problem('UNSUPPORTED_STUB_MAPPING', reasons.join('; '));
}

/** Names each member of an object that is not among those that are understood. */
export function findStrangers(
  object: JsonObject,
  at: string,
  known: readonly string[],
  reasons: ReadonlyMap<string, string>,
): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (known.includes(name) || isNothing(value)) return [];
    return [`${at}${name} ${reasons.get(name) ?? 'is not known here'}`];
  });
}

/** Clients write out what they leave open. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object') return false;
  return Object.keys(value).length === 0;
}
