import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { isNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { plain, singularName } from '../../base/words.ts';
import { collectionOf, keyTextOf, readKey } from '../../resources/collections.ts';
import type { ResourceType } from '../../resources/resource.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { fitValue } from '../conform/repair.ts';
import { exampleOf, identityOf } from './placeholder.ts';
import type { StateRequest } from './state-request.ts';

/**
 * Returns members with objects where a client sends names or keys and a read shows objects:
 * `labels: ["urgent"]`, `milestone: 7`. An object shows the resource that is stored under the key.
 *
 * @param caller the resource of the caller, who may be named, too
 */
export function withObjects(
  request: StateRequest,
  members: JsonObject,
  caller?: JsonObject,
): Awaitable<JsonObject> {
  const { properties } = request.material.factsOf(request.meaning.type);
  const named = Object.entries(members).filter(([name, value]) => {
    const property = isReference(value) ? properties.get(name) : undefined;
    return property !== undefined && isShownAsObject(request, name, value, property);
  });
  if (named.length === 0) return members;
  const shown = afterEach(named, ([name, value]) => {
    const property = properties.get(name);
    const one = (key: JsonValue) => objectFor(request, { name, key, property, caller });
    const objects = Array.isArray(value) ? afterEach(value, one) : one(value);
    return after(objects, (result) => [name, result as JsonValue] as const);
  });
  return after(shown, (all) => ({ ...members, ...Object.fromEntries(all) }));
}

function isReference(value: JsonValue): boolean {
  const isKey = (one: JsonValue) => typeof one === 'string' || isNumber(one);
  return Array.isArray(value) ? value.length > 0 && value.every(isKey) : isKey(value);
}

function isShownAsObject(
  request: StateRequest,
  name: string,
  value: JsonValue,
  property: SchemaNode,
): boolean {
  const item = property.isArray ? property.items : property;
  if (Array.isArray(value) !== property.isArray || !item?.names.size) return false;
  const schema = request.material.contract.schemas.schemaAt(property.pointer, 'response');
  if (schema.check(value, 'body').length > 0) return true;
  // Where both are allowed, the example shows what is usual.
  const usual = getMember(exampleOf(request) ?? {}, name);
  return Array.isArray(usual) && usual.some(isJsonObject);
}

interface Named {
  /** The name of the property. */
  readonly name: string;
  readonly key: JsonValue;
  readonly property: SchemaNode | undefined;
  readonly caller: JsonObject | undefined;
}

/** Returns the object that a read shows for a key; the key if none fits. */
export function objectFor(request: StateRequest, named: Named): Awaitable<JsonValue> {
  const { name, key, property, caller } = named;
  const item = property?.isArray ? property.items : property;
  if (item === undefined) return key;
  const target = findTarget(request, name, item);
  return after(target && findStored(request, target, key), (stored) => {
    const member = target?.key?.property?.value ?? chooseMember(item, key);
    if (member === undefined) return key;
    const isCaller = caller !== undefined && caller[member] === key;
    const known = stored ?? (isCaller ? caller : undefined);
    const own = Object.entries(known ?? {}).filter(([each]) => item.names.has(each));
    return fit(request, item, { ...Object.fromEntries(own), [member]: key }) ?? key;
  });
}

function fit(request: StateRequest, { pointer }: SchemaNode, value: JsonObject) {
  const { material } = request;
  const schema = material.contract.schemas.schemaAt(pointer, 'response');
  if (schema.check(value, 'body').length === 0) return value;
  const identity = `${identityOf(request, pointer)}\n${Object.values(value).map(String).join()}`;
  return fitValue({ material, schema, example: undefined, identity }, value);
}

/** Returns the type whose resources a property names, the nearest by its path. */
function findTarget(
  { material, meaning, pathParameters }: StateRequest,
  name: string,
  item: SchemaNode,
): ResourceType | undefined {
  const word = plain(singularName(name));
  const own = meaning.type.path.split('/');
  const nearness = ({ path }: ResourceType): number =>
    path.split('/').filter((segment, at) => segment === own[at]).length;
  const [nearest] = material.resources.all
    .filter(
      ({ kind, path, key, parents }) =>
        kind === 'collection' &&
        plain(singularName(path.split('/').at(-1) ?? '')) === word &&
        item.names.has(key?.property?.value ?? '') &&
        parents.every(({ parameter }) => pathParameters.has(parameter)),
    )
    .sort((one, other) => nearness(other) - nearness(one));
  return nearest;
}

function findStored(
  { material, pathParameters, store }: StateRequest,
  target: ResourceType,
  key: JsonValue,
): Awaitable<JsonObject | undefined> {
  const collection = collectionOf(target, pathParameters);
  const text = keyTextOf(key);
  return after(
    store.get(collection, text),
    (stored) => stored?.resource ?? material.world?.beginningOf(target, collection)?.get(text),
  );
}

/** Returns the resource that another collection of the same schema has under a key. */
export function findNamesake(
  request: StateRequest,
  keys: readonly string[],
): Awaitable<JsonObject | undefined> {
  const { material, meaning } = request;
  const { nodes } = material.contract.schemas;
  const identityOf = ({ schema }: ResourceType) => nodes.at(schema?.pointer)?.identity;
  const own = identityOf(meaning.type);
  const others = material.resources.all.filter(
    (one) => one.parents.length === 0 && one.path !== meaning.type.path && identityOf(one) === own,
  );
  const pairs = others.flatMap((target) => keys.map((key) => [target, readKey(key)] as const));
  const find = (next: number): Awaitable<JsonObject | undefined> => {
    const [target, key] = pairs[next] ?? [];
    if (target === undefined || key === undefined) return undefined;
    return after(findStored(request, target, key), (found) => found ?? find(next + 1));
  };
  return own === undefined ? undefined : find(0);
}

/** Properties by which an object is named, the likeliest first. */
const NAMING = 'login username slug key name ref sha code email id number title'.split(' ');

function chooseMember(item: SchemaNode, key: JsonValue): string | undefined {
  const isFit = (name: string) => {
    const types = item.property(name)?.types;
    return typeof key === 'string' ? types?.has('string') : types?.has('integer');
  };
  return NAMING.find(isFit);
}
