import type { SourceDocument } from '../document/source-document.ts';
import type { SchemaAt, TypeSource } from './schema-at.ts';
import { writeList } from './typescript-text.ts';

/** @returns the type of a list, or, where places in it have schemas of their own, of a tuple */
export function writeArray(
  { schema, pointer, way }: SchemaAt,
  document: SourceDocument,
  types: TypeSource,
): string {
  const inner = { ...way, chain: [] };
  const items = document.schemaAt(`${pointer}/items`);
  const item = items === undefined ? 'unknown' : types.typeAt(`${pointer}/items`, inner);
  const { prefixItems: places } = schema;
  if (!Array.isArray(places) || places.length === 0) return writeList(item);
  const { minItems = 0, maxItems } = schema;
  const members = places.map((_, index) => {
    const type = types.typeAt(`${pointer}/prefixItems/${index}`, inner);
    return index < Number(minItems) ? type : `(${type})?`;
  });
  const isClosed = items === false || (maxItems !== undefined && Number(maxItems) <= places.length);
  return `[${[...members, ...(isClosed ? [] : [`...${writeList(item)}`])].join(', ')}]`;
}
