import type { Contract, Operation } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Source } from '../document/source.ts';
import { type Inferred, infer } from './infer/infer.ts';
import type { Resources } from './meaning.ts';
import { NO_OVERRIDES } from './override/overrides.ts';
import { readOverrides } from './override/read-overrides.ts';

/**
 * Creates the resource types and meanings of a contract. It infers them at the first use, or at
 * once to check overrides, and compiles no schema.
 *
 * @param file the overrides of the settings; they take precedence over those of the document
 * @throws {DiagnosticError} with all mistakes in the overrides
 */
export function createResources(contract: Contract, file?: Source): Resources {
  const faults: Diagnostic[] = [];
  const overrides = readOverrides(contract, file, faults);
  let known: Inferred | undefined;
  const all = (): Inferred => {
    known ??= infer(contract, overrides);
    return known;
  };
  if (overrides !== NO_OVERRIDES) all();
  if (faults.length > 0) throw new DiagnosticError(faults);
  return Object.freeze({
    get all() {
      return all().all;
    },
    find: (name: string) => all().byName.get(name),
    meaningOf: (operation: Operation) => all().meanings.get(operation),
    explain: () => all().explain(),
  });
}
