import type { Operation } from '../contract/contract.ts';
import { Problem } from '../problem.ts';

/** The document asks for a body of which neither an example nor a value was found. */
export function nothingFound({ id }: Operation, status: number): Problem {
  return new Problem(
    'NOT_GENERATED',
    `no answer could be found that ${id} allows for the status ${status}: ` +
      'no example of it is valid, and no value was found that its schema admits',
  );
}
