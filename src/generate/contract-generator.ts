import type { Contract } from '../contract/contract.ts';
import type { Direction } from '../schema/message-direction.ts';
import { createGenerator, type Generator } from './generator.ts';
import { ScopedSchemas } from './space/dynamic-scope.ts';

/** @returns a generator of values for the schemas of a contract, checked by its own validators */
export function createContractGenerator(
  { document, schemas }: Pick<Contract, 'document' | 'schemas'>,
  direction: Direction,
): Generator {
  const source = new ScopedSchemas(document);
  return createGenerator({
    source,
    direction,
    check: (pointer, value) =>
      schemas.schemaAt(source.plain(pointer), direction).check(value, 'body'),
  });
}
