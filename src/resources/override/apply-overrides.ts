import type { Contract, Operation } from '../../contract/contract.ts';
import { draftFrom } from '../infer/draft-from-said.ts';
import type { Families } from '../infer/families.ts';
import { sayMeaning } from '../infer/said-meaning.ts';
import type { Meaning } from '../meaning.ts';
import type { Resource } from '../resource.ts';
import { type AssembledResource, assemble } from '../seed/assemble.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above } from '../shape/path-shape.ts';
import type { Doing, OperationOverride, Overrides, ResourceOverride, Said } from './overrides.ts';

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
      const known = this.#known.get(name);
      const names = [...this.#known.keys()].join(', ');
      for (const one of said) {
        if (known !== undefined) complainOfParts(known, one);
        else
          one.complain(
            `there is no resource ${JSON.stringify(name)}`,
            `There are ${names || 'none'}.`,
          );
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
    return sayMeaning(shape, said, does, { draft: known.draft, resource }, inferred);
  }
}

/** Complains of properties and parameters that a resource does not have. */
function complainOfParts(
  { draft, resource: { name, parents } }: AssembledResource,
  { value: { key, set, parents: told }, complain }: Said<ResourceOverride>,
): void {
  const properties = new Set(
    [draft.shown, ...draft.written].flatMap((view) => [...(view?.names ?? [])]),
  );
  const named = [key ?? [], [...set.keys()], [...told.values()].filter((one) => one !== '')].flat();
  for (const property of named) {
    if (properties.size === 0 || properties.has(property)) continue;
    complain(
      `${name} has no property ${JSON.stringify(property)}`,
      `Its properties are ${[...properties].join(', ')}.`,
    );
  }
  for (const parameter of told.keys()) {
    if (parents.some((one) => one.parameter === parameter)) continue;
    complain(`the path of ${name} has no parameter ${JSON.stringify(parameter)}`);
  }
}

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
