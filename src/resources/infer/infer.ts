import type { Contract, Operation } from '../../contract/contract.ts';
import { SchemaNodes } from '../../schema/schema-node.ts';
import type { Explanation, Meaning } from '../meaning.ts';
import { Overruling } from '../override/apply-overrides.ts';
import type { Overrides } from '../override/overrides.ts';
import type { Resource } from '../resource.ts';
import { assembleResources } from '../seed/assemble.ts';
import type { Draft } from './draft.ts';
import { arrangeFamilies, type Family } from './families.ts';
import { inferBelow } from './infer-below.ts';
import { inferCollection } from './infer-collection.ts';
import { inferMeanings } from './infer-meanings.ts';
import { inferSingleton } from './infer-singleton.ts';
import { whyNot } from './why-not.ts';

/** What was inferred of a contract. */
export interface Inferred {
  readonly all: readonly Resource[];
  readonly meanings: ReadonlyMap<Operation, Meaning>;
  /** In the order of the document. */
  explain(): readonly Explanation[];
}

/** Infers what all operations mean, from their paths, methods and schemas, and from what was said. */
export function infer(contract: Contract, overrides: Overrides): Inferred {
  const views = new SchemaNodes(contract.document);
  const families = arrangeFamilies(contract, views, overrides);
  const drafts = new Map<Family, Draft>();
  for (const family of families.all) {
    const draft = inferCollection(family) ?? inferSingleton(family);
    if (draft !== undefined) drafts.set(family, draft);
  }
  const below = inferBelow(families, drafts);
  const assembled = assembleResources(contract, families, drafts, overrides);
  const meanings = inferMeanings(assembled, below);
  const known = [...assembled.resources.values()];
  new Overruling(contract, families, overrides, known).apply(meanings);
  return {
    all: findMain([...meanings.values()].map(({ resource }) => resource)),
    meanings,
    explain: () =>
      contract.operations.map((operation) => {
        const meaning = meanings.get(operation);
        const reason = meaning?.reason ?? whyNot(families, operation, drafts);
        return { operation, meaning, reason };
      }),
  };
}

/** Of resources that share a name, the one with the fewest parents is the main one. */
function findMain(used: readonly Resource[]): readonly Resource[] {
  const main = new Map<string, Resource>();
  for (const resource of used) {
    const known = main.get(resource.name);
    if (known === undefined || resource.parents.length < known.parents.length) {
      main.set(resource.name, resource);
    }
  }
  return [...main.values()];
}
