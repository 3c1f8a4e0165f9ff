import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { isNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { plain, singularName } from '../../base/words.ts';
import { identityOf, SINGLETON_KEY } from '../../resources/collections.ts';
import type { CreateMeaning } from '../../resources/meaning.ts';
import type { ResourceType } from '../../resources/resource.ts';
import { IDS, NAMES, NAMING } from '../../resources/shape/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { fitValue } from '../conform/repair.ts';
import { findNamed } from './find-stored.ts';
import { exampleOf, placeholderResource } from './placeholder.ts';
import { propertySchema, type StateRequest, toStateRequest } from './state-request.ts';

/** Returns members with objects for names and keys: `labels: ["urgent"]`, `milestone: 7`. */
export function withObjects(request: StateRequest, members: JsonObject): Awaitable<JsonObject> {
  return after(withNames(request, members), (named) => withWhole(request, named));
}

/** Returns members with the names of what others name by id: `account_name` for `account_id`. */
function withNames(request: StateRequest, members: JsonObject): Awaitable<JsonObject> {
  const { namesOfOthers } = request.facts;
  const missing = namesOfOthers.filter(
    ({ name, id }) => members[name] === undefined && isKey(members[id] ?? null),
  );
  if (missing.length === 0) return members;
  const found = afterEach(missing, ({ name, id, one }) => {
    const target = findTarget(request, one);
    return after(target && findNamed(request, target, members[id] ?? null), (stored) => {
      const own = stored && (getMember(stored, name) ?? getMember(stored, 'name'));
      const isIt = own !== undefined && propertySchema(request, name)?.accepts(own) === true;
      return isIt ? [[name, own] as const] : [];
    });
  });
  return after(found, (all) => ({ ...members, ...Object.fromEntries(all.flat()) }));
}

function withWhole(request: StateRequest, members: JsonObject): Awaitable<JsonObject> {
  const objects = request.facts.objects();
  if (objects.size === 0) return members;
  const names = Object.keys(members).filter((name) => {
    const value = members[name] ?? null;
    const property = hasKey(value) || isReference(value) ? objects.get(name) : undefined;
    return property !== undefined && isShownAsObject(request, name, value, property);
  });
  if (names.length === 0) return members;
  const isList = (name: string): boolean => objects.get(name)?.isArray === true;
  const shown = afterEach(names, (name) => {
    const value = members[name] ?? null;
    return after(
      objectsFor(request, name, [value].flat()),
      (objects): JsonValue =>
        Array.isArray(value) || isList(name) ? [...objects] : (objects[0] ?? value),
    );
  });
  return after(shown, (all) => ({
    ...members,
    ...Object.fromEntries(names.map((name, index) => [name, all[index] ?? null])),
  }));
}

export function objectsFor(
  request: StateRequest,
  name: string,
  values: readonly JsonValue[],
): Awaitable<readonly JsonValue[]> {
  const property = request.facts.properties.get(name);
  const item = property?.isArray ? property.items : property;
  return afterEach(values, (value) => {
    if (item === undefined) return value;
    if (isReference(value)) return withNamed(request, name, value, item);
    return isKey(value) ? objectFor(request, name, value, item) : value;
  });
}

/** Returns true for an object with nothing but a key: `{"id": 7}`. */
function isReference(value: JsonValue): value is JsonObject {
  const [only, ...others] = isJsonObject(value) ? Object.values(value) : [];
  return only !== undefined && others.length === 0 && isKey(only);
}

/** Returns `{"id": 7}` with what the resource that it names has besides. */
function withNamed(
  request: StateRequest,
  name: string,
  value: JsonObject,
  item: SchemaNode,
): Awaitable<JsonValue> {
  const target = findTarget(request, name, item);
  const key = target && getMember(value, target.key?.property?.value ?? '');
  if (target === undefined || key === undefined) return value;
  return after(findNamed(request, target, key), (stored) => {
    const shown = Object.entries(stored ?? {}).filter(([each]) => item.names.has(each));
    const whole = { ...Object.fromEntries(shown), ...value };
    const schema = request.material.contract.schemas.schemaAt(item.pointer, 'response');
    return schema.accepts(whole) ? whole : value;
  });
}

function hasKey(value: JsonValue): boolean {
  return Array.isArray(value) ? value.some(isKey) : isKey(value);
}

export function isKey(value: JsonValue): boolean {
  return typeof value === 'string' || isNumber(value);
}

function isShownAsObject(
  request: StateRequest,
  name: string,
  value: JsonValue,
  property: SchemaNode,
): boolean {
  if (Array.isArray(value) && !property.isArray) return false;
  // `to: "+4420"` of a message whose `to` is a list of receivers.
  if (property.isArray && !Array.isArray(value)) return !isReference(value);
  if (isReference(value)) return true;
  if (propertySchema(request, name)?.accepts(value) === false) return true;
  // Where both are allowed, the example shows what is usual.
  const usual = getMember(exampleOf(request) ?? {}, name);
  return Array.isArray(usual) && usual.some(isJsonObject);
}

/** Returns the object that a read shows for a key; the key if none fits. */
function objectFor(
  request: StateRequest,
  name: string,
  key: JsonValue,
  item: SchemaNode,
): Awaitable<JsonValue> {
  const target = findTarget(request, name, item);
  const own = target?.key?.property?.value;
  const isOwn = own !== undefined && takes(request, item, own, key);
  const member =
    memberByForm(request, item, key) ?? (isOwn ? own : chooseMember(request, item, key));
  if (member === undefined) return key;
  return after(target && findNamed(request, target, key), (stored) =>
    after(stored ?? findCaller(request), (known) => {
      const isIt = known !== undefined && (known === stored || known[member] === key);
      const shown = Object.entries(isIt ? known : {}).filter(([each]) => item.names.has(each));
      const value = { ...Object.fromEntries(shown), [member]: key };
      const { material } = request;
      const schema = material.contract.schemas.schemaAt(item.pointer, 'response');
      const identity = `${identityOf(request, item.pointer)}\n${Object.values(value).map(String).join()}`;
      return fitValue({ material, schema, example: undefined, identity }, value) ?? key;
    }),
  );
}

/** Returns the resource that `GET /me` shows; undefined where the document does not say. */
export function findCaller(request: StateRequest): Awaitable<JsonObject | undefined> {
  const { material, meaning, call, store } = request;
  if (!meaning.type.serverSet.some(({ role }) => role.value === 'caller')) return undefined;
  const me = material.resources.caller();
  if (me === undefined) return undefined;
  const own = toStateRequest(material, me, request, call, store);
  return after(
    store.get(own.collection, SINGLETON_KEY),
    (stored) => stored?.resource ?? placeholderResource(own, SINGLETON_KEY),
  );
}

/** Returns the type whose resources a property names, the nearest by its path. */
function findTarget(
  { material, meaning, pathParameters }: StateRequest,
  name: string,
  item?: SchemaNode,
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
        item?.names.has(key?.property?.value ?? '') !== false &&
        parents.every(({ parameter }) => pathParameters.has(parameter)),
    )
    .sort((one, other) => nearness(other) - nearness(one));
  return nearest;
}

