import type { Contract } from '../contract/contract.ts';
import type { Diagnostic } from '../document/diagnostic.ts';

/** What keeps paths and operations from being served; schemas are not compiled for it. */
export function* findErrors({ faults, duplicates, operations }: Contract): Generator<Diagnostic> {
  yield* faults;
  yield* duplicates;
  for (const { fault } of operations) yield* fault?.diagnostics ?? [];
}
