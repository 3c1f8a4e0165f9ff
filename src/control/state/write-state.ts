import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import {
  type Collection,
  describeCollections,
  locateCollection,
  markWritten,
} from '../../resources/collections.ts';
import { arrange, type KnownKeys } from '../../resources/seed/arrange.ts';
import { type Change, listAll, type Store } from '../../state/store.ts';
import { type ControlCall, unknownName } from '../call.ts';

/** @throws {Problem} UNKNOWN_COLLECTION */
export function findCollection({ pipeline: { resources } }: ControlCall, name: string): Collection {
  const found = locateCollection(resources, name);
  if (found !== undefined) return found;
  throw unknownName('UNKNOWN_COLLECTION', 'collection', name, describeCollections(resources));
}

/**
 * Reads the resources of one collection from a request body and validates them.
 *
 * @param pointer where `value` is in the body
 * @param known keys of resources that stay in the collection
 * @returns resources by key
 * @throws {Problem} INVALID_REQUEST or RESOURCE_EXISTS
 */
export function readResources(
  { pipeline: { contract } }: ControlCall,
  { type }: Collection,
  value: JsonValue,
  pointer: string,
  known?: KnownKeys,
): ReadonlyMap<string, JsonObject> {
  const isSingleton = type.kind === 'singleton';
  if (isSingleton ? !isJsonObject(value) : !Array.isArray(value)) {
    const expected = isSingleton ? 'an object, not a list' : 'an array of resources';
    throw new Problem('INVALID_REQUEST', `body${pointer} must be ${expected}`);
  }
  const { entries, violations, repeated } = arrange(value, type, contract, pointer, known);
  refuseViolations(violations);
  const [duplicate] = repeated;
  if (duplicate === undefined) return entries;
  throw new Problem(
    'RESOURCE_EXISTS',
    `body${duplicate.pointer} repeats the key ${duplicate.key.slice(0, 80)}`,
  );
}

const MOST_MESSAGES = 25;

/** @throws {Problem} INVALID_REQUEST */
export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const messages = violations.slice(0, MOST_MESSAGES).map(({ message }) => message);
  throw new Problem('INVALID_REQUEST', messages.join('; '), { violations });
}

/** @throws {Problem} STATE_BUSY when the store refuses the changes */
export async function commit(store: Store, changes: readonly Change[]): Promise<void> {
  if ((await store.commit(changes)) !== undefined) return;
  throw new Problem('STATE_BUSY', 'another request changed the state; try again');
}

export function put(collection: string, key: string, resource: JsonObject): Change {
  return { collection, key, expected: 'any', resource };
}

export function remove(collection: string, { key }: { readonly key: string }): Change {
  return { collection, key, expected: 'any', resource: undefined };
}

/** Marks an empty list as touched, so that it stays empty instead of showing examples. */
export function putAll(
  { name: place }: Collection,
  entries: ReadonlyMap<string, JsonObject>,
): readonly Change[] {
  if (entries.size === 0) return [markWritten(place)];
  return [...entries].map(([key, resource]) => put(place, key, resource));
}

export async function removePlace(store: Store, place: string): Promise<readonly Change[]> {
  return (await listAll(store, place)).map((stored) => remove(place, stored));
}

/** Returns the changes that empty the store, including the engine's own `$` collections. */
export async function removeAll(store: Store): Promise<readonly Change[]> {
  const counts = await store.counts();
  const all = await Promise.all([...counts.keys()].map((name) => removePlace(store, name)));
  return all.flat();
}
