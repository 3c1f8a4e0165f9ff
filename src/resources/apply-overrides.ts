import type { Contract, Operation } from '../contract/contract.ts';
import { type AssembledResource, assemble } from './assemble.ts';
import type { Draft } from './draft.ts';
import { draftFrom } from './draft-from-said.ts';
import { findEnvelopeParts } from './envelope-parts.ts';
import type { Families } from './families.ts';
import { findEnvelope } from './find-envelope.ts';
import { findSets } from './find-sets.ts';
import { findWrapping, readResourceObject } from './find-wrapping.ts';
import { createsAbsent, fieldsOf } from './infer-meanings.ts';
import type { ActionMeaning, Envelope, Meaning, Wrapping } from './meaning.ts';
import type { OperationShape } from './operation-shape.ts';
import type { Doing, OperationOverride, Overrides, Said } from './overrides.ts';
import { above, lastName } from './path-shape.ts';
import { findListQuery } from './query-roles.ts';
import type { Resource } from './resource.ts';
import type { SchemaView } from './schema-view.ts';

/** What operations mean, as somebody says who knows better. */
export class Overruling {
  readonly #contract: Contract;
  readonly #families: Families;
  readonly #overrides: Overrides;
  readonly #known: Map<string, AssembledResource>;

  constructor(
    contract: Contract,
    families: Families,
    overrides: Overrides,
    known: readonly AssembledResource[],
  ) {
    this.#contract = contract;
    this.#families = families;
    this.#overrides = overrides;
    // Of those that share a name the one without parents is kept, which comes last.
    const sorted = known.toSorted((a, b) => b.resource.parents.length - a.resource.parents.length);
    this.#known = new Map(sorted.map((one) => [one.resource.name, one]));
    this.#addNew();
    this.#complainOfUnknown();
  }

  /** @param meanings what was inferred; it is changed in place */
  apply(meanings: Map<Operation, Meaning>): void {
    for (const shape of this.#families.shapes.values()) {
      const { operation, override } = shape;
      if (override === undefined) continue;
      const meaning = this.#mean(shape, override, meanings.get(operation));
      if (meaning === undefined) meanings.delete(operation);
      else meanings.set(operation, meaning);
    }
  }

  /** The resources that operations name and that were not inferred. */
  #addNew(): void {
    const groups = new Map<string, OperationShape[]>();
    for (const shape of this.#families.shapes.values()) {
      const name = shape.override?.value.resource;
      if (name === undefined || this.#known.has(name)) continue;
      groups.set(name, [...(groups.get(name) ?? []), shape]);
    }
    for (const [name, shapes] of groups) {
      const draft = draftFrom(shapes);
      const resource = assemble(this.#contract, this.#overrides, draft, name, (path) => {
        const owner = this.#families.find(draft.family.root, path);
        const known = [...this.#known.values()].find((one) => one.draft.family === owner);
        return known && { name: known.resource.name, family: known.draft.family.name };
      });
      this.#known.set(name, { draft, resource });
    }
  }

  #complainOfUnknown(): void {
    for (const [name, said] of this.#overrides.resources) {
      if (this.#known.has(name)) continue;
      const names = [...this.#known.keys()].join(', ');
      for (const { complain } of said) {
        complain(`there is no resource ${JSON.stringify(name)}`, `There are ${names || 'none'}.`);
      }
    }
  }

  #mean(
    shape: OperationShape,
    said: Said<OperationOverride>,
    inferred: Meaning | undefined,
  ): Meaning | undefined {
    const { value, complain } = said;
    const does = value.does ?? (inferred && doingOf(inferred));
    if (does === 'nothing') return undefined;
    if (does === undefined) {
      if (value.parameters.size > 0) return undefined;
      complain('nothing was inferred of the operation, so it must have the member "does"');
      return undefined;
    }
    const known = this.#known.get(value.resource ?? inferred?.resource.name ?? '');
    if (known === undefined) {
      complain('no resource was inferred for the operation, so it must have the member "resource"');
      return undefined;
    }
    const isOwn = inferred !== undefined && known.resource.name === inferred.resource.name;
    const resource = isOwn ? inferred.resource : atPath(known.resource, shape);
    return build(shape, said, does, { draft: known.draft, resource }, inferred);
  }
}

