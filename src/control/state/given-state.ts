import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import { describePlaces, type FoundPlace, findPlace } from '../../resources/collections.ts';
import { arrange, type KnownKeys } from '../../resources/seed/arrange.ts';
import type { ControlCall } from '../call.ts';

/** @throws {Problem} UNKNOWN_COLLECTION */
export function findNamed({ serving: { resources } }: ControlCall, name: string): FoundPlace {
  const found = findPlace(resources, name);
  if (found !== undefined) return found;
  const names = describePlaces(resources).join(', ');
  throw new Problem(
    'UNKNOWN_COLLECTION',
    `there is no collection ${JSON.stringify(name.slice(0, 80))}, ` +
      (names === '' ? 'the document keeps nothing' : `there is ${names}`),
  );
}

/**
 * Holds resources that came as a body to the document.
 *
 * @param pointer of the value in the body
 * @param known keys of what is stored, where that stays
 * @throws {Problem} by what is wrong with them
 */
export function arrangeGiven(
  { serving: { contract } }: ControlCall,
  { resource }: FoundPlace,
  value: JsonValue,
  pointer: string,
  known?: KnownKeys,
): ReadonlyMap<string, JsonObject> {
  const isOne = resource.kind === 'singleton';
  if (isOne ? !isJsonObject(value) : !Array.isArray(value)) {
    const expected = isOne ? 'an object: there is one of it' : 'an array of resources';
    throw new Problem('INVALID_REQUEST', `body${pointer} must be ${expected}`);
  }
  const { entries, violations, repeated } = arrange(value, resource, contract, pointer, known);
  refuseViolations(violations);
  const [twice] = repeated;
  if (twice === undefined) return entries;
  throw new Problem(
    'RESOURCE_EXISTS',
    `body${twice.pointer} has the key ${twice.key.slice(0, 80)} of one before it`,
  );
}

const MOST_TOLD = 25;

/** @throws {Problem} INVALID_REQUEST */
export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const told = violations.slice(0, MOST_TOLD).map(({ message }) => message);
  throw new Problem('INVALID_REQUEST', told.join('; '), { violations });
}
