import { type BodyLimits, decodeBody } from './body.ts';
import type { Caller, DecodedRequest } from './operation-request.ts';
import { decodeParameters } from './parameters.ts';

/**
 * Turns the bytes of a request into values.
 *
 * @param limits of what a body may be
 * @throws {Problem} 400, 413 or 415 by its cause
 */
export function decode(caller: Caller, limits: BodyLimits): DecodedRequest {
  return {
    caller,
    parameters: decodeParameters(caller.match),
    body: decodeBody(caller.match, limits),
  };
}
