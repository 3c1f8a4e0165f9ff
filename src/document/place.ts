/**
 * Where something stands in a set of files: the JSON Pointer of the first file as it is
 * (`/paths/~1plants`), that of another one behind its number (`@2#/Plant`). Tokens may be appended
 * to it as to any pointer.
 */
export type Place = string;

export interface PlaceParts {
  /** Index of the file in the set. */
  readonly file: number;
  /** JSON Pointer (RFC 6901) in that file. */
  readonly pointer: string;
}

export function toPlace(file: number, pointer: string): Place {
  return file === 0 ? pointer : `@${file}#${pointer}`;
}

export function splitPlace(place: Place): PlaceParts {
  if (!place.startsWith('@')) return { file: 0, pointer: place };
  const end = place.indexOf('#');
  return { file: Number(place.slice(1, end)), pointer: place.slice(end + 1) };
}

/** Returns a `$ref` to a place, for what is made and not written by an author. */
export function toReference(place: Place): string {
  const { file, pointer } = splitPlace(place);
  return `@${file}#${pointer}`;
}

/** Returns the place of a reference that {@link toReference} made; undefined for an author's. */
export function readReference(reference: string): Place | undefined {
  if (!/^@\d+#(?:\/|$)/.test(reference)) return undefined;
  const { file, pointer } = splitPlace(reference);
  return toPlace(file, pointer);
}
