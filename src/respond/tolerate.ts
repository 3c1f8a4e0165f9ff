import { ReturnedRefusal } from '../base/problem.ts';
import { NO_FIELDS, type ResponseFields, toFieldText } from '../http/message.ts';
import { readPrefer } from '../http/prefer.ts';
import type { DecodedRequest, ValidRequest } from '../request/request.ts';
import { MOST_NAMED, tolerateViolations, type ValidationLevel } from '../request/validate.ts';
import type { PendingExchange } from './pipeline.ts';

/** Returns a request that breaks the contract if its level tolerates that, else the problem. */
export function tolerate(
  exchange: PendingExchange,
  request: DecodedRequest,
  problem: ReturnedRefusal,
): ValidRequest | ReturnedRefusal {
  const accepted = tolerateViolations(request, problem, levelOf(exchange));
  if (accepted instanceof ReturnedRefusal) return accepted;
  const { message, violations } = exchange.redact(problem);
  exchange.tolerated = toFieldText(message).slice(0, LONGEST_FIELD);
  const sentences = violations.slice(0, MOST_NAMED).map((one) => one.message);
  exchange.deviations.push(...(sentences.length > 0 ? sentences : [message]));
  return accepted;
}

/** Clients limit the size of a head. */
const LONGEST_FIELD = 1000;

/** Returns the level that the client prefers, else that of the session, else that of the mock. */
function levelOf({ request, call, pipeline }: PendingExchange): ValidationLevel {
  const level = call.session.validate ?? pipeline.validate;
  const field = request.fields.get('prefer');
  const { handling } = field === undefined ? {} : readPrefer(field);
  if (handling === 'strict') return 'full';
  return handling === 'lenient' && level === 'full' ? 'structure' : level;
}

/** Returns the fields that say what was tolerated, and that a preference was applied. */
export function toleranceFields({ request, routed, tolerated }: PendingExchange): ResponseFields {
  const field = request.fields.get('prefer');
  if (field === undefined && tolerated === undefined) return NO_FIELDS;
  const { handling } = field === undefined || routed === undefined ? {} : readPrefer(field);
  return {
    ...(tolerated !== undefined && { 'mock-violations': tolerated }),
    // RFC 7240 §3.
    ...(handling !== undefined && { 'preference-applied': `handling=${handling}` }),
  };
}
