import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { toPath, toPointer } from '../../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../../base/json/value.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import type { DecodedBody } from '../../request/request.ts';
import type { PatchMeaning } from '../../resources/meaning.ts';
import { applyJsonPatch, applyMergePatch } from '../../resources/patch/apply-patch.ts';
import type { ResourceType } from '../../resources/resource.ts';
import { nodeAt } from '../../resources/shape/wrapping.ts';
import { unwrap, unwrapAlone, valueAt } from '../../resources/wrapping.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Outcome } from '../response.ts';
import { changeExisting, changeOne, respondChanged, respondWith } from './change.ts';
import { keysIn, keysInPath, membersOfQuery, setFromQuery } from './path-keys.ts';
import { propertySchema, type StateRequest } from './state-request.ts';

type PatchRequest = StateRequest<PatchMeaning>;

/** `PATCH /plants/7`: RFC 6902 if the body is a list of operations, else RFC 7396. */
export function patch(request: PatchRequest): Awaitable<Outcome> {
  const { body, operation, meaning } = request;
  const isByQuery = operation.body === undefined;
  if (body === undefined && !isByQuery) return undefined;
  if (meaning.isMany === true) return patchMany(request);
  const keys =
    keysInPath(request) ?? keysIn(request, unwrap(body?.value, meaning.given, meaning.type));
  return changeExisting(request, keys, ({ key, resource: before, expected }) => {
    const resource = body === undefined ? { ...before } : patchBy(request, body, before);
    if (resource === undefined) return undefined;
    setFromQuery(request, resource);
    requireValid(request, before, resource);
    return respondChanged(request, { key, resource, before }, expected);
  });
}

/** `PATCH /plants` with a list: changes each by the key that it has. */
function patchMany(request: PatchRequest): Awaitable<Outcome> {
  const { given, type } = request.meaning;
  const items = [valueAt(request.body?.value, given.path) ?? []].flat();
  const members = items.map((item) => unwrapAlone(item, given, type)).filter(isJsonObject);
  if (members.length === 0) return undefined;
  const changed = afterEach(members, (one) =>
    changeExisting(request, keysIn(request, one), ({ key, resource: before, expected }) => {
      const resource = setMembers(request, before, one);
      requireValid(request, before, resource);
      return changeOne(request, { key, resource, before }, expected);
    }),
  );
  return after(changed, (all) =>
    respondWith(
      request,
      all.filter((one) => one !== undefined),
      false,
    ),
  );
}

function patchBy(request: PatchRequest, { value, content }: DecodedBody, resource: JsonObject) {
  const { given, type } = request.meaning;
  const { schemas } = request.material.contract;
  // RFC 6902
  const operations = given.isInList ? undefined : valueAt(value, given.path);
  if (content.mediaType.includes('json-patch') || Array.isArray(operations)) {
    const patched = applyJsonPatch(
      withDeclared(request, resource, operations ?? value),
      operations ?? value,
    );
    if (isJsonObject(patched)) return patched;
    throw new Problem('INVALID_PATCH', 'the patch would leave something that is no object');
  }
  const members = unwrap(value, given, type);
  if (members === undefined) return undefined;
  if (!content.mediaType.includes('merge-patch')) {
    const isForm = FORM.test(content.mediaType);
    const given = isForm ? nullWhereUnset(members, bodyNode(request)) : members;
    return setMembers(request, resource, given);
  }
  const isStrategic = content.mediaType.includes('strategic-merge-patch');
  const node = isStrategic ? schemas.nodes.at(type.schema?.pointer) : undefined;
  const merged = applyMergePatch(resource, members, node);
  return isJsonObject(merged) ? merged : undefined;
}

/**
 * Returns the resource with null for the members that operations replace, and its schema declares:
 * services show these, although RFC 6902 §4.3 needs a value there.
 */
function withDeclared(request: PatchRequest, resource: JsonObject, operations: JsonValue) {
  const { properties } = request.facts;
  const names = [operations].flat().flatMap((one) => {
    const isReplacing = isJsonObject(one) && one['op'] === 'replace';
    const [name, ...below] = isReplacing ? toPath(String(one['path'])) : [];
    return name !== undefined && below.length === 0 && properties.has(name) ? [name] : [];
  });
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...resource };
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Returns the members of a form with null in place of empty texts that remove a member. A form
 * cannot write null, so its schema declares the empty text beside the usual values: `anyOf` with
 * `enum: ['']`. Beside a map, it removes the members of the map as well.
 */
function nullWhereUnset(members: JsonObject, node: SchemaNode | undefined): JsonObject {
  const unset = (value: JsonValue): JsonValue => (value === '' ? null : value);
  return mapMembers(members, (value, name) => {
    const property = node?.property(name);
    if (!declaresEmpty(property)) return value;
    const isMap = property?.additional !== undefined && isJsonObject(value);
    return isMap ? mapMembers(value, unset) : unset(value);
  });
}

/** Returns true for a schema that allows the empty text by name, beside other values. */
function declaresEmpty(node: SchemaNode | undefined): boolean {
  const schemas = node?.possible ?? [];
  return schemas.some(({ value }) => {
    const listed = [value['const'] ?? value['enum']].flat();
    return listed.length === 1 && listed[0] === '' && schemas.length > 1;
  });
}

/** Like a merge patch, but null sets a nullable member and removes no required one. */
function setMembers(request: StateRequest, resource: JsonObject, members: JsonObject): JsonObject {
  const merged = applyMergePatch(resource, members);
  if (!isJsonObject(merged)) return resource;
  for (const [name, value] of Object.entries(members)) {
    if (value !== null) continue;
    const isNullable = propertySchema(request, name)?.accepts(null);
    const before = getMember(resource, name);
    if (isNullable) setMember(merged, name, null);
    else if (before !== undefined && isRequired(request.meaning.type, merged, name)) {
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

/**
 * Checks the patched resource. Violations that existed before are accepted, and what the request's
 * own schema allows.
 *
 * @throws {Problem} INVALID_PATCH
 */
function requireValid(request: PatchRequest, before: JsonObject, patched: JsonObject): void {
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
function describedMembers(request: PatchRequest): ReadonlySet<string> {
  const { renamed } = request.meaning.given;
  const names = [...(bodyNode(request)?.names ?? [])].map((name) => renamed?.get(name) ?? name);
  return new Set([...names, ...membersOfQuery(request).keys()]);
}

function bodyNode({ material, meaning, body }: PatchRequest): SchemaNode | undefined {
  const whole = material.contract.schemas.nodes.at(body?.content.schema?.pointer);
  const node = nodeAt(whole, meaning.given.path);
  return meaning.given.isInList || meaning.isMany ? node?.items : node;
}
