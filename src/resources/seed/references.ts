import { isNumber, readExactNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonValue, mapMembers } from '../../base/json/value.ts';
import type { Random } from '../../base/random.ts';
import { remember } from '../../base/remember.ts';
import { plain, singularName, wordsOf } from '../../base/words.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import { readKey } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import type { PlacedResource, Target } from './placed.ts';

export interface Reference {
  readonly property: string;
  readonly target: string;
  /** `key` is the key alone, `object` contains it: `{"garden": {"id": 7}}`. */
  readonly form: 'key' | 'object';
  readonly isMany: boolean;
  /** True if a path names the target as a parent. */
  readonly isParent: boolean;
  /** Pointer of the property's schema; if `isMany`, of its items. Undefined if no schema has it. */
  readonly pointer: string | undefined;
}

/** Returns the function that finds the references of a type by the names of its properties. */
export function createReferenceFinder(
  resources: Resources,
  nodes: SchemaNodes,
): (type: ResourceType) => readonly Reference[] {
  const { byKeyName, byName } = nameTargets(resources.all);
  const byPath = targetsOfPaths(resources);
  const targetOfKey = (type: ResourceType, name: string): string | undefined => {
    if (OWN_PARENT.test(plain(name))) return type.name;
    // `favouritePlantId` and `plantId` both refer to a plant.
    const words = wordsOf(name);
    for (let first = 0; first < words.length; first++) {
      const target = byKeyName.get(words.slice(first).join(''));
      if (target !== undefined && (first === 0 || words.length - first > 1)) return target;
    }
    return undefined;
  };
  /** An object with the name of a type must contain its key as well. */
  const targetOfObject = (name: string, node: SchemaNode): string | undefined => {
    const target = byName.get(plain(name));
    const key = target && resources.find(target)?.key?.property?.value;
    return key !== undefined && node.names.has(key) ? target : undefined;
  };
  const read = (type: ResourceType, property: string, node: SchemaNode): Reference | undefined => {
    const isMany = node.isArray && node.items !== undefined;
    const value = isMany ? node.items : node;
    if (value === undefined) return undefined;
    const name = isMany ? singularName(property) : property;
    const form = value.isObject && !value.isArray ? 'object' : 'key';
    const parent = byPath.get(type.name)?.get(property);
    const target =
      parent ?? (form === 'key' ? targetOfKey(type, name) : targetOfObject(name, value));
    if (target === undefined) return undefined;
    const isParent = parent !== undefined;
    return { property, target, form, isMany, isParent, pointer: value.pointer };
  };
  return (type) => {
    const found = new Map<string, Reference>();
    for (const [name, property] of propertiesOf(type, nodes)) {
      if (found.has(name) || name === type.key?.property?.value) continue;
      const reference = read(type, name, property);
      if (reference !== undefined) found.set(name, reference);
    }
    for (const [property, target] of byPath.get(type.name) ?? []) {
      const hidden = { property, target, form: 'key', isMany: false, isParent: true } as const;
      if (!found.has(property)) found.set(property, { ...hidden, pointer: undefined });
    }
    return [...found.values()];
  };
}

function propertiesOf({ schema, writtenSchema }: ResourceType, nodes: SchemaNodes) {
  return [schema, writtenSchema].flatMap((one) => [...(nodes.at(one?.pointer)?.properties ?? [])]);
}

/** Returns types by resource type and property, as the document's paths show. */
function targetsOfPaths(resources: Resources) {
  const all = new Map<string, Map<string, string>>();
  for (const { type } of resources.meanings()) {
    for (const { property, resource, isMany } of type.parents) {
      const target = isMany === true ? undefined : resource;
      if (property === undefined || target === undefined) continue;
      remember(all, type.name, () => new Map()).set(property.value, target);
    }
  }
  return all;
}

/** Returns types by the names of properties that contain a key, and of those with an object. */
function nameTargets(all: readonly ResourceType[]) {
  const byKeyName = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const { key, name } of all) {
    if (key?.property === undefined) continue;
    const one = plain(singularName(name.split('/').at(-1) ?? name));
    const own = plain(key.property.value);
    const composed = ['id', 'key', 'uuid', 'slug', 'code', own].map((ending) => one + ending);
    // A parameter with a general name does not say which type it identifies.
    const telling = [plain(key.parameter ?? ''), own].filter((each) => !GENERAL.has(each));
    for (const each of [...composed, ...telling]) remember(byKeyName, each, () => name);
    remember(byName, one, () => name);
  }
  return { byKeyName, byName };
}

const OWN_PARENT = /^parent(?:id|key|uuid)?$/;
const GENERAL: ReadonlySet<string> = new Set(['', 'id', 'key', 'name', 'slug', 'uuid', 'code']);

/**
 * Chooses a target: one parent after the other, so that each has some, else at random. Of its own
 * type only an earlier one, so that no resource is its own ancestor.
 */
export function chooseTarget(
  reference: Reference,
  one: PlacedResource,
  targets: readonly Target[],
  random: Random,
): Target | undefined {
  const isOwn = targets[one.number]?.type === one.type;
  const count = isOwn ? one.number : targets.length;
  return targets[reference.isParent ? one.number % count : Math.floor(random.next() * count)];
}

/**
 * Returns the value of a property that refers to an existing resource.
 *
 * @param value the generated value; undefined and null are kept
 * @returns undefined if the schema does not allow the key
 */
export function refer(
  { schemas }: Pick<Contract, 'schemas'>,
  reference: Reference,
  keyName: string,
  value: JsonValue | undefined,
  choose: () => Target | undefined,
): JsonValue | undefined {
  if (value === undefined || value === null) return value;
  const one = (item: JsonValue): JsonValue | undefined => {
    const chosen = choose();
    if (chosen === undefined) return undefined;
    // A schema may allow both the key and the object.
    return reference.form === 'key' || !isJsonObject(item)
      ? keyAs(
          reference.pointer && schemas.schemaAt(reference.pointer, 'response'),
          readKey(chosen.key),
        )
      : pointTo(item, keyName, chosen);
  };
  if (!reference.isMany) return one(value);
  if (!Array.isArray(value)) return undefined;
  const items = value.flatMap((item) => one(item) ?? []);
  if (items.length < value.length) return undefined;
  // Keys are not repeated.
  const unique = items.map(
    (item) => [typeof item === 'object' ? item : String(item), item] as const,
  );
  return [...new Map(unique).values()];
}

/** Returns the key as it is, as a string, or as a number: what the schema allows. */
function keyAs(schema: Schema | '' | undefined, key: JsonValue): JsonValue | undefined {
  if (!schema) return key;
  const other = isNumber(key)
    ? String(key)
    : typeof key === 'string' && /^-?\d{1,15}$/.test(key)
      ? readExactNumber(key)
      : undefined;
  return [key, other].find((one) => one !== undefined && schema.accepts(one));
}

/** Returns the object with the members of the target that it shows. */
function pointTo(value: JsonValue, keyName: string, { key, value: meant }: Target) {
  if (!isJsonObject(value)) return undefined;
  return mapMembers(value, (member, name) => {
    const own = name === keyName ? readKey(key) : getMember(meant, name);
    return own ?? member;
  });
}
