import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { nameSource } from '../../respond/response.ts';
import { type ControlResponse, jsonResponse } from '../call.ts';
import { ROOT } from '../control-target.ts';
import { textOf } from '../members.ts';

const OWN_PATHS = ['mappings', 'requests', 'near-misses', 'recordings', 'shutdown'];

export function isWireMockPath(path: string): boolean {
  return OWN_PATHS.some((name) => `${path}/`.startsWith(`${ROOT}/${name}/`));
}

/** Returns a refusal as WireMock's clients read it; they fail on any other member. */
export function refuseAsWireMock(refusal: Problem): ControlResponse {
  const { problem, status, title, message: detail, fields } = refusal;
  // WireMock's code of invalid input is 10; others are those of HTTP.
  const error = { code: status === 422 ? 10 : status, title, detail };
  const source = nameSource('refusal', 'problem', problem);
  const response = jsonResponse({ errors: [error] }, status);
  return { ...response, fields: { ...fields, 'mock-source': source } };
}

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
