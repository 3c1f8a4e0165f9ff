import { groupBy } from '../../base/group-by.ts';
import { once } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import type { ResourceOverride, Sourced } from '../override/overrides.ts';
import type { ResourceType } from '../resource.ts';
import { templateOf } from '../shape/path-shape.ts';
import type { Draft } from './draft.ts';
import type { Families, Family } from './families.ts';
import { type CollectionAt, findKey, findParents, type OverrideOf } from './infer-key.ts';
import { findServerSet } from './server-set.ts';

export interface AssembledType {
  readonly draft: Draft;
  readonly type: ResourceType;
}

/** Makes resource types of drafts, by their families: gives them names, keys and parents. */
export function assembleResources(
  families: Families,
  drafts: ReadonlyMap<Family, Draft>,
): ReadonlyMap<Family, AssembledType> {
  const names = nameAll(families.contract, [...drafts.keys()]);
  const make = (draft: Draft): AssembledType => {
    const { family } = draft;
    const name = names.get(family) ?? family.name;
    return assemble(families, draft, name, (path) => {
      const owner = families.find(family.root, path);
      const isThere = owner !== undefined && drafts.get(owner)?.kind === 'collection';
      return isThere ? { name: names.get(owner) ?? owner.name, family: owner.name } : undefined;
    });
  };
  const own = new Map([...drafts].map(([family, draft]) => [family, make(draft)] as const));
  return shareAmongParents(own, make);
}

/**
 * Names each family: by the last name of its path if no other family has it, else by the whole
 * path. Families of several documents with the same path get the base path of their document in
 * front.
 */
function nameAll(contract: Contract, families: readonly Family[]): ReadonlyMap<Family, string> {
  const pathOf = ({ path }: Family): string => templateOf(path).slice(1);
  const sameName = groupBy(families, ({ name }) => name);
  const samePath = groupBy(families, pathOf);
  const bases = new Map(
    contract.document.entries.map(({ place, basePath }, index) => [
      place,
      basePath?.slice(1) ?? String(index + 1),
    ]),
  );
  return new Map(
    families.map((family) => {
      const { name } = family;
      if (sameName.get(name)?.length === 1 && name !== '') return [family, name];
      if (samePath.get(pathOf(family))?.length === 1) return [family, pathOf(family)];
      return [family, `${bases.get(family.root)}/${pathOf(family)}`];
    }),
  );
}

/** Makes the resource type of one draft. */
export function assemble(
  { contract: { schemas }, overrides }: Families,
  draft: Draft,
  name: string,
  collectionAt: CollectionAt,
): AssembledType {
  const { family, shown, written } = draft;
  const overrideOf = overridesOf(overrides.resources.get(name) ?? []);
  const key = draft.kind === 'singleton' ? undefined : findKey(draft, overrideOf);
  const property = key?.property?.value;
  const parents = findParents(draft, property, collectionAt, overrideOf);
  const fromPath = parents.flatMap((parent) => parent.property?.value ?? []);
  const [writtenView] = written;
  const [item] = family.item?.values() ?? [];
  const find = (): ServerSet =>
    findServerSet(draft, property, fromPath, (each, node) => {
      const override = overrideOf(({ set }) => set.get(each));
      const value =
        overrides.properties.get(node.pointer) ?? overrides.properties.get(node.identity);
      if (override !== undefined || value === undefined) return override;
      return { value, reason: 'an override says so', source: 'x-coldframe' };
    });
  const parts = {
    name,
    kind: draft.kind,
    path: templateOf(family.path),
    itemPath: draft.kind === 'collection' ? item?.operation.path : undefined,
    key,
    parents: Object.freeze(parents),
    schema: shown && schemas.schemaAt(shown.pointer, 'response'),
    writtenSchema: writtenView && schemas.schemaAt(writtenView.pointer, 'request'),
  };
  return { draft, type: createResource(parts, find) };
}

type ServerSet = ResourceType['serverSet'];

/** @param find is called when the properties are first used: most types are never used */
function createResource(parts: Omit<ResourceType, 'serverSet'>, find: () => ServerSet) {
  const serverSet = once(() => Object.freeze(find()));
  return Object.freeze({
    ...parts,
    get serverSet() {
      return serverSet();
    },
  });
}

function overridesOf(sourced: readonly Sourced<ResourceOverride>[]): OverrideOf {
  return (of) => {
    for (const { value: override, source } of sourced) {
      const value = of(override);
      if (value !== undefined) return { value, reason: 'an override says so', source };
    }
    return undefined;
  };
}

/**
 * Lets a collection below a parent share the collection above it, if both have the same schema and
 * a property names the parent.
 *
 * @param make makes a resource type of a draft again
 */
function shareAmongParents(
  own: ReadonlyMap<Family, AssembledType>,
  make: (draft: Draft) => AssembledType,
): ReadonlyMap<Family, AssembledType> {
  const groups = groupBy(own.values(), ({ draft }) => draft.shown?.identity ?? '');
  const tops = new Map<string, AssembledType>();
  for (const [identity, group] of groups) {
    const top = identity === '' ? undefined : group.find(isTop);
    if (top === undefined) continue;
    // What may be written to one path may be written to all.
    const others = group.filter(isBelow).flatMap(({ draft }) => draft.written);
    const written = [...top.draft.written, ...others];
    tops.set(identity, others.length === 0 ? top : make({ ...top.draft, written }));
  }
  return new Map(
    [...own].map(([family, one]) => {
      const top = tops.get(one.draft.shown?.identity ?? '');
      if (top?.draft.family === family) return [family, top];
      return [family, top !== undefined && isBelow(one) ? shareType(one, top) : one];
    }),
  );
}

function isTop({ type: { kind, parents, itemPath } }: AssembledType): boolean {
  return kind === 'collection' && parents.length === 0 && itemPath !== undefined;
}

function isBelow({ type: { kind, parents } }: AssembledType): boolean {
  const isNamed = parents.length > 0 && parents.every(({ property }) => property !== undefined);
  return kind === 'collection' && isNamed;
}

/** Returns the shared type, as the path below a parent shows it. */
function shareType({ draft, type }: AssembledType, { type: top }: AssembledType): AssembledType {
  const { kind, path, parents } = type;
  const { name, key, schema, writtenSchema } = top;
  const itemPath = type.itemPath ?? top.itemPath;
  const parts = { name, kind, path, parents, key, schema, writtenSchema, itemPath };
  return { draft, type: createResource(parts, () => top.serverSet) };
}
