import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { textOf } from '../members.ts';

/** Returns the problem for a stub mapping or pattern that Coldframe does not support. */
export function unsupported(reasons: readonly string[]): Problem {
  return new Problem('UNSUPPORTED_STUB_MAPPING', reasons.join('; '));
}

/** Returns a reason for each member of an object that is not in `known`. */
export function findUnknownMembers(
  object: JsonObject,
  at: string,
  known: readonly string[],
  reasons: JsonObject,
): readonly string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (known.includes(name) || isNothing(value)) return [];
    return [`${at}${name} ${textOf(reasons, name) ?? 'is unknown'}`];
  });
}

/** Returns an object without its null members, which WireMock's clients send for unset ones. */
export function omitNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** WireMock's clients send unset members as null or empty. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== 'object') return false;
  return Object.keys(value).length === 0;
}
