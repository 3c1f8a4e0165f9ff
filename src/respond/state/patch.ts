import { type Awaitable, after } from '../../base/awaitable.ts';
import { toPath, toPointer } from '../../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import type { DecodedBody } from '../../request/request.ts';
import type { PatchMeaning } from '../../resources/meaning.ts';
import { applyJsonPatch, applyMergePatch } from '../../resources/patch/apply-patch.ts';
import type { ResourceType } from '../../resources/resource.ts';
import { nodeAt } from '../../resources/shape/wrapping.ts';
import { unwrap, valueAt } from '../../resources/wrapping.ts';
import type { Outcome } from '../response.ts';
import { findExisting, respondChanged } from './change.ts';
import { keysIn, keysInPath, membersOfQuery, setFromQuery } from './path-keys.ts';
import { mayChange } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** `PATCH /plants/7`: RFC 6902 if the body is a list of operations, else RFC 7396. */
export function patch(request: StateRequest<PatchMeaning>): Awaitable<Outcome> {
  const { body, operation, meaning } = request;
  const isByQuery = operation.body === undefined;
  if ((body === undefined && !isByQuery) || !mayChange(operation)) return undefined;
  const keys =
    keysInPath(request) ?? keysIn(request, body && unwrap(body.value, meaning.given, meaning.type));
  if (keys.length === 0) return undefined;
  return after(findExisting(request, keys, false), (before) => {
    if (before === undefined) return undefined;
    const patched =
      body === undefined ? { ...before.resource } : patchBy(request, body, before.resource);
    if (patched === undefined) return undefined;
    setFromQuery(request, patched);
    requireValid(request, before.resource, patched);
    return respondChanged(request, { key: before.key, resource: patched, before });
  });
}

function patchBy(
  request: StateRequest<PatchMeaning>,
  { value, content }: DecodedBody,
  resource: JsonObject,
): JsonObject | undefined {
  const { given, type } = request.meaning;
  if (isJsonPatch(value, content.mediaType)) {
    const patched = applyJsonPatch(resource, value);
    if (isJsonObject(patched)) return patched;
    throw new Problem('INVALID_PATCH', 'the patch would leave something that is no object');
  }
  const members = unwrap(value, given, type);
  if (members === undefined) return undefined;
  if (!content.mediaType.includes('merge-patch')) return setMembers(request, resource, members);
  const merged = applyMergePatch(resource, members);
  return isJsonObject(merged) ? merged : undefined;
}

/**
 * Applies a patch in plain JSON. It is like a merge patch, but null sets a nullable member and does
 * not remove a required one.
 */
function setMembers(
  { material, meaning: { type } }: StateRequest,
  resource: JsonObject,
  members: JsonObject,
): JsonObject {
  const merged = applyMergePatch(resource, members);
  if (!isJsonObject(merged)) return resource;
  const { properties } = material.factsOf(type);
  for (const [name, value] of Object.entries(members)) {
    if (value !== null) continue;
    const pointer = properties.get(name)?.pointer;
    const schema = pointer && material.contract.schemas.schemaAt(pointer, 'response');
    const isNullable = schema && schema.check(null, 'body').length === 0;
    const before = getMember(resource, name);
    if (isNullable) setMember(merged, name, null);
    else if (before !== undefined && isRequired(type, merged, name)) {
      setMember(merged, name, before);
    }
  }
  return merged;
}

function isRequired({ schema }: ResourceType, resource: JsonObject, name: string): boolean {
  const violations = schema?.check(resource, 'body') ?? [];
  return violations.some(
    ({ keyword, pointer }) => keyword === 'required' && pointer === toPointer([name]),
  );
}

function isJsonPatch(value: JsonValue, mediaType: string): boolean {
  return mediaType.includes('json-patch') || Array.isArray(value);
}

/**
 * Checks the patched resource. Violations that existed before are accepted, and what the request's
 * own schema allows.
 *
 * @throws {Problem} INVALID_PATCH
 */
function requireValid(
  request: StateRequest<PatchMeaning>,
  before: JsonObject,
  patched: JsonObject,
): void {
  const { schema, writtenSchema } = request.meaning.type;
  for (const one of [writtenSchema, schema]) {
    const violations = one?.check(patched, 'body') ?? [];
    if (one === undefined || violations.length === 0) continue;
    const known = new Set(one.check(before, 'body').map(({ message }) => message));
    const described = describedMembers(request);
    const own = violations.filter(
      (violation) =>
        !known.has(violation.message) &&
        !isAwaited(violation, before) &&
        !isAllowed(violation, described),
    );
    if (own.length === 0) continue;
    const reasons = own.map(({ message }) => message).join('; ');
    throw new Problem('INVALID_PATCH', `the patched resource breaks the contract: ${reasons}`, {
      violations: own,
    });
  }
}

/** Returns true for a member that was always missing: the service adds it to responses. */
function isAwaited({ keyword, pointer }: Violation, before: JsonObject): boolean {
  return keyword === 'required' && valueAt(before, toPath(pointer)) === undefined;
}

/** Returns true if the request's schema allows the change. Required members cannot be removed. */
function isAllowed({ keyword, pointer }: Violation, described: ReadonlySet<string>): boolean {
  const [name, ...below] = toPath(pointer);
  // Only the whole resource shows which branch of a union it is.
  if (name === undefined) return described.size > 0;
  return described.has(name) && (below.length > 0 || keyword !== 'required');
}

/** Returns the members that the request's schemas describe; none for a list of operations. */
function describedMembers(request: StateRequest<PatchMeaning>): ReadonlySet<string> {
  const { material, meaning, body } = request;
  const { schema } = body?.content ?? {};
  const whole = material.contract.schemas.nodes.at(schema?.pointer);
  const ofBody = nodeAt(whole, meaning.given.path);
  return new Set([...(ofBody?.names ?? []), ...membersOfQuery(request).keys()]);
}
