import { toPointer } from '../base/json/pointer.ts';
import { getMember, isJsonObject } from '../base/json/value.ts';
import { once, remember } from '../base/remember.ts';
import type { SchemaNode, SchemaNodes } from '../schema/schema-node.ts';
import { isShared } from './collections.ts';
import type { Meaning, ReadMeaning, Resources } from './meaning.ts';
import { createRelationFinder, findShowings, type Relations } from './relations.ts';
import type { ResourceType } from './resource.ts';

export type ResourceFacts = ReturnType<typeof gather>;

/** Returns the function that gathers the facts of a type, once for each. */
export function createResourceFacts(nodes: SchemaNodes, resources: Resources) {
  const known = new WeakMap<ResourceType, ResourceFacts>();
  const findRelations = once(() => createRelationFinder(nodes, resources));
  return (type: ResourceType): ResourceFacts =>
    remember(known, type, () => gather(nodes, resources, type, () => findRelations()(type)));
}

function gather(
  nodes: SchemaNodes,
  resources: Resources,
  type: ResourceType,
  findRelations: () => Relations,
) {
  const meanings = resources
    .explain()
    .flatMap(({ meaning }) => (meaning?.type.name === type.name ? [meaning] : []));
  // The operations at the type's own path come first.
  const own = meanings.filter(({ type: { path } }) => path === type.path);
  const ordered = [...own, ...meanings.filter((one) => !own.includes(one))];
  const atPaths = ordered.filter(({ call }) => call === undefined);
  const schema = nodes.at(type.schema?.pointer);
  return {
    read: ordered.find(isByKey),
    itemPath: (atPaths.find(isByKey) ?? atPaths.find(isOfItem))?.operation.path.replace(
      /[#?].*/,
      '',
    ),
    /** True if a later response shows stored resources: then they must be complete. */
    isShown: ordered.some(({ kind }) => kind === 'read' || kind === 'list'),
    /** True if an operation declares 410 for deleted resources. */
    declaresGone: once(() =>
      ordered.some(
        ({ operation: { fault, responses } }) =>
          fault === undefined && responses.all.some(({ key }) => key === '410'),
      ),
    ),
    properties: schema?.properties ?? new Map<string, SchemaNode>(),
    /** The type with the same schema and a path of its own, for one below a parent. */
    twin: once(() => findTwin(nodes, resources, type)),
    relations: once(findRelations),
    showings: once(() => findShowings(type, nodes, resources)),
    assumed: assumedValues(nodes, schema),
  };
}

/** Returns the type of `/tracks` for that of `/playlists/{id}/tracks`, which shows the same. */
export function findTwin(nodes: SchemaNodes, { all }: Resources, type: ResourceType) {
  const own = nodes.at(type.schema?.pointer)?.identity;
  if (own === undefined || isShared(type)) return undefined;
  const twins = all.filter(
    ({ kind, parents, schema }) =>
      kind === 'collection' && parents.length === 0 && nodes.at(schema?.pointer)?.identity === own,
  );
  return twins.length === 1 ? twins[0] : undefined;
}

/** Returns true for a read that shows one resource by its key. */
function isByKey(meaning: Meaning): meaning is ReadMeaning {
  return meaning.kind === 'read' && meaning.by === undefined && meaning.flag === undefined;
}

/**
 * Returns the values of properties that neither client nor service sets: their `const` or
 * `default`. A branch of `anyOf` or `oneOf` may not apply, so it is not read.
 */
function assumedValues(nodes: SchemaNodes, schema: SchemaNode | undefined) {
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

/** Returns true for an operation at the path of one resource, not for `POST /plants/bulk-delete`. */
function isOfItem({ kind, operation: { path }, type }: Meaning): boolean {
  const isByKey = type.kind === 'singleton' || path.includes(`{${type.key?.parameter}}`);
  return ITEM_KINDS.has(kind) && isByKey;
}

const ITEM_KINDS: ReadonlySet<string> = new Set(['replace', 'patch', 'delete']);
