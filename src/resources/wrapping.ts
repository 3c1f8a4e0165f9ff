import { isNumber } from '../base/json/number.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import { singularName } from '../base/words.ts';
import type { MemberPath, Wrapping } from './meaning.ts';
import type { ResourceType } from './resource.ts';

/** Returns the value that names of members lead to; undefined if there is none. */
export function valueAt(body: JsonValue | undefined, path: MemberPath): JsonValue | undefined {
  let value = body;
  for (const name of path) {
    value = isJsonObject(value) ? getMember(value, name) : undefined;
  }
  return value;
}

/** Returns the path of one beside that of a list: `data.plant` for `data.plants`. */
export function pathOfOne(path: MemberPath): MemberPath {
  return [...path.slice(0, -1), ...path.slice(-1).map(singularName)];
}

/** Sets a property of a resource, or one inside another, whose object is replaced. */
export function setProperty(resource: JsonObject, name: string, value: JsonValue): void {
  const end = name.indexOf('.');
  if (end < 0 || Object.hasOwn(resource, name)) {
    setMember(resource, name, value);
    return;
  }
  const owner = getMember(resource, name.slice(0, end));
  const inner = isJsonObject(owner) ? { ...owner } : {};
  setProperty(inner, name.slice(end + 1), value);
  setMember(resource, name.slice(0, end), inner);
}

/** Returns a value inside members of these names: `{"data": {"plant": …}}`. */
export function wrapInMembers(value: JsonValue, path: MemberPath): JsonValue {
  return path.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
}

export function unwrap(
  body: JsonValue | undefined,
  wrapping: Wrapping | undefined,
  type: ResourceType,
): JsonObject | undefined {
  if (wrapping === undefined) return undefined;
  const value = valueAt(body, wrapping.path);
  const one = wrapping.isInList && Array.isArray(value) ? value[0] : value;
  return unwrapAlone(one, wrapping, type);
}

export function wrap(resource: JsonObject, wrapping: Wrapping, type: ResourceType): JsonValue {
  const one = wrapAlone(resource, wrapping, type);
  return wrapInMembers(wrapping.isInList ? [one] : one, wrapping.path);
}

/** Like {@link unwrap}, for an item of a list. */
export function unwrapAlone(
  value: JsonValue | undefined,
  { form, renamed }: Pick<Wrapping, 'form' | 'renamed'>,
  type: ResourceType,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const resource = form === 'plain' ? value : readResourceObject(value, type);
  return renamed === undefined ? resource : renameMembers(resource, renamed);
}

function renameMembers(resource: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const renamed: JsonObject = {};
  for (const [name, value] of Object.entries(resource)) {
    const other = names.get(name);
    if (other === undefined) setMember(renamed, name, value);
    else setProperty(renamed, other, value);
  }
  return renamed;
}

/** Like {@link wrap}, for an item of a list. */
export function wrapAlone(resource: JsonObject, wrapping: Wrapping, type: ResourceType) {
  return wrapping.form === 'plain' ? resource : writeResourceObject(resource, wrapping, type);
}

/** Members of a resource object that are no attributes (JSON:API 1.1 §7.2). */
const BESIDE = ['relationships', 'links', 'meta'];

function readResourceObject(object: JsonObject, type: ResourceType): JsonObject {
  const attributes = getMember(object, 'attributes');
  const resource: JsonObject = isJsonObject(attributes) ? { ...attributes } : {};
  const id = getMember(object, 'id');
  if (id !== undefined) setMember(resource, keyNameOf(type), id);
  for (const name of BESIDE) {
    const member = getMember(object, name);
    if (member !== undefined) setMember(resource, name, member);
  }
  return resource;
}

function writeResourceObject(resource: JsonObject, { typeName }: Wrapping, type: ResourceType) {
  const keyName = keyNameOf(type);
  const object: JsonObject = {};
  const attributes: JsonObject = {};
  const ownType = typeName ?? getMember(resource, 'type');
  if (ownType !== undefined) object['type'] = ownType;
  for (const [name, value] of Object.entries(resource)) {
    if (name === keyName) object['id'] = toIdentifier(value);
    else if (BESIDE.includes(name)) setMember(object, name, value);
    else setMember(attributes, name, value);
  }
  object['attributes'] = attributes;
  return object;
}

function keyNameOf({ key }: ResourceType): string {
  return key?.property?.value ?? 'id';
}

/** JSON:API 1.1 §7.2.2: an `id` is a string. */
function toIdentifier(value: JsonValue): JsonValue {
  return isNumber(value) ? String(value) : value;
}
