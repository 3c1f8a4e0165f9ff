import { loadContract, loadFixtures, loadResources } from '../assemble/load.ts';
import { isShared } from '../resources/collections.ts';
import type { Resources } from '../resources/meaning.ts';
import { type TypedCollection, writeTypes } from '../typing/write-types.ts';
import { type Invocation, writeOut } from './console.ts';

/** Writes TypeScript types of the documents, collections and rules, for tests. */
export async function runTypes(given: Invocation): Promise<number> {
  const { settings } = given;
  const { contract } = await loadContract(settings);
  const { fixtures } = await loadFixtures(contract, settings);
  const { resources } = await loadResources(contract, settings);
  const collections = namedCollections(resources);
  const names = new Set([...fixtures.rules, ...fixtures.profiles].map(({ name }) => name));
  const types = writeTypes(contract, { collections, fixtures: [...names].sort() });
  return writeOut(types, given);
}

/** Returns the collections and singletons with fixed names, and the schemas of each. */
function namedCollections({ all }: Resources): TypedCollection[] {
  return all.filter(isShared).flatMap(({ name, kind, schema, writtenSchema }) => {
    const [shown, given] = [schema ?? writtenSchema, writtenSchema ?? schema];
    if (shown === undefined || given === undefined) return [];
    return [{ name, kind, shown: shown.pointer, given: given.pointer }];
  });
}
