import { getMember, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { numberOf, objectOf, pick, textOf } from '../members.ts';
import { findPossibleOperations } from './possible-operations.ts';
import { translateRequest } from './translate-request.ts';
import { isOffContract, translateResponse } from './translate-response.ts';
import { findUnknownMembers, omitNulls, unsupported } from './unsupported.ts';

const KNOWN = [
  'id',
  'uuid',
  'name',
  'priority',
  'persistent',
  'request',
  'response',
  'scenarioName',
  'requiredScenarioState',
  'newScenarioState',
  'metadata',
  'insertionIndex',
];

const REASONS: ReadonlyMap<string, string> = new Map([
  ['postServeActions', 'is not supported: the document declares callbacks'],
  ['serveEventListeners', 'is not supported: the document declares callbacks'],
]);

/**
 * Translates a stub mapping of WireMock to a rule of a fixture file. The caller compiles the rule
 * against the contract like any other.
 *
 * @param id the name of the rule
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING that lists every unsupported member, or when the
 *   document has no matching operation
 */
export function translateMapping(sent: JsonObject, id: string, contract: Contract): JsonObject {
  const mapping = omitNulls(sent);
  const reasons = findUnknownMembers(mapping, '', KNOWN, REASONS);
  if (reasons.length > 0) throw unsupported(reasons);
  const request = objectOf(mapping, 'request') ?? {};
  const match = translateRequest(request, contract);
  const answer = translateResponse(objectOf(mapping, 'response') ?? {}, isOffContract(mapping));
  const operations = findAnswering(findPossibleOperations(request, contract), answer);
  const name = textOf(mapping, 'name');
  const priority = numberOf(mapping, 'priority');
  return {
    name: id,
    ...(name !== undefined && { description: name }),
    ...(priority !== undefined && { priority }),
    match: { ...match, operationId: idsOf(operations) },
    ...pick(mapping, ['scenarioName', 'requiredScenarioState', 'newScenarioState']),
    answer,
    metadata: { wireMock: { ...sent, id, uuid: id } },
  };
}

function idsOf(operations: readonly Operation[]): JsonValue {
  const [first = '', ...others] = operations.map(({ id }) => id);
  return others.length === 0 ? first : [first, ...others];
}

/**
 * Returns the operations that declare the status of the response. If none does, returns the first
 * operation, so that compiling the rule explains why.
 */
function findAnswering(
  operations: readonly [Operation, ...Operation[]],
  answer: JsonObject,
): readonly Operation[] {
  const status = numberOf(answer, 'status');
  const served = operations.filter(({ fault }) => fault === undefined);
  if (status === undefined || getMember(answer, 'offContract') === true) return served;
  const declaring = served.filter(({ responses }) => responses.find(status) !== undefined);
  return declaring.length > 0 ? declaring : operations.slice(0, 1);
}

/** Returns the stub mapping that a rule was made from; undefined for any other rule. */
export function mappingOf(definition: JsonObject): JsonObject | undefined {
  return objectOf(objectOf(definition, 'metadata') ?? {}, 'wireMock');
}
