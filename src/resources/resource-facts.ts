import { toPointer } from '../base/json/pointer.ts';
import { getMember, isJsonObject } from '../base/json/value.ts';
import { once, remember } from '../base/remember.ts';
import { plain, singularName } from '../base/words.ts';
import type { SchemaNode, SchemaNodes } from '../schema/schema-node.ts';
import { isShared } from './collections.ts';
import type { Meaning, MemberPath, ReadMeaning, Resources } from './meaning.ts';
import {
  createRelationFinder,
  createShowingFinder,
  type Relations,
  type Showing,
} from './relations.ts';
import type { ResourceType } from './resource.ts';

export type ResourceFacts = ReturnType<typeof gather>;

/** Returns the function that gathers the facts of a type, once for each. */
export function createResourceFacts(nodes: SchemaNodes, resources: Resources) {
  const known = new WeakMap<ResourceType, ResourceFacts>();
  const relations = once(() => createRelationFinder(nodes, resources));
  const showings = once(() => createShowingFinder(nodes, resources));
  return (type: ResourceType): ResourceFacts =>
    remember(known, type, () =>
      gather(nodes, resources, type, {
        relations: () => relations()(type),
        showings: () => showings()(type),
      }),
    );
}

function gather(
  nodes: SchemaNodes,
  resources: Resources,
  type: ResourceType,
  find: { readonly relations: () => Relations; readonly showings: () => readonly Showing[] },
) {
  const meanings = resources.meaningsOf(type.name);
  // The operations at the type's own path come first.
  const own = meanings.filter(({ type: { path } }) => path === type.path);
  const ordered = [...own, ...meanings.filter((one) => !own.includes(one))];
  const atPaths = ordered.filter(({ call }) => call === undefined);
  const schema = nodes.at(type.schema?.pointer);
  const properties = schema?.properties ?? new Map<string, SchemaNode>();
  const keyLists = new Map<string, readonly MemberPath[]>();
  return {
    /** Returns where a response has lists of keys, beside the resource or without it. */
    keyListsOf: (meaning: Meaning, pointer: string | undefined): readonly MemberPath[] =>
      remember(keyLists, meaning.operation.pointer, () => [
        ...findKeyLists(nodes.at(pointer), type, meaning.shown?.path.join(' ')),
      ]),
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
    properties,
    /** The properties with an object, or a list of objects, that has members of its own. */
    objects: once(() => new Map([...properties].filter(([, one]) => hasObjects(one)))),
    namesOfOthers: namesOfOthers(schema),
    /** The type with the same schema and a path of its own, for one below a parent. */
    twin: once(() => findTwin(nodes, resources, type)),
    relations: once(find.relations),
    showings: once(find.showings),
    assumed: assumedValues(nodes, schema),
  };
}

function hasObjects(property: SchemaNode): boolean {
  const item = property.isArray ? property.items : property;
  return item !== undefined && item.names.size > 0;
}

/** Returns the properties with the name of what another names by its id: `account_name`. */
function namesOfOthers(schema: SchemaNode | undefined) {
  const all = [...(schema?.names ?? [])];
  return all.flatMap((name) => {
    const [, one] = /^(.+?)_?name$/i.exec(name) ?? [];
    const id = one && all.find((other) => plain(other) === `${plain(one)}id`);
    return one && id ? [{ name, id, one }] : [];
  });
}

/**
 * Yields where a response has keys of what it is about: `plant_ids`, `deleted_ids`.
 *
 * @param shown names that lead to the resource, joined
 */
function* findKeyLists(
  node: SchemaNode | undefined,
  type: ResourceType,
  shown: string | undefined,
  path: MemberPath = [],
): Generator<MemberPath> {
  if (path.join(' ') === shown) return;
  for (const [name, member] of node?.properties ?? []) {
    const at = [...path, name];
    const isSingle = member.items?.isObject === false && !member.items.isArray;
    if (member.isArray && isSingle && namesKeys(name, type)) yield at;
    else if (member.isObject && path.length === 0) yield* findKeyLists(member, type, shown, at);
  }
}

/** `ids`, `orderIds` of orders, `deleted_object_ids`. */
function namesKeys(name: string, type: ResourceType): boolean {
  const [, of] = KEYS.exec(plain(name)) ?? [];
  const one = plain(
    singularName(type.path.split('/').findLast((part) => !part.startsWith('{')) ?? ''),
  );
  return of !== undefined && (/^(?:|object|item|resource|record)$/.test(of) || of === one);
}

const KEYS =
  /^(?:created|new|inserted|added|updated|changed|modified|deleted|removed)?(.*?)(?:id|key|uuid)s$/;

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
