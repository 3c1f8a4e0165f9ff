import { type JsonObject, setMember } from '../../base/json/value.ts';
import type { Store } from '../../state/store.ts';

/** @returns how many resources each collection holds that holds any */
export async function countResources(state: Store): Promise<JsonObject> {
  const counts: JsonObject = {};
  for (const [name, count] of await state.counts()) {
    // What the mock itself remembers is no resource.
    if (!name.startsWith('$')) setMember(counts, name, count);
  }
  return counts;
}
