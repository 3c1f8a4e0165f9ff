import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import type { Contract } from '../../contract/contract.ts';
import { collectFaults, type Diagnostic, diagnoseFile } from '../../document/diagnostic.ts';
import { BODY_FOLDER, findFixtureFiles, readTextFile, type TextFile } from '../../document/read.ts';
import { parseSource } from '../../document/source.ts';
import { listOf } from '../members.ts';
import { describeFault, idOf } from './mappings.ts';
import { translateMapping } from './translate-mapping.ts';

export function foldersOf(folder: string) {
  return { mappings: join(folder, 'mappings'), bodies: join(folder, BODY_FOLDER) };
}

export async function readStubFiles(
  folder: string,
  contract: Contract,
  faults: Diagnostic[],
): Promise<readonly TextFile[]> {
  const found = await findFixtureFiles([foldersOf(folder).mappings]);
  const files = await Promise.all(found.files.map((name) => readTextFile(name, 'stub mapping')));
  return files.flatMap((file) => {
    const rules = collectFaults(faults, () => translateFile(file, contract, faults));
    return rules === undefined ? [] : { ...file, text: stringifyJson({ rules: [...rules] }) };
  });
}

/** Translates a file with one mapping, or with several in `mappings`. */
function translateFile({ file, text }: TextFile, contract: Contract, faults: Diagnostic[]) {
  const { value } = parseSource(file, text);
  const whole = isJsonObject(value) ? value : {};
  const mappings = (listOf(whole, 'mappings') ?? [whole]).filter(isJsonObject);
  return mappings.flatMap((mapping, index): JsonObject[] => {
    try {
      return [translateMapping(mapping, idOf(mapping) ?? nameOf(file, index), contract)];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      faults.push(diagnoseFile(file, error.message, {}));
      return [];
    }
  });
}

/** Returns the same UUID for the same mapping of a file, as clients expect UUIDs. */
function nameOf(file: string, index: number): string {
  const digits = createHash('sha256').update(`${file}#${index}`).digest('hex');
  const [, ...parts] = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(digits) ?? [];
  const [first, second, third, fourth, fifth] = parts;
  // A UUID of the version for own purposes (RFC 9562 §5.8).
  return `${first}-${second}-8${third}-8${fourth}-${fifth}`;
}

/** Returns faults of stub mappings with the names that they have in WireMock. */
export function restateFaults(
  faults: readonly Diagnostic[],
  stubs: readonly TextFile[],
): readonly Diagnostic[] {
  const names = new Set(stubs.map(({ file }) => file));
  return faults.map((fault) =>
    names.has(fault.file) ? diagnoseFile(fault.file, describeFault(fault), {}) : fault,
  );
}
