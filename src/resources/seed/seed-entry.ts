import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Stored } from '../../state/store.ts';
import { keyIn, keyTextOf, readKey } from '../collections.ts';
import type { ResourceType } from '../resource.ts';

/** An entry in a list of resources: a resource, possibly with its key beside it. */
export interface SeedEntry {
  /** Undefined if the resource contains no key. */
  readonly key: string | undefined;
  readonly value: JsonValue;
  /** Pointer of the resource in its entry. */
  readonly pointer: string;
}

const KEY = '$key';
const RESOURCE = '$resource';

/**
 * Reads an entry: a resource, or `{"$key": 7, "$resource": {…}}` if it does not contain its key.
 */
export function readEntry(value: JsonValue, type: ResourceType): SeedEntry {
  if (isJsonObject(value) && Object.keys(value).length === 2) {
    const key = getMember(value, KEY);
    const inner = getMember(value, RESOURCE);
    if (key !== undefined && inner !== undefined) {
      return { key: keyTextOf(key), value: inner, pointer: `/${RESOURCE}` };
    }
  }
  return { key: keyIn(type, value), value, pointer: '' };
}

/**
 * Returns the function that writes the entries of one collection in order. {@link readEntry} finds
 * the same key and resource again. If resources of the type contain no key, those numbered 1, 2, 3…
 * at the beginning are written without it.
 */
export function createEntryWriter(of: ResourceType): (stored: Stored) => JsonObject {
  let next = of.key?.property === undefined ? 1 : undefined;
  return ({ key, resource }) => {
    const entry = readEntry(resource, of);
    const isBare = entry.pointer === '';
    if (isBare && entry.key === key) return resource;
    if (isBare && next !== undefined && key === String(next)) {
      next++;
      return resource;
    }
    next = undefined;
    return { [KEY]: readKey(key), [RESOURCE]: resource };
  };
}
