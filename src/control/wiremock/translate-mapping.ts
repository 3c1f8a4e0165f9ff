import { getMember, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { numberOf, objectOf, textOf } from '../members.ts';
import { findMeantOperations } from './meant-operations.ts';
import { translateRequest } from './translate-request.ts';
import { isOffContract, translateResponse } from './translate-response.ts';
import { findStrangers, unsupported } from './unsupported.ts';

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
  ['postServeActions', 'is not taken: the document says what is called back'],
  ['serveEventListeners', 'is not taken: the document says what is called back'],
]);

/**
 * Says a stub mapping of WireMock as a rule of a fixture file, which is then held against the
 * contract like every other.
 *
 * @param id by which the rule is called
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING with everything that has no equal here, or nothing in
 *   the document
 */
export function translateMapping(mapping: JsonObject, id: string, contract: Contract): JsonObject {
  const reasons = findStrangers(mapping, '', KNOWN, REASONS);
  if (reasons.length > 0) throw unsupported(reasons);
  const request = objectOf(mapping, 'request') ?? {};
  const match = translateRequest(request, contract);
  const answer = translateResponse(objectOf(mapping, 'response') ?? {}, isOffContract(mapping));
  const operations = findAnswering(findMeantOperations(request, contract), answer);
  const name = textOf(mapping, 'name');
  const priority = numberOf(mapping, 'priority');
  return {
    name: id,
    ...(name !== undefined && { description: name }),
    ...(priority !== undefined && { priority }),
    match: { ...match, operationId: idsOf(operations) },
    ...pickScenario(mapping),
    answer,
    metadata: { wireMock: { ...mapping, id, uuid: id } },
  };
}

function idsOf(operations: readonly Operation[]): JsonValue {
  const [first = '', ...others] = operations.map(({ id }) => id);
  return others.length === 0 ? first : [first, ...others];
}

/**
 * A pattern may be for operations of which only some can answer so: it is for these. Where none
 * can, all are named, and the contract says why not.
 */
function findAnswering(
  operations: readonly [Operation, ...Operation[]],
  answer: JsonObject,
): readonly Operation[] {
  const status = numberOf(answer, 'status');
  const sound = operations.filter(({ fault }) => fault === undefined);
  if (status === undefined || getMember(answer, 'offContract') === true) return sound;
  const able = sound.filter(({ responses }) => responses.find(status) !== undefined);
  return able.length > 0 ? able : operations.slice(0, 1);
}

function pickScenario(mapping: JsonObject): JsonObject {
  return Object.fromEntries(
    ['scenarioName', 'requiredScenarioState', 'newScenarioState'].flatMap((name) => {
      const text = textOf(mapping, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** @returns the mapping that a rule was made of, as it was sent; undefined for any other rule */
export function mappingOf(definition: JsonObject): JsonObject | undefined {
  return objectOf(objectOf(definition, 'metadata') ?? {}, 'wireMock');
}
