import { type BodyLimits, decodeBody } from './body.ts';
import { decodeParameters } from './parameters.ts';
import { type AuthenticatedRequest, type DecodedRequest, withValues } from './request.ts';

/**
 * Turns the bytes of a request into values.
 *
 * @param limits of what a body may be
 * @throws {Problem} 400, 413 or 415 by its cause
 */
export function decode(request: AuthenticatedRequest, limits: BodyLimits): DecodedRequest {
  return withValues(request, decodeParameters(request), decodeBody(request, limits));
}
