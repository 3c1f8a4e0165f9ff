import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';

/**
 * A place in a set of files: a JSON Pointer into the first file (`/paths/~1plants`), or into
 * another one after its number (`@2#/Plant`). Tokens can be appended as to any pointer.
 */
export type Place = string;

export function toPlace(file: number, pointer: string): Place {
  return file === 0 ? pointer : `@${file}#${pointer}`;
}

/** Returns the index of a place's file in the set, and the JSON Pointer (RFC 6901) in that file. */
export function splitPlace(place: Place): { readonly file: number; readonly pointer: string } {
  if (!place.startsWith('@')) return { file: 0, pointer: place };
  const end = place.indexOf('#');
  return { file: Number(place.slice(1, end)), pointer: place.slice(end + 1) };
}

/** Returns a `$ref` to a place, for a schema that is not from the document. */
export function toReference(place: Place): string {
  const { file, pointer } = splitPlace(place);
  return `@${file}#${pointer}`;
}

/**
 * Returns the place of a reference that {@link toReference} made; undefined for one from the
 * document.
 */
export function readReference(reference: string): Place | undefined {
  if (!/^@\d+#(?:\/|$)/.test(reference)) return undefined;
  const { file, pointer } = splitPlace(reference);
  return toPlace(file, pointer);
}

/** Returns true for an object that is no reference to another one. */
export function isObjectHere(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && typeof getMember(value, '$ref') !== 'string';
}
