import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../../document/diagnostic.ts';
import type { SeedDefinition } from '../../rules/read-file.ts';
import { type Collection, describeCollections, locateCollection } from '../collections.ts';
import type { Resources } from '../meaning.ts';
import { type Arranged, arrange, givenKeys } from './arrange.ts';

export interface Seed extends Collection {
  readonly entries: ReadonlyMap<string, JsonObject>;
}

/**
 * Checks the resources of files against the document. Several files add up.
 *
 * @returns the resources of each collection, in the order of the files
 * @throws {DiagnosticError} with file, line and pointer of all mistakes
 */
export function readSeeds(
  given: readonly SeedDefinition[],
  resources: Resources,
  contract: Contract,
): readonly Seed[] {
  const seeds = new Map<string, Seed & { readonly entries: Map<string, JsonObject> }>();
  const faults: Diagnostic[] = [];
  for (const one of given) {
    const found = locateCollection(resources, one.name);
    const fault = found === undefined ? unknownPlace(one, resources) : findMistype(one, found);
    if (fault !== undefined) faults.push(fault);
    if (found === undefined || fault !== undefined) continue;
    const seed = remember(seeds, found.name, () => ({ ...found, entries: new Map() }));
    const used = usedBy(given, found);
    const known = { taken: seed.entries, used };
    const arranged = arrange(one.value, found.type, contract, one.pointer, known);
    for (const [key, resource] of arranged.entries) seed.entries.set(key, resource);
    faults.push(...diagnose(one, found, arranged));
  }
  if (faults.length > 0) throw new DiagnosticError(faults);
  return [...seeds.values()];
}

/** Returns the keys in other files, which must not be created again. */
function usedBy(given: readonly SeedDefinition[], { type, name: collection }: Collection) {
  const same = given.filter(({ name }) => name === collection);
  return same.length < 2
    ? new Set<string>()
    : new Set(same.flatMap(({ value }) => [...givenKeys(value, type)]));
}

function diagnose(
  given: SeedDefinition,
  { name: collection }: Collection,
  { violations, repeated }: Arranged,
): readonly Diagnostic[] {
  const { file, pointer: base, name } = given;
  const wrong = violations.map(({ pointer, message }) =>
    file.diagnose(
      'error',
      pointer,
      // `plants/0/name` in place of the body.
      message.replace(/^body\S*/, name + pointer.slice(base.length)),
      `Correct it: ${name} are kept as a create sends them, or as a read shows them.`,
    ),
  );
  const twice = repeated.map(({ key, pointer }) =>
    file.diagnose(
      'error',
      pointer,
      `${collection} has a resource with the key ${key.slice(0, 80)} already`,
      'Give each its own, in all files together.',
    ),
  );
  return [...wrong, ...twice];
}

function unknownPlace({ file, pointer, name }: SeedDefinition, resources: Resources): Diagnostic {
  const places = describeCollections(resources);
  return {
    ...file.diagnose(
      'error',
      pointer,
      `the document has no resource ${JSON.stringify(name)}`,
      places.length === 0 ? 'It keeps none at all.' : `It has ${places.join(', ')}.`,
    ),
    position: file.locate(pointer, 'key'),
  };
}

function findMistype({ file, pointer, name, value }: SeedDefinition, found: Collection) {
  const isOne = found.type.kind === 'singleton';
  if (isOne ? isJsonObject(value) : Array.isArray(value)) return undefined;
  const expected = isOne ? 'an object: there is one of it' : 'a list of resources';
  return file.diagnose('error', pointer, `${name} must be ${expected}`);
}
