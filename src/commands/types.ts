import { loadContract, loadFixtures, loadResources } from '../assemble/load.ts';
import type { Resources } from '../resources/meaning.ts';
import type { Settings } from '../settings/settings.ts';
import { writeTypes } from '../typing/write-types.ts';
import type { Console } from './console.ts';
import { writeOut } from './write-out.ts';

/**
 * Writes the types of documents and their fixtures, by which a test is typed.
 *
 * @param out the file that they are written to; undefined prints them
 * @returns 0, or 1 when the file cannot be written
 * @throws {DiagnosticError} when a document or a fixture cannot be read
 */
export async function runTypes(
  settings: Settings,
  console: Console,
  out: string | undefined,
): Promise<number> {
  const { contract } = await loadContract(settings);
  const { fixtures } = await loadFixtures(contract, settings);
  const { resources } = await loadResources(contract, settings);
  const collections = namedCollections(resources);
  const names = new Set([...fixtures.rules, ...fixtures.profiles].map(({ name }) => name));
  const types = writeTypes(contract, { collections, fixtures: [...names].sort() });
  return writeOut(types, out, console);
}

/** The collections that a test may name, and what is kept in each; not those of each parent. */
export function namedCollections({ all }: Resources) {
  return all.flatMap(({ name, kind, parents, writtenSchema, schema }) => {
    const kept = writtenSchema ?? schema;
    const isOne = parents.every(({ property }) => property !== undefined);
    return kind === 'singleton' || kept === undefined || !isOne
      ? []
      : [{ name, pointer: kept.pointer }];
  });
}
