import type { Contract, Operation } from '../../contract/contract.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { type AssembledType, assemble } from '../infer/assemble.ts';
import type { Draft } from '../infer/draft.ts';
import type { Families, Family, PathNode } from '../infer/families.ts';
import { doingOf, type Meaning } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import { findEnvelope } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName } from '../shape/path-shape.ts';
import { findWrapping } from '../shape/wrapping.ts';
import { overrideMeaning } from './override-meaning.ts';
import type { OperationOverride, Overrides, ResourceOverride, Sourced } from './overrides.ts';

/** Applies the overrides to the inferred meanings. */
export class OverrideApplier {
  readonly #contract: Contract;
  readonly #families: Families;
  readonly #overrides: Overrides;
  readonly #known: Map<string, AssembledType>;

  constructor(
    contract: Contract,
    families: Families,
    overrides: Overrides,
    known: readonly AssembledType[],
  ) {
    this.#contract = contract;
    this.#families = families;
    this.#overrides = overrides;
    // Of types that share a name, the one without parents is kept; it comes last.
    const sorted = known.toSorted((a, b) => b.type.parents.length - a.type.parents.length);
    this.#known = new Map(sorted.map((one) => [one.type.name, one]));
    this.#addNew();
    this.#reportUnknown();
  }

  /** @param meanings the inferred meanings, which are changed in place */
  apply(meanings: Map<Operation, Meaning>): void {
    for (const shape of this.#families.shapes.values()) {
      const { operation, override } = shape;
      if (override === undefined) continue;
      const meaning = this.#mean(shape, override, meanings.get(operation));
      if (meaning === undefined) meanings.delete(operation);
      else meanings.set(operation, meaning);
    }
  }

  /** Adds the types that overrides name and that were not inferred. */
  #addNew(): void {
    const groups = new Map<string, OperationShape[]>();
    for (const shape of this.#families.shapes.values()) {
      const name = shape.override?.value.resource;
      if (name === undefined || this.#known.has(name)) continue;
      groups.set(name, [...(groups.get(name) ?? []), shape]);
    }
    for (const [name, shapes] of groups) {
      const draft = draftFrom(shapes);
      const type = assemble(this.#contract, this.#overrides, draft, name, (path) => {
        const owner = this.#families.find(draft.family.root, path);
        const known = [...this.#known.values()].find((one) => one.draft.family === owner);
        return known && { name: known.type.name, family: known.draft.family.name };
      });
      this.#known.set(name, { draft, type });
    }
  }

  #reportUnknown(): void {
    for (const [name, sourced] of this.#overrides.resources) {
      const known = this.#known.get(name);
      const names = [...this.#known.keys()].join(', ');
      for (const one of sourced) {
        if (known !== undefined) reportUnknownParts(known, one);
        else
          one.report(
            `there is no resource ${JSON.stringify(name)}`,
            `There are ${names || 'none'}.`,
          );
      }
    }
  }

  #mean(
    shape: OperationShape,
    sourced: Sourced<OperationOverride>,
    inferred: Meaning | undefined,
  ): Meaning | undefined {
    const { value, report } = sourced;
    const does = value.does ?? (inferred && doingOf(inferred));
    if (does === 'nothing') return undefined;
    if (does === undefined) {
      if (value.parameters.size > 0) return undefined;
      report('nothing was inferred for the operation, so it must have the member "does"');
      return undefined;
    }
    const known = this.#known.get(value.resource ?? inferred?.type.name ?? '');
    if (known === undefined) {
      report('no resource was inferred for the operation, so it must have the member "resource"');
      return undefined;
    }
    const isOwn = inferred !== undefined && known.type.name === inferred.type.name;
    const type = isOwn ? inferred.type : atPath(known.type, shape);
    return overrideMeaning(shape, sourced, does, { draft: known.draft, type }, inferred);
  }
}

function reportUnknownParts(
  { draft, type: { name, parents } }: AssembledType,
  { value: { key, set, parents: parentProperties }, report }: Sourced<ResourceOverride>,
): void {
  const properties = new Set(
    [draft.shown, ...draft.written].flatMap((node) => [...(node?.names ?? [])]),
  );
  const named = [
    key ?? [],
    [...set.keys()],
    [...parentProperties.values()].filter((one) => one !== ''),
  ].flat();
  for (const property of named) {
    if (properties.size === 0 || properties.has(property)) continue;
    report(
      `${name} has no property ${JSON.stringify(property)}`,
      `Its properties are ${[...properties].join(', ')}.`,
    );
  }
  for (const parameter of parentProperties.keys()) {
    if (parents.some((one) => one.parameter === parameter)) continue;
    report(`the path of ${name} has no parameter ${JSON.stringify(parameter)}`);
  }
}

/** Returns the type with its key taken from the path of an operation elsewhere. */
function atPath(type: ResourceType, { path }: OperationShape): ResourceType {
  const item = path.segments.at(-1)?.kind === 'parameter' ? path : above(path);
  const last = item.segments.at(-1);
  const { key } = type;
  if (key === undefined || last?.kind !== 'parameter' || key.parameter === last.name) return type;
  return Object.freeze({ ...type, key: { ...key, parameter: last.name } });
}

/**
 * Makes a draft of operations whose overrides name a new type.
 *
 * @param shapes at least one
 */
function draftFrom(shapes: readonly OperationShape[]): Draft {
  const family = familyOf(shapes);
  const written = shapes.flatMap(
    (shape) => findWrapping(shape.given?.node, family.name)?.node ?? [],
  );
  const list = shapes
    .filter(({ override }) => override?.value.does === 'list')
    .map((shape) => findEnvelope(shape.success?.node, { collection: family.name, item: undefined }))
    .find((one) => one !== undefined);
  const read = shapes
    .filter(({ override }) => override?.value.does !== 'list')
    .map((shape) => findWrapping(shape.success?.node, family.name))
    .filter((one) => one !== undefined)
    .reduce<ReturnType<typeof findWrapping>>(
      (best, one) =>
        best !== undefined && best.node.names.size >= one.node.names.size ? best : one,
      undefined,
    );
  const shown: SchemaNode | undefined = read?.node ?? list?.item;
  if (read !== undefined && shown !== undefined && isSingleton(shapes)) {
    return { kind: 'singleton', family, read, shown, written, reason: 'an override says so' };
  }
  return { kind: 'collection', family, read, list, created: undefined, shown, written };
}

function isSingleton(shapes: readonly OperationShape[]): boolean {
  const declared = shapes
    .map(({ override }) => override?.value.isSingleton)
    .find((one) => one !== undefined);
  const isOfMany = shapes.some(
    ({ override, path }) =>
      /^(?:create|list|delete-all)$/.test(override?.value.does ?? '') ||
      path.segments.at(-1)?.kind === 'parameter',
  );
  return declared ?? !isOfMany;
}

/**
 * Returns a family with the path of the first operation on the collection, else of the path above
 * an item.
 */
function familyOf(shapes: readonly OperationShape[]): Family {
  const endsInKey = ({ path }: OperationShape): boolean =>
    path.segments.at(-1)?.kind === 'parameter';
  const item = shapes.find(endsInKey);
  const collection = shapes.find((shape) => !endsInKey(shape));
  const path = item === undefined ? collection?.path : above(item.path);
  const own = path ?? { segments: [], key: '' };
  const node = (shape: OperationShape | undefined): PathNode | undefined =>
    shape && { path: shape.path, methods: new Map([[shape.operation.method, shape]]) };
  const [first] = shapes;
  return {
    root: first?.operation.root ?? '',
    path: own,
    name: lastName(own),
    collection: node(collection),
    item: node(item),
  };
}