/** @returns undefined where it cannot be so, which is complained of */
function build(
  shape: OperationShape,
  said: Said<OperationOverride>,
  does: Exclude<Doing, 'nothing'>,
  { draft, resource }: AssembledResource,
  inferred: Meaning | undefined,
): Meaning | undefined {
  const { value, source } = said;
  const reason = value.does === undefined ? (inferred?.reason ?? '') : 'it was said so';
  const shown = shownAt(shape, value, draft, inferred);
  const base = { operation: shape.operation, resource, reason, source, shown };
  const given = givenAt(shape, value, draft, inferred);
  switch (does) {
    case 'list':
      return buildList(shape, said, draft, base);
    case 'create': {
      const isMany = value.isMany ?? (inferred?.kind === 'create' && inferred.isMany);
      return { ...base, kind: 'create', given, isMany };
    }
    case 'read':
      return { ...base, kind: 'read', query: fieldsOf(shape) };
    case 'replace':
      return { ...base, kind: 'replace', given, createsAbsent: createsAbsent(shape) };
    case 'patch':
      return { ...base, kind: 'patch', given };
    case 'delete':
    case 'delete-all':
      return { ...base, kind: 'delete', isAll: does === 'delete-all' };
    case 'action':
      return {
        ...base,
        kind: 'action',
        name: lastName(shape.path),
        given: shape.given === undefined ? undefined : given,
        sets: setsOf(shape, said, draft),
      };
  }
}

function shownAt(
  { success }: OperationShape,
  { shown }: OperationOverride,
  { family }: Draft,
  inferred: Meaning | undefined,
): Wrapping | undefined {
  if (shown !== undefined) return wrappingAt(success?.view, shown);
  return inferred?.shown ?? findWrapping(success?.view, family.name)?.wrapping;
}

function givenAt(
  { given }: OperationShape,
  said: OperationOverride,
  { family }: Draft,
  inferred: Meaning | undefined,
): Wrapping {
  if (said.given !== undefined) return wrappingAt(given?.view, said.given);
  const known = inferred !== undefined && 'given' in inferred ? inferred.given : undefined;
  return known ?? findWrapping(given?.view, family.name)?.wrapping ?? PLAIN;
}

function buildList(
  shape: OperationShape,
  { value, complain }: Said<OperationOverride>,
  { shown, family }: Draft,
  base: Pick<Meaning, 'operation' | 'resource' | 'reason' | 'source'>,
): Meaning | undefined {
  const list = listAt(shape.success?.view, value.list, shown, family.name);
  if (list === undefined) {
    complain('its answer has no list of objects', 'Say where it is: `list: [data, items]`.');
    return undefined;
  }
  const query = findListQuery(shape, list.item);
  return { ...base, kind: 'list', envelope: list.envelope, query, shown: undefined };
}

function setsOf(
  shape: OperationShape,
  { value: { sets }, source }: Said<OperationOverride>,
  { shown }: Draft,
): ActionMeaning['sets'] {
  if (sets.size === 0) {
    return findSets(lastName(shape.path), shown).map(({ property, value, reason }) => ({
      property,
      value: { value, reason, source: 'inferred' },
    }));
  }
  return [...sets].map(([property, value]) => ({
    property,
    value: { value, reason: 'it was said so', source },
  }));
}

const PLAIN: Wrapping = Object.freeze({ path: Object.freeze([]), form: 'plain' });

function doingOf(meaning: Meaning): Exclude<Doing, 'nothing'> {
  return meaning.kind === 'delete' && meaning.isAll ? 'delete-all' : meaning.kind;
}

/** The same resource, its key taken from the path of an operation that stands elsewhere. */
function atPath(resource: Resource, { path }: OperationShape): Resource {
  const item = path.segments.at(-1)?.kind === 'parameter' ? path : above(path);
  const last = item.segments.at(-1);
  const { key } = resource;
  if (key === undefined || last?.kind !== 'parameter' || key.parameter === last.name)
    return resource;
  return Object.freeze({ ...resource, key: { ...key, parameter: last.name } });
}

function viewAt(view: SchemaView | undefined, path: readonly string[]): SchemaView | undefined {
  return path.reduce<SchemaView | undefined>((at, name) => at?.property(name), view);
}

function wrappingAt(view: SchemaView | undefined, path: readonly string[]): Wrapping {
  const inner = viewAt(view, path);
  const resourceObject = inner && readResourceObject(inner);
  return { ...(resourceObject?.wrapping ?? PLAIN), path };
}

function listAt(
  view: SchemaView | undefined,
  path: readonly string[] | undefined,
  item: SchemaView | undefined,
  collection: string,
): { readonly envelope: Envelope; readonly item: SchemaView } | undefined {
  if (path === undefined) return findEnvelope(view, { collection, item });
  const array = viewAt(view, path);
  const one = array?.items;
  if (view === undefined || array?.isArray !== true || one === undefined) return undefined;
  const resourceObject = readResourceObject(one);
  const parts = path.length === 0 ? [] : findEnvelopeParts(view, path);
  return {
    envelope: { ...(resourceObject?.wrapping ?? PLAIN), path, isByKey: false, parts },
    item: resourceObject?.view ?? one,
  };
}