function chooseMember(request: StateRequest, item: SchemaNode, key: JsonValue) {
  const likelier = typeof key === 'string' && !/\d/.test(key) ? [...NAMES, ...IDS] : NAMING;
  return likelier.find((name) => takes(request, item, name, key));
}

function memberByForm(request: StateRequest, item: SchemaNode, key: JsonValue) {
  const [, called] = ADDRESSES.find(([form]) => typeof key === 'string' && form.test(key)) ?? [];
  return [...item.names].find(
    (name) => called?.test(plain(name)) === true && takes(request, item, name, key),
  );
}

/** How texts look that say where somebody is reached, and names of properties that have them. */
const ADDRESSES: readonly (readonly [form: RegExp, members: RegExp])[] = [
  [/^\+\d{5,15}$/, /phone|^number$|address$/],
  [/^[^\s@]+@[^\s@]+\.\w+$/, /e?mail(?:address)?$|^address$/],
  [/^https?:\/\//, /^(?:ur[li]|href|link|domain|origin|website)$/],
];

/** Returns true if a property of an item may have a value. */
function takes({ material }: StateRequest, item: SchemaNode, name: string, value: JsonValue) {
  const pointer = item.property(name)?.pointer;
  return (
    pointer !== undefined && material.contract.schemas.schemaAt(pointer, 'response').accepts(value)
  );
}

/** Returns what a create puts in: a `track_id` in `POST /playlists/7/tracks` puts in that track. */
export function withLinked(
  request: StateRequest<CreateMeaning>,
  given: JsonObject,
): Awaitable<JsonObject> {
  const facts = request.facts;
  const twin = facts.twin();
  const name = twin && Object.keys(given).find((one) => refersTo(one, twin));
  if (twin === undefined || name === undefined) return given;
  const value = getMember(given, name) ?? null;
  return after(findNamed(request, twin, value), (found) => {
    const members = Object.entries(given).filter(
      ([member]) => member !== name || facts.properties.has(member),
    );
    const linked = found ?? { [twin.key?.property?.value ?? 'id']: value };
    return { ...linked, ...Object.fromEntries(members) };
  });
}

function refersTo(property: string, { name, key }: ResourceType): boolean {
  const one = plain(singularName(name));
  const own = key?.property?.value ?? 'id';
  return [one, `${one}id`, one + plain(own), plain(own)].includes(plain(property));
}
