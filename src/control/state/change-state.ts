import type { JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { type FoundPlace, markTouched } from '../../resources/collections.ts';
import { listAll } from '../../state/list-all.ts';
import type { Change, Store } from '../../state/store.ts';

/** Makes changes that take nothing for granted. */
export async function commit(store: Store, changes: readonly Change[]): Promise<void> {
  if ((await store.commit(changes)) !== undefined) return;
  throw new Problem('STATE_BUSY', 'the state was not to be changed just now: try again');
}

export function put(collection: string, key: string, resource: JsonObject): Change {
  return { collection, key, expected: 'any', resource };
}

export function remove(collection: string, { key }: { readonly key: string }): Change {
  return { collection, key, expected: 'any', resource: undefined };
}

/** An empty list leaves a mark, so that it stays empty in place of showing examples. */
export function putAll(
  { place }: FoundPlace,
  entries: ReadonlyMap<string, JsonObject>,
): readonly Change[] {
  if (entries.size === 0) return [markTouched(place)];
  return [...entries].map(([key, resource]) => put(place, key, resource));
}

export async function removePlace(store: Store, place: string): Promise<readonly Change[]> {
  return (await listAll(store, place)).map((stored) => remove(place, stored));
}

/** What the engine notes of resources goes with them. */
export async function removeAll(store: Store): Promise<readonly Change[]> {
  const counts = await store.counts();
  const all = await Promise.all([...counts.keys()].map((name) => removePlace(store, name)));
  return all.flat();
}
