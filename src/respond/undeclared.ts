import { NO_FIELDS } from '../http/message.ts';
import type { Answer, ResponseSource } from './answer.ts';

/** Nothing is declared, so nothing is known to be in it. */
const EMPTY_SUCCESS: Answer = Object.freeze({
  source: 'undeclared',
  declared: undefined,
  status: 200,
  fields: NO_FIELDS,
  payload: { kind: 'none' } as const,
  isInsisted: false,
});

/**
 * The source for operations that declare no response, as OAS 3.1 §4.8.10 allows, or none but
 * interim ones: a bare success.
 */
export function undeclaredSource(): ResponseSource {
  return ({ operation }) => (operation.responses.success === undefined ? EMPTY_SUCCESS : undefined);
}
