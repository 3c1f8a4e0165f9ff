import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { Example } from '../contract/examples.ts';
import { type NamedRequest, readNamedRequests } from '../contract/named-requests.ts';
import type { OperationRequest } from '../contract/operation-request.ts';
import type { Declared } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { isEqual } from '../json/equal.ts';
import type { JsonValue } from '../json/value.ts';
import type { ResponseSource } from './answer.ts';
import { answerByExample } from './example.ts';
import { negotiate } from './negotiate.ts';

/** Finds the example of a response whose namesakes on the request are what came. */
export type FindMatchingExample = (
  request: OperationRequest,
  declared: Declared,
) => readonly [content: Content, example: Example] | undefined;

/**
 * Examples of one name on parameters, request body and response belong together: where each of
 * those on the request equals what came, the one on the response is the answer.
 */
export function createExampleMatching(document: OpenAPIDocument): FindMatchingExample {
  const known = new Map<Operation, ReadonlyMap<string, NamedRequest>>();
  const namedRequestsOf = (operation: Operation): ReadonlyMap<string, NamedRequest> => {
    const requests = known.get(operation) ?? readNamedRequests(document, operation);
    known.set(operation, requests);
    return requests;
  };
  return (request, declared) => {
    const requests = namedRequestsOf(request.operation);
    if (requests.size === 0 || !hasNamesake(declared, requests)) return undefined;
    const content = negotiate(request.match.request.fields, declared);
    const example = content && findClosest(content.examples, requests, request);
    return content === undefined || example === undefined ? undefined : [content, example];
  };
}

/** The source of examples of success that belong to the request that came. */
export function matchedSource(findMatching: FindMatchingExample): ResponseSource {
  return (request) => {
    const { success } = request.operation.responses;
    return success && answerMatching(request, success, findMatching);
  };
}

/**
 * The source of examples of other statuses that belong to the request that came: a document says
 * so that this plant is unknown, and that one forbidden.
 */
export function matchedFailureSource(findMatching: FindMatchingExample): ResponseSource {
  return (request) => {
    const { success, all } = request.operation.responses;
    if (all.length < 2) return undefined;
    if (success !== undefined && findMatching(request, success) !== undefined) return undefined;
    for (const response of all) {
      const status = Number(response.key.replace('XX', '00'));
      if (response === success?.response || !(status >= 200)) continue;
      const answer = answerMatching(request, { status, response }, findMatching);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}

function answerMatching(
  request: OperationRequest,
  declared: Declared,
  findMatching: FindMatchingExample,
) {
  const found = findMatching(request, declared);
  return found && answerByExample(declared, ...found, 'example');
}

function hasNamesake({ response }: Declared, requests: ReadonlyMap<string, NamedRequest>): boolean {
  return response.contents.some(({ examples }) =>
    examples.some(({ name }) => name !== undefined && requests.has(name)),
  );
}

/** Of several that match, the one that says most of the request; of those, the first. */
function findClosest(
  examples: readonly Example[],
  requests: ReadonlyMap<string, NamedRequest>,
  request: OperationRequest,
): Example | undefined {
  let best: Example | undefined;
  let most = 0;
  for (const example of examples) {
    const named = example.name === undefined ? undefined : requests.get(example.name);
    const agreeing = named === undefined ? 0 : countAgreeing(named, request);
    if (agreeing <= most || example.violations.length > 0) continue;
    best = example;
    most = agreeing;
  }
  return best;
}

/** @returns how many values the examples and the request share; 0 where any differs */
function countAgreeing({ parameters, bodies }: NamedRequest, request: OperationRequest): number {
  for (const { in: location, name, value } of parameters) {
    const came = request.parameters.find((one) => one.in === location && one.name === name);
    if (came?.value === undefined || !isSameParameter(came.value, value)) return 0;
  }
  if (bodies.length === 0) return parameters.length;
  const body = request.body?.value;
  if (body === undefined || !bodies.some((value) => isEqual(value, body))) return 0;
  return parameters.length + 1;
}

/** A document may write the number of a parameter as a text, and the other way round. */
function isSameParameter(came: JsonValue, given: JsonValue): boolean {
  if (isEqual(came, given)) return true;
  const isScalar = typeof came !== 'object' && typeof given !== 'object';
  return isScalar && String(came) === String(given);
}
