import { toPointer } from '../base/json/pointer.ts';
import { Problem, type Violation } from '../base/problem.ts';
import { type Parameter, violationLocation } from '../contract/parameters.ts';
import { isForMock } from '../http/prefer.ts';
import {
  type DecodedBody,
  type DecodedRequest,
  type ParameterValue,
  type ValidRequest,
  withValues,
} from './request.ts';

/**
 * Validates all of a request against the contract.
 *
 * @returns the request, or INVALID_REQUEST with every violation. This one refusal is returned and
 *   not thrown: clients under test get it most often, and a throw costs a third of the request.
 */
export function validate(request: DecodedRequest): ValidRequest | Problem {
  const { operation, parameters, body } = request;
  const violations: Violation[] = [];
  for (const [index, declared] of operation.parameters.entries()) {
    violations.push(...checkParameter(declared, parameters[index]));
  }
  if (body?.isValidated) violations.push(...(body.content.schema?.check(body.value, 'body') ?? []));
  if (violations.length > 0) return invalidRequest(violations);
  const admitted = body && admit(body);
  return (admitted === body ? request : withValues(request, parameters, admitted)) as ValidRequest;
}

function checkParameter(declared: Parameter, actual?: ParameterValue): readonly Violation[] {
  const { name, required, schema, allowEmptyValue } = declared;
  if (actual?.fault !== undefined) return [actual.fault];
  const location = violationLocation(declared.in);
  const at = toPointer([name]);
  if (actual?.value !== undefined) {
    if (allowEmptyValue && actual.value === '') return [];
    if (location === 'header' && isPreference(declared, actual)) return [];
    return schema?.check(actual.value, location, at) ?? [];
  }
  // A path that has no place for its parameter cannot be blamed on the client.
  return required && location !== 'path' ? [missing(location, at)] : [];
}

/** True for a Prefer field with a preference for the mock, which no document describes. */
function isPreference({ name }: Parameter, { value }: ParameterValue): boolean {
  return /^prefer$/i.test(name) && isForMock(String(value));
}

/** Removes `readOnly` members, which a client may send (OAS 3.1 §4.8.24.2). */
function admit(body: DecodedBody): DecodedBody {
  const value = body.content.withhold(body.value);
  return value === body.value ? body : { ...body, value };
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

/** The message of a problem names this many violations, and counts the others. */
const MOST_NAMED = 25;

function invalidRequest(violations: readonly Violation[]): Problem {
  const named = violations.slice(0, MOST_NAMED).map(({ message }) => message);
  const unnamed = violations.length - named.length;
  const sentences = unnamed > 0 ? [...named, `and ${unnamed} more`] : named;
  return new Problem('INVALID_REQUEST', sentences.join('; '), { violations });
}
