import {
  Decimal,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from './value.ts';

/** Returns a deep copy, which shares no object and no array with the value. */
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyJson);
  return isJsonObject(value) ? mapMembers(value, copyJson) : value;
}

/** Returns a deep copy with doubles only, for validators that know no other numbers. */
export function toDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint' || value instanceof Decimal) return Number(value);
  if (Array.isArray(value)) return value.map(toDoubles);
  return isJsonObject(value) ? mapMembers(value, toDoubles) : value;
}

type Merge = (base: JsonValue, value: JsonValue) => JsonValue;

/**
 * Returns an object with the members of both, at every depth.
 *
 * @param mergeOthers chooses of two values that are not both objects; the second by default
 */
export function mergeDeep(
  base: JsonValue,
  value: JsonValue,
  mergeOthers: Merge = (_, second) => second,
): JsonValue {
  if (!isJsonObject(base) || !isJsonObject(value)) return mergeOthers(base, value);
  const merged: JsonObject = { ...base };
  for (const [name, member] of Object.entries(value)) {
    const below = getMember(base, name);
    setMember(merged, name, below === undefined ? member : mergeDeep(below, member, mergeOthers));
  }
  return merged;
}
