import type { DecodedRequest, OperationRequest } from '../contract/operation-request.ts';
import { toPointer } from '../json/pointer.ts';
import { Problem, type Violation } from '../problem.ts';

/**
 * Holds a request against the contract, all of it before it complains.
 *
 * @returns the request, or INVALID_REQUEST with every violation. This one refusal is returned and
 *   not thrown: it is what clients under test get most, and a throw costs a third of the request.
 */
export function validate(decoded: DecodedRequest): OperationRequest | Problem {
  const { caller, parameters, body } = decoded;
  const { match } = caller;
  const { operation } = match;
  const violations: Violation[] = [];
  for (const [index, declared] of operation.parameters.entries()) {
    const value = parameters[index]?.value;
    const at = toPointer([declared.name]);
    if (value !== undefined) {
      violations.push(...(declared.schema?.check(value, declared.in, at) ?? []));
    } else if (declared.required) {
      violations.push(missing(declared.in, at));
    }
  }
  if (body?.content.isJudged) {
    violations.push(...(body.content.schema?.check(body.value, 'body') ?? []));
  }
  if (violations.length > 0) return invalidRequest(violations);
  return { match, operation, parameters, body, isValid: true };
}

function missing(location: Violation['in'], pointer: string): Violation {
  return {
    in: location,
    pointer,
    keyword: 'required',
    expected: 'required but missing',
    got: 'nothing',
    message: `${location}${pointer} is required but missing`,
  };
}

/** A sentence a violation; a body with a thousand wrong items is told with its first ones. */
const MOST_TOLD = 25;

function invalidRequest(violations: readonly Violation[]): Problem {
  const told = violations.slice(0, MOST_TOLD).map(({ message }) => message);
  const untold = violations.length - told.length;
  const sentences = untold > 0 ? [...told, `and ${untold} more`] : told;
  return new Problem('INVALID_REQUEST', sentences.join('; '), { violations });
}
