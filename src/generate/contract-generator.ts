import type { Contract } from '../contract/contract.ts';
import type { Direction } from '../contract/schema-compiler.ts';
import { createGenerator, type Generator } from './generator.ts';

/** @returns a generator of values for the schemas of a contract, checked by its own validators */
export function createContractGenerator(
  { document, schemas }: Pick<Contract, 'document' | 'schemas'>,
  direction: Direction,
): Generator {
  return createGenerator({
    source: document,
    direction,
    check: (pointer, value) => schemas.schemaAt(pointer, direction).check(value, 'body'),
  });
}
