import { type Awaitable, after } from '../../base/awaitable.ts';
import { toText } from '../../base/json/stringify.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { fillTemplate } from '../../contract/path-template.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { tryReadJson } from '../../media/json-codec.ts';
import {
  getProperty,
  homeOf,
  isShared,
  keyIn,
  keyTextOf,
  keyTextsOf,
  readKey,
  SINGLETON_KEY,
} from '../../resources/collections.ts';
import type { ResourceType } from '../../resources/resource.ts';
import { setProperty } from '../../resources/wrapping.ts';
import { propertySchema, type StateRequest } from './state-request.ts';

/** The keys that one resource may have, the likelier first. */
export type Keys = readonly string[];

export function keysInPath(request: StateRequest): Keys | undefined {
  const { type } = request.meaning;
  if (type.kind === 'singleton') return [SINGLETON_KEY];
  const parameter = type.key?.parameter;
  const segment = parameter === undefined ? undefined : request.pathParameters.get(parameter);
  if (segment === undefined) return undefined;
  const texts = keyTextsOf(segment);
  const scope = scopeOf(type, request);
  return scope === '' ? texts : [...texts, ...texts.map((text) => text + scope)];
}

/** Returns names with the path of what they name: `books/emma`, `shelves/7/books/emma`. */
export function namesInPath({ meaning, pathParameters }: StateRequest): Keys {
  const { key } = meaning.type;
  const path = homeOf(meaning.type);
  const segment = pathParameters.get(key?.parameter ?? '');
  // A number is no part of a text.
  if (segment === undefined || keyTextsOf(segment)[0] !== keyTextOf(segment)) return [];
  const whole = fillTemplate(path.slice(1), (name) => pathParameters.get(name) ?? '');
  return [path.slice(path.lastIndexOf('/') + 1), whole].map((one) =>
    keyTextOf(`${one}/${segment}`),
  );
}

/** Returns the key in a body, in a list; an empty list if it has none. */
export function keysIn({ meaning }: StateRequest, given: JsonObject | undefined): string[] {
  const key = given && keyIn(meaning.type, given);
  return key === undefined ? [] : [key];
}

/** Returns true if resources of a type may have the same key below different parents. */
export function isBelowOthers({ owners, parents }: ResourceType): boolean {
  return owners.length > 0 || parents.length > 0;
}

/** Returns the key to store under: with its parents where another parent has the key already. */
export function keyBelowParents(
  request: StateRequest,
  key: string,
  complete: () => JsonObject,
): Awaitable<string> {
  const { type } = request.meaning;
  if (!isBelowOthers(type)) return key;
  const resource = complete();
  const scope = scopeOf(type, request) || scopeOfOwners(type, resource);
  if (scope === '') return key;
  return after(request.store.get(request.collection, key), (stored) =>
    stored === undefined || isOfSame(request, stored.resource, resource) ? key : key + scope,
  );
}

function isOfSame(request: StateRequest, stored: JsonObject, resource: JsonObject): boolean {
  const { parents, owners } = request.meaning.type;
  if (parents.length > 0) return isOfParents(request, stored);
  return owners.every((name) => textAt(stored, name) === textAt(resource, name));
}

/** Returns the same scope as the paths that have the parents, for one that has none. */
function scopeOfOwners({ parents, owners }: ResourceType, resource: JsonObject): string {
  const texts = parents.length > 0 ? [] : owners.map((name) => textAt(resource, name));
  return texts.length === 0 ? '' : ` of ${texts.map(keyTextOf).join()}`;
}

function textAt(resource: JsonObject, name: string): string {
  const value = getProperty(resource, name);
  return value === undefined || value === null ? '' : toText(value);
}

/** Returns an empty string if parents do not share the collection. */
function scopeOf({ parents }: ResourceType, { pathParameters }: StateRequest): string {
  if (parents.length === 0 || parents.some(({ property }) => property === undefined)) return '';
  const segments = parents.map(({ parameter }) => pathParameters.get(parameter) ?? '');
  return ` of ${segments.map(keyTextOf).join()}`;
}

