import { toPointer } from '../base/json/pointer.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';

/** The Parameter Objects that hold for an operation: those of its path, then its own. */
export function findParameterObjects(
  document: OpenAPIDocument,
  { root, path, pointer }: Operation,
): readonly Located<JsonObject>[] {
  const place = `${root}/paths${toPointer([path])}`;
  // Beside a reference of a Path Item Object, and behind it.
  const items = new Set([place, document.resolveObject(place)?.pointer ?? place]);
  return [...items, pointer].flatMap((owner) => listParameters(document, `${owner}/parameters`));
}

function listParameters(document: OpenAPIDocument, place: Place): readonly Located<JsonObject>[] {
  const list = document.at(place);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, index) => document.resolveObject(`${place}/${index}`) ?? []);
}
