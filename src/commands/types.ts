import { loadContract, loadFixtures } from '../load.ts';
import type { Settings } from '../settings.ts';
import { inferResources } from '../state/resources.ts';
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
  const resources = inferResources(contract);
  const collections = resources.names.flatMap((name) => {
    const action = resources.collection(name);
    return action === undefined ? [] : [{ name, pointer: action.schema.pointer }];
  });
  const names = new Set([...fixtures.rules, ...fixtures.profiles].map(({ name }) => name));
  const types = writeTypes(contract, { collections, fixtures: [...names].sort() });
  return writeOut(types, out, console);
}
