import { loadContract, loadFixtures, loadResources } from '../assemble/load.ts';
import type { Resources } from '../resources/meaning.ts';
import { writeTypes } from '../typing/write-types.ts';
import { type Invocation, writeOut } from './console.ts';

/**
 * Writes TypeScript types of the documents, collections and rules, for tests.
 *
 * @returns 0, or 1 when the file cannot be written
 * @throws {DiagnosticError} when a document or a fixture file is invalid
 */
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

/** Returns the collections with fixed names, and the schema of each. */
function namedCollections({ all }: Resources) {
  return all.flatMap(({ name, kind, parents, writtenSchema, schema }) => {
    const stored = writtenSchema ?? schema;
    const isShared = parents.every(({ property }) => property !== undefined);
    return kind === 'singleton' || stored === undefined || !isShared
      ? []
      : [{ name, pointer: stored.pointer }];
  });
}
