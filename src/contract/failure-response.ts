import type { Operation } from './operation.ts';
import { chooseRefusal } from './refusal-response.ts';
import type { Declared } from './responses.ts';

/**
 * Which declared response tells of a failure: that of its own status, of its range, `default`, and
 * where none of them is declared the one that a refusal takes. A failure of the service that only
 * 4xx can tell is told by 400: its body may say the cause.
 *
 * @returns undefined when the operation declares no error at all
 */
export function chooseFailure(status: number, operation: Operation): Declared | undefined {
  const own = chooseRefusal(status, operation, 'contract');
  return own ?? (status >= 500 ? chooseRefusal(400, operation, 'contract') : undefined);
}
