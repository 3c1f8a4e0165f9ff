import type { Contract, Operation } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Source } from '../document/source.ts';
import { type Inferred, infer } from './infer/infer.ts';
import type { Resources } from './meaning.ts';
import { NO_OVERRIDES } from './override/overrides.ts';
import { readOverrides } from './override/read-overrides.ts';
import type { ResourceType } from './resource.ts';

/**
 * What the operations of a contract mean. Nothing is inferred until it is first asked for, unless
 * somebody says something of it, which must then be held against the document; and no schema is
 * compiled.
 *
 * @param file says what operations mean, where the inference is wrong; it counts before the document
 * @throws {DiagnosticError} with everything that is wrong with what is said there or in the document
 */
export function createResources(contract: Contract, file?: Source): Resources {
  const faults: Diagnostic[] = [];
  const overrides = readOverrides(contract, file, faults);
  let known: Known | undefined;
  const all = (): Known => {
    known ??= arrange(infer(contract, overrides));
    return known;
  };
  if (overrides !== NO_OVERRIDES) all();
  if (faults.length > 0) throw new DiagnosticError(faults);
  return Object.freeze({
    get all() {
      return all().inferred.all;
    },
    find: (name: string) => all().byName.get(name),
    meaningOf: (operation: Operation) => all().inferred.meanings.get(operation),
    explain: () => all().inferred.explain(),
  });
}

interface Known {
  readonly inferred: Inferred;
  readonly byName: ReadonlyMap<string, ResourceType>;
}

function arrange(inferred: Inferred): Known {
  return { inferred, byName: new Map(inferred.all.map((one) => [one.name, one])) };
}
