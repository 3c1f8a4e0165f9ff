import type { Contract, Operation } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Source } from '../document/source.ts';
import { infer } from './infer/infer.ts';
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
  let known: Resources | undefined;
  const inferred = (): Resources => {
    known ??= infer(contract, overrides);
    return known;
  };
  if (overrides !== NO_OVERRIDES) inferred();
  if (faults.length > 0) throw new DiagnosticError(faults);
  return Object.freeze({
    get all() {
      return inferred().all;
    },
    find: (name: string) => inferred().find(name),
    meaningOf: (operation: Operation) => inferred().meaningOf(operation),
    explain: () => inferred().explain(),
  });
}
