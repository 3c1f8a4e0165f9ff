import type { Located, SourceDocument } from '../document/source-document.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';

/** Keywords whose schemas apply to the same place of the instance (JSON Schema Core §10.2). */
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const CONDITIONALS = ['then', 'else'];

/**
 * The schemas that may apply to the value that a schema describes: itself, what it refers to, and
 * what it is combined of, each once.
 */
export function* applicableSchemas(
  document: SourceDocument,
  pointer: string,
  visited = new Set<string>(),
): Generator<Located<JsonObject>> {
  const value = document.schemaAt(pointer);
  if (visited.has(pointer) || !isJsonObject(value)) return;
  visited.add(pointer);
  yield { value, pointer };
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    yield* applicableSchemas(document, document.pointerOf(reference, pointer), visited);
  }
  for (const keyword of LISTS) {
    const list = value[keyword];
    if (!Array.isArray(list)) continue;
    for (const index of list.keys()) {
      yield* applicableSchemas(document, `${pointer}/${keyword}/${index}`, visited);
    }
  }
  for (const keyword of CONDITIONALS) {
    yield* applicableSchemas(document, `${pointer}/${keyword}`, visited);
  }
}
