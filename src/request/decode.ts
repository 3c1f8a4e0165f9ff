import type { Caller, DecodedRequest } from '../contract/operation-request.ts';
import { decodeBody } from './body.ts';
import { decodeParameters } from './parameters.ts';

/**
 * Turns the bytes of a request into values.
 *
 * @param maximumBytes that a body may have once its content coding is undone
 * @throws {Problem} 400, 413 or 415 by its cause
 */
export function decode(caller: Caller, maximumBytes: number): DecodedRequest {
  return {
    caller,
    parameters: decodeParameters(caller.match),
    body: decodeBody(caller.match, maximumBytes),
  };
}
