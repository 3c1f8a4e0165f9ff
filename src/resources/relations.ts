import { groupBy, remember } from '../base/remember.ts';
import { plain, singularName } from '../base/words.ts';
import { likeness, type SchemaNode, type SchemaNodes } from '../schema/schema-node.ts';
import type { MemberPath, Resources } from './meaning.ts';
import type { Parent, ResourceType } from './resource.ts';
import { findEnvelope } from './shape/envelope.ts';
import { countedBy } from './shape/words.ts';
import { ALIKE } from './shape/wrapping.ts';

/** A property that shows another resource, or a list of things that do. */
export interface Relation {
  /** The type of the resource that the property may show; undefined if only what is inside does. */
  readonly target: ResourceType | undefined;
  /** True if its schema has no place for the key alone. */
  readonly needsObject: boolean;
  /** Where the property has the list; empty for an array, undefined for one value. */
  readonly list: MemberPath | undefined;
  readonly inside: Relations;
}

export type Relations = ReadonlyMap<string, Relation>;

const NONE: Relations = new Map();

/** Lists in lists are not searched. */
const DEEPEST = 1;

/** Returns the function that finds the relations of a type by the schemas that resources have. */
export function createRelationFinder(nodes: SchemaNodes, resources: Resources) {
  const types = new Map<string, ResourceType>();
  for (const type of resources.all) {
    const node = nodes.at(type.schema?.pointer);
    if (node !== undefined && type.kind === 'collection')
      remember(types, node.identity, () => type);
  }
  const relationsOf = (node: SchemaNode | undefined, depth: number): Relations => {
    const found = new Map<string, Relation>();
    for (const [name, property] of node?.properties ?? []) {
      const relation = relationOf(name, property, depth);
      if (relation !== undefined) found.set(name, relation);
    }
    return found;
  };
  const relationOf = (name: string, node: SchemaNode, depth: number): Relation | undefined => {
    const list = node.isArray ? { path: [], item: node.items } : listIn(name, node);
    const value = list === undefined ? node : list.item;
    const target = value?.possible.map(({ pointer }) => types.get(pointer)).find(Boolean);
    const inside = list === undefined || depth >= DEEPEST ? NONE : relationsOf(value, depth + 1);
    const isEmpty = target === undefined && inside.size === 0;
    if (isEmpty && (list?.path ?? []).length === 0) return undefined;
    const needsObject = !KEY_TYPES.some((type) => value?.types.has(type));
    return { target, needsObject, list: list?.path, inside };
  };
  return (type: ResourceType): Relations => relationsOf(nodes.at(type.schema?.pointer), 0);
}

const KEY_TYPES = ['string', 'integer', 'number'];

/** Returns the list in a property that describes it: `{"data": […], "has_more": false}`. */
function listIn(name: string, node: SchemaNode) {
  if (![...node.properties.values()].some(({ isArray }) => isArray)) return undefined;
  const { envelope, item } = findEnvelope(node, { collection: name, item: undefined }) ?? {};
  const isList = envelope?.path.length === 1 && envelope.parts.length > 0;
  return isList ? { path: envelope.path, item } : undefined;
}

/** A property that shows the resources that another collection has below this one, or counts them. */
export interface Showing {
  readonly property: string;
  readonly isCount: boolean;
  /** True if clients may write the list: it shows what they write as well. */
  readonly isGiven: boolean;
  /** The type of the items of its list, below the path of the resource. */
  readonly child: ResourceType;
  /** The parameter of the child's path that has the key of the resource. */
  readonly parent: Parent;
}

type Child = Pick<Showing, 'child' | 'parent'>;

/**
 * Returns the function that finds what a type shows of those below it: `comments` or
 * `commentCount` of an issue for `/issues/{id}/comments`.
 */
export function createShowingFinder(nodes: SchemaNodes, resources: Resources) {
  const children = resources.meanings().flatMap(({ kind, type: child }): readonly Child[] => {
    const parent = child.parents.at(-1);
    const isWhole = kind === 'list' || kind === 'create';
    return isWhole && parent !== undefined ? [{ child, parent }] : [];
  });
  const byParent = groupBy(children, ({ parent }) => parent.resource);
  return (type: ResourceType) => findShowings(type, nodes, byParent.get(type.name) ?? []);
}

function findShowings(
  type: ResourceType,
  nodes: SchemaNodes,
  children: readonly Child[],
): readonly Showing[] {
  if (children.length === 0) return [];
  const own = new Set(type.serverSet.flatMap((one) => (one.mayBeGiven ? [] : one.name)));
  return [...(nodes.at(type.schema?.pointer)?.properties ?? [])].flatMap(([name, node]) => {
    const { isArray, items, types } = node;
    const isCount = types.has('integer') && own.has(name);
    if (!(isCount || isArray)) return [];
    const counted = countedBy(name);
    const found = children.find(
      ({ child }) =>
        plain(singularName(child.path.split('/').at(-1) ?? '')) === counted &&
        (isCount || likeness(items, nodes.at(child.schema?.pointer)) >= ALIKE),
    );
    return found === undefined
      ? []
      : [{ property: name, isCount, isGiven: !own.has(name), ...found }];
  });
}
