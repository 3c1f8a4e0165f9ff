import { findFaults } from '../check/check.ts';
import { findStructureFaults } from '../check/structure.ts';
import { type Diagnostic, DiagnosticError, formatDiagnostic } from '../document/diagnostic.ts';
import { load, loadContract } from '../load.ts';
import type { Settings } from '../settings.ts';
import type { Console } from './console.ts';

/**
 * Says what is wrong with a document and its fixtures.
 *
 * @returns 1 when something is, 0 otherwise
 */
export async function runCheck(settings: Settings, console: Console): Promise<number> {
  const diagnostics = await collect(settings);
  for (const diagnostic of diagnostics) console.write(`${formatDiagnostic(diagnostic)}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) {
    const { contract, fixtures } = await load(settings);
    console.write(
      `${[settings.document].flat().join(', ')}: nothing is wrong ` +
        `(${count(contract.operations.length, 'operation')}, ` +
        `${count(fixtures.rules.length, 'failure fixture')})\n`,
    );
    return 0;
  }
  console.write(`${count(errors, 'error')}, ${count(warnings, 'warning')}\n`);
  return 1;
}

async function collect(settings: Settings): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const attempt = async (find: () => Promise<readonly Diagnostic[]>): Promise<boolean> => {
    try {
      diagnostics.push(...(await find()));
      return true;
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      diagnostics.push(...error.diagnostics);
      return false;
    }
  };
  const isServable = await attempt(async () => {
    const { contract } = await loadContract(settings);
    diagnostics.push(...(await findStructureFaults(contract.document)));
    return findFaults(contract);
  });
  if (isServable) {
    await attempt(async () => {
      await load(settings);
      return [];
    });
  }
  return diagnostics;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
