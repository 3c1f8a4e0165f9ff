import { type JsonObject, setMember } from '../json/value.ts';
import type { Store } from '../state/store.ts';

/** @returns how many resources each collection holds that holds any */
export function countResources(state: Store): JsonObject {
  const counts: JsonObject = {};
  for (const name of state.names()) setMember(counts, name, state.collection(name).size);
  return counts;
}
