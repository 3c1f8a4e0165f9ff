import { toPointer } from '../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { SchemaNode, SchemaNodes } from '../schema/schema-node.ts';
import type { ReadMeaning, Resources } from './meaning.ts';
import type { ResourceType } from './resource.ts';

/** What the operations on a resource say of it together. */
export interface ResourceFacts {
  /** The operation that shows one; undefined where none does. */
  readonly read: ReadMeaning | undefined;
  /** Template of the path of one; undefined where one has no path. */
  readonly itemPath: string | undefined;
  /** True where something is shown of it after it was made: then it must be whole. */
  readonly isShown: boolean;
  /** True where an operation tells of what was deleted, by 410. */
  readonly declaresGone: boolean;
  /** Properties that a read declares. */
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** What stands in it where nobody says anything else. */
  readonly assumed: readonly (readonly [name: string, value: JsonValue])[];
}

/** @returns what finds the facts of a resource, each worked out when it is first asked for */
export function createResourceFacts(
  nodes: SchemaNodes,
  resources: Resources,
): (type: ResourceType) => ResourceFacts {
  const known = new WeakMap<ResourceType, ResourceFacts>();
  return (type) => {
    const facts = known.get(type);
    if (facts !== undefined) return facts;
    const gathered = gather(nodes, resources, type);
    known.set(type, gathered);
    return gathered;
  };
}

function gather(nodes: SchemaNodes, resources: Resources, type: ResourceType): ResourceFacts {
  const meanings = resources
    .explain()
    .flatMap(({ meaning }) => (meaning?.type.name === type.name ? [meaning] : []));
  // Of one resource at two paths, that at the same path knows best.
  const own = meanings.filter(({ type: { path } }) => path === type.path);
  const ordered = [...own, ...meanings.filter((one) => !own.includes(one))];
  const read = ordered.find((one): one is ReadMeaning => one.kind === 'read');
  const ofItem = ordered.find(({ kind }) => ITEM_KINDS.has(kind));
  const schema = nodes.at(type.schema?.pointer);
  let declaresGone: boolean | undefined;
  return {
    read,
    itemPath: (read ?? ofItem)?.operation.path,
    isShown: ordered.some(({ kind }) => kind === 'read' || kind === 'list'),
    get declaresGone() {
      declaresGone ??= ordered.some(({ operation }) => tellsGone(operation));
      return declaresGone;
    },
    properties: schema?.properties ?? new Map(),
    assumed: assumedValues(nodes, schema),
  };
}

/**
 * Returns the values that an object has where nobody gives another: the `const` or the `default` of
 * its properties. What only one branch of `anyOf` or `oneOf` says is not assumed.
 */
function assumedValues(
  nodes: SchemaNodes,
  schema: SchemaNode | undefined,
): readonly (readonly [name: string, value: JsonValue])[] {
  const properties = new Map<string, SchemaNode | undefined>();
  for (const { value, pointer } of schema?.certain ?? []) {
    const members = value['properties'];
    for (const name of isJsonObject(members) ? Object.keys(members) : []) {
      if (properties.has(name)) continue;
      properties.set(name, nodes.at(`${pointer}/properties${toPointer([name])}`));
    }
  }
  return [...properties].flatMap(([name, property]) => {
    const value = property?.certain
      .map(({ value: one }) => getMember(one, 'const') ?? getMember(one, 'default'))
      .find((one) => one !== undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
}

function tellsGone(operation: Operation): boolean {
  if (operation.fault !== undefined) return false;
  return operation.responses.all.some(({ key }) => key === '410');
}

const ITEM_KINDS: ReadonlySet<string> = new Set(['replace', 'patch', 'delete']);
