import { JsonError, parseJson } from '../../base/json/parse.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Stored } from '../../state/store.ts';
import { keyIn, keyTextOf } from '../collections.ts';
import type { ResourceType } from '../resource.ts';

/** A resource as a list of resources has it: alone, or with the key that it is kept by. */
export interface SeedEntry {
  /** Undefined where it is to be read of the resource, or made. */
  readonly key: string | undefined;
  readonly value: JsonValue;
  /** Pointer of the resource below that of its entry. */
  readonly pointer: string;
}

const KEY = '$key';
const RESOURCE = '$resource';

/**
 * Reads an entry: a resource that says its key itself stands alone, any other may stand as
 * `{"$key": 7, "$resource": {…}}`.
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
 * Writes the entries of one place, in their order.
 *
 * @returns writes the entry by which {@link readEntry} finds the same key and resource again; where
 *   no resource of a kind says its key, the first ones that are numbered 1, 2, 3… are numbered so
 *   again without it
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

/** Keys are JSON texts. */
export function readKey(key: string): JsonValue {
  try {
    return parseJson(key);
  } catch (error) {
    if (error instanceof JsonError) return key;
    throw error;
  }
}
