import { toPointer } from '../base/json/pointer.ts';
import { ReturnedRefusal, type Violation } from '../base/problem.ts';
import { listFirst } from '../base/words.ts';
import { type Parameter, violationLocation } from '../contract/parameters.ts';
import { isForMock } from '../http/prefer.ts';
import type { Depth } from '../schema/schema-keywords.ts';
import { listTypes } from './decode.ts';
import {
  type DecodedRequest,
  type ParameterValue,
  type ValidRequest,
  withValues,
} from './request.ts';

/**
 * How strictly requests are held to the document: `full` refuses every violation; `structure` those
 * of types, required members, enumerations, undeclared members and media types; `report` none.
 */
export const validationLevels = ['full', 'structure', 'report'] as const;
export type ValidationLevel = (typeof validationLevels)[number];

/**
 * Validates all of a request against the contract.
 *
 * @returns the request, or BODY_MISSING, or INVALID_REQUEST with every violation. These refusals are
 *   returned and not thrown: clients under test get them most often, and a throw costs a third of the
 *   request.
 */
export function validate(request: DecodedRequest): ValidRequest | ReturnedRefusal {
  const { body } = request.operation;
  if (request.body === undefined && body?.required === true) {
    return new ReturnedRefusal('BODY_MISSING', `body is required, send one of ${listTypes(body)}`);
  }
  const violations = findViolations(request, 'full');
  return violations.length > 0 ? invalidRequest(violations) : admit(request);
}

/** Returns a request that breaks the contract where a level tolerates that, else the problem. */
export function tolerateViolations(
  request: DecodedRequest,
  problem: ReturnedRefusal,
  level: ValidationLevel,
): ValidRequest | ReturnedRefusal {
  if (level === 'report') return admit(request);
  if (level === 'full' || problem.problem === 'BODY_MISSING') return problem;
  const violations = findViolations(request, level);
  return violations.length > 0 ? invalidRequest(violations) : admit(request);
}

function findViolations({ operation, parameters, body }: DecodedRequest, depth: Depth) {
  let violations = NONE;
  for (let index = 0; index < operation.parameters.length; index++) {
    const declared = operation.parameters[index];
    const found = declared && checkParameter(declared, parameters[index], depth);
    if (found !== undefined && found.length > 0) violations = [...violations, ...found];
  }
  if (!body?.isValidated) return violations;
  const found = body.content.schema?.check(body.value, 'body', '', depth) ?? NONE;
  return violations.length === 0 ? found : [...violations, ...found];
}

const NONE: readonly Violation[] = [];

function checkParameter(declared: Parameter, actual: ParameterValue | undefined, depth: Depth) {
  const { name, required, schema, allowEmptyValue } = declared;
  if (actual?.fault !== undefined) return [actual.fault];
  const location = violationLocation(declared.in);
  if (actual?.value !== undefined) {
    if (allowEmptyValue && actual.value === '') return NONE;
    if (location === 'header' && isPreference(declared, actual)) return NONE;
    // Most values are accepted, and need no pointer.
    if (schema === undefined || schema.accepts(actual.value)) return NONE;
    return schema.check(actual.value, location, toPointer([name]), depth);
  }
  // A path that has no place for its parameter cannot be blamed on the client.
  return required && location !== 'path' ? [missing(location, toPointer([name]))] : NONE;
}

/** True for a Prefer field with a preference for the mock, which no document describes. */
function isPreference({ name }: Parameter, { value }: ParameterValue): boolean {
  return /^prefer$/i.test(name) && isForMock(String(value));
}

/** Returns a request without `readOnly` members, which a client may send (OAS 3.1 §4.8.24.2). */
function admit(request: DecodedRequest): ValidRequest {
  const { body, parameters } = request;
  const value = body?.content.withhold(body.value);
  const isWhole = body === undefined || value === undefined || value === body.value;
  return (isWhole ? request : withValues(request, parameters, { ...body, value })) as ValidRequest;
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
export const MOST_NAMED = 25;

function invalidRequest(violations: readonly Violation[]): ReturnedRefusal {
  const sentences = listFirst(violations, MOST_NAMED, ({ message }) => message);
  return new ReturnedRefusal('INVALID_REQUEST', sentences.join('; '), { violations });
}