/** Returns nothing for the path of a copy, which has the original's key, and of a subtask, its task's. */
function keyOfPath(meaning: StateRequest['meaning']) {
  const { key, parents } = meaning.type;
  const isCopy = meaning.kind === 'create' && meaning.copies;
  return isCopy || parents.some(({ parameter }) => parameter === key?.parameter) ? undefined : key;
}

export function setFromPath(request: StateRequest, resource: JsonObject): void {
  if (request.pathParameters.size === 0) return;
  const { parents } = request.meaning.type;
  const key = keyOfPath(request.meaning);
  for (const { parameter, property } of key === undefined ? parents : [key, ...parents]) {
    const segment = parameter === undefined ? undefined : request.pathParameters.get(parameter);
    if (property === undefined || segment === undefined) continue;
    const known = getProperty(resource, property.value);
    const texts = keyTextsOf(segment);
    // A value that means the same is kept: `7` and `"7"`.
    if (known !== undefined && texts.includes(keyTextOf(known))) continue;
    const came = request.parameters.find((one) => one.in === 'path' && one.name === parameter);
    const candidates = [...(came?.value === undefined ? [] : [came.value]), ...texts.map(readKey)];
    setProperty(resource, property.value, chooseForm(request, property.value, candidates));
  }
}

/** Returns true if a resource belongs to the parents in the path. */
export function isOfParents({ meaning, pathParameters }: PathOf, resource: JsonObject): boolean {
  const { type } = meaning;
  // All in a collection belongs to the parents that its name contains, whatever an example says.
  const home = isShared(type) ? '' : homeOf(type);
  return type.parents.every(({ parameter, property, isMany }) => {
    if (home.includes(`{${parameter}}`)) return true;
    const segment = pathParameters.get(parameter);
    if (property === undefined || segment === undefined) return true;
    const texts = keyTextsOf(segment);
    const isIt = (value: JsonValue | undefined) =>
      value !== undefined && texts.includes(keyTextOf(value));
    if (isMany !== true) return isIt(getProperty(resource, property.value));
    const [list = '', key] = property.value.split('.');
    return [getMember(resource, list) ?? []]
      .flat()
      .some((one) => isIt(key !== undefined && isJsonObject(one) ? getMember(one, key) : one));
  });
}

/** The facts that a path states about the resources that it shows. */
interface PathOf {
  readonly meaning: Pick<StateRequest['meaning'], 'type'>;
  readonly pathParameters: StateRequest['pathParameters'];
}

/** Returns the first candidate that the property's schema allows, else the first. */
function chooseForm(request: StateRequest, property: string, candidates: readonly JsonValue[]) {
  const schema = propertySchema(request, property);
  const allowed = candidates.find((one) => schema?.accepts(one) === true);
  return allowed ?? candidates[0] ?? null;
}

/** Sets what a request says beside a declared body: `POST /hooks?site_id=7`. */
export function setFromQuery(request: StateRequest, resource: JsonObject): void {
  for (const [name, value] of membersOfQuery(request)) setMember(resource, name, value);
}

/** Returns the members in the query, and those in a JSON body that the document does not declare. */
export function membersOfQuery(request: StateRequest): ReadonlyMap<string, JsonValue> {
  const { properties } = request.facts;
  const undeclared = undeclaredMembers(request).filter(
    ([name, value]) => propertySchema(request, name)?.accepts(value) === true,
  );
  const inQuery = request.parameters.flatMap(({ name, in: location, value }) =>
    location === 'query' && value !== undefined && properties.has(name)
      ? [[name, value] as const]
      : [],
  );
  if (undeclared.length + inQuery.length === 0) return NO_MEMBERS;
  return new Map([...undeclared, ...inQuery]);
}

const NO_MEMBERS: ReadonlyMap<string, JsonValue> = new Map();

function undeclaredMembers({ operation, rawBody, fields }: StateRequest) {
  if (operation.body !== undefined || rawBody === 'too-large') return [];
  if (!isJsonMediaType(fields.get('content-type') ?? '')) return [];
  const value = tryReadJson(Buffer.from(rawBody).toString());
  return value !== undefined && isJsonObject(value) ? Object.entries(value) : [];
}
