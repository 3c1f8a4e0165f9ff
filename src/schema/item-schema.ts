import type { OpenAPIDocument } from '../document/document.ts';
import type { Direction } from './message-direction.ts';
import type { Schema, SchemaCompiler } from './schema-compiler.ts';

/**
 * The schema of a sequential media type that only describes its items (`itemSchema`,
 * OAS 3.2 §4.14.3): each item of a list is held against it, and so is a single value.
 *
 * @param mediaType pointer of the Media Type Object
 * @returns undefined where it has none
 */
export function schemaOfItems(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  mediaType: string,
  direction: Direction,
): Schema | undefined {
  const place = `${mediaType}/itemSchema`;
  if (document.schemaAt(place) === undefined) return undefined;
  const item = schemas.schemaAt(place, direction);
  return Object.freeze({
    pointer: place,
    check: (value, location, at = '') =>
      Array.isArray(value)
        ? value.flatMap((one, index) => item.check(one, location, `${at}/${index}`))
        : item.check(value, location, at),
  } satisfies Schema);
}
