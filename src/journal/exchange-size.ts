import type { WireRequest } from '../http/message.ts';
import type { ToldProblem } from '../problem.ts';
import type { Exchange } from './exchange.ts';
import { KeptProblem } from './kept-problem.ts';
import { KeptRequest } from './kept-request.ts';

/** The exchange's own object, that of its request, of its fields, and their place in the journal. */
const CONSTANT_BYTES = 800;
/** The object of a refusal. */
const PROBLEM_BYTES = 150;
/** A field's place in its record, and the heads of its strings. */
const FIELD_BYTES = 40;
const VIOLATION_BYTES = 400;

/**
 * Estimates the memory that an exchange keeps, so that it errs on the side of too much.
 *
 * @returns bytes
 */
export function estimateBytes(exchange: Exchange): number {
  const { request, responseHeaders, responseBody, problem } = exchange;
  let bytes = CONSTANT_BYTES + measureRequest(request);
  for (const name in responseHeaders) {
    bytes += FIELD_BYTES + name.length + (responseHeaders[name]?.length ?? 0);
  }
  bytes += measureBody(responseBody);
  if (problem !== undefined) {
    bytes += PROBLEM_BYTES + 2 * measureProblem(problem);
  }
  return bytes;
}

/** What a refusal says, before it is packed: about. */
function measureProblem(problem: ToldProblem): number {
  if (problem instanceof KeptProblem) return problem.message.length;
  return problem.message.length + problem.violations.length * VIOLATION_BYTES;
}

function measureRequest(request: WireRequest): number {
  if (request instanceof KeptRequest) return request.bytes;
  return request.method.length + request.target.length + request.fields.size + request.body.length;
}

/** A text beyond Latin-1 takes two bytes a unit; which it is, only a look at all of it tells. */
function measureBody(body: Exchange['responseBody']): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}
