import { groupBy } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { ResourceOverride, Sourced } from '../override/overrides.ts';
import { templateOf } from '../shape/path-shape.ts';
import type { Draft } from './draft.ts';
import type { Drafts } from './drafts.ts';
import type { Families, Family } from './families.ts';
import { findKey, type OverrideOf } from './infer-key.ts';
import { type CollectionAt, findParents } from './infer-parents.ts';
import { findServerSet } from './server-set.ts';
import { type AssembledType, createResource, type ServerSet, shareTypes } from './share-types.ts';

/**
 * Makes resource types of drafts, by their families: gives them names, keys and parents. Yields
 * after each.
 *
 * @param caller returns the schema of the caller
 */
export function* assembleResources(
  families: Families,
  { of: draftOf }: Drafts,
  caller: Caller,
): Generator<void, ReadonlyMap<Family, AssembledType>> {
  const drafts = new Map(families.all().flatMap((one) => withDraft(one, draftOf(one))));
  const names = nameAll(families.contract, [...drafts.keys()]);
  const make = (draft: Draft): AssembledType => {
    const { family } = draft;
    const name = names.get(family) ?? family.name;
    return assemble(families, { draft, name, caller }, (path) => {
      const owner = families.find(family.root, path);
      const isThere = owner !== undefined && drafts.get(owner)?.kind === 'collection';
      return isThere ? { name: names.get(owner) ?? owner.name, family: owner } : undefined;
    });
  };
  const own = new Map<Family, AssembledType>();
  for (const [family, draft] of drafts) {
    own.set(family, make(draft));
    yield;
  }
  return shareTypes(own, make);
}

function withDraft(family: Family, draft: Draft | undefined) {
  return draft === undefined ? [] : [[family, draft] as const];
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

type Caller = () => SchemaNode | undefined;

interface NamedDraft {
  readonly draft: Draft;
  readonly name: string;
  readonly caller: Caller;
}

/** Makes the resource type of one draft. */
export function assemble(
  { contract: { schemas }, overrides }: Families,
  { draft, name, caller }: NamedDraft,
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
    findServerSet(draft, { key: property, parents: fromPath, caller }, (each, node) => {
      const initial = overrideOf((one) => one.initial.get(each));
      if (initial !== undefined) return { ...initial, value: 'initial', initial: initial.value };
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
    itemPath:
      draft.kind === 'collection' && !item?.isCall
        ? item?.operation.path.replace(/[#?].*/, '')
        : undefined,
    key,
    parents: Object.freeze(parents),
    owners: Object.freeze(fromPath.length === parents.length ? fromPath : []),
    schema: shown && schemas.schemaAt(shown.pointer, 'response'),
    writtenSchema: writtenView && schemas.schemaAt(writtenView.pointer, 'request'),
  };
  return { draft, type: createResource(parts, find) };
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
