import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';

/**
 * Applies a merge patch (RFC 7396 §2): members that it has are set, those that it has as null are
 * taken away, and what is no object takes the place of what there is.
 *
 * @param target undefined where there is nothing yet
 * @returns the patched value; what it was made of stays as it is
 */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {};
  for (const name of Object.keys(patch)) {
    const change = patch[name] as JsonValue;
    if (change === null) delete merged[name];
    else {
      const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
      setMember(merged, name, applyMergePatch(before, change));
    }
  }
  return merged;
}
