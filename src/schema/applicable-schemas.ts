import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { Located, SourceDocument } from '../document/source-document.ts';

/** Keywords whose schemas apply to the same place of the instance (JSON Schema Core §10.2). */
interface Applicators {
  readonly lists: readonly string[];
  readonly single: readonly string[];
}

const POSSIBLE: Applicators = { lists: ['allOf', 'anyOf', 'oneOf'], single: ['then', 'else'] };
const CERTAIN: Applicators = { lists: ['allOf'], single: [] };

/**
 * The schemas that may apply to the value that a schema describes: itself, what it refers to, and
 * what it is combined of, each once.
 */
export function applicableSchemas(
  document: SourceDocument,
  pointer: string,
  visited = new Set<string>(),
): Generator<Located<JsonObject>> {
  return walk(document, pointer, POSSIBLE, visited);
}

/** The schemas that apply whatever the value is: itself, what it refers to, its `allOf`. */
export function certainSchemas(
  document: SourceDocument,
  pointer: string,
): Generator<Located<JsonObject>> {
  return walk(document, pointer, CERTAIN, new Set());
}

function* walk(
  document: SourceDocument,
  pointer: string,
  applicators: Applicators,
  visited: Set<string>,
): Generator<Located<JsonObject>> {
  const value = document.schemaAt(pointer);
  if (visited.has(pointer) || !isJsonObject(value)) return;
  visited.add(pointer);
  yield { value, pointer };
  const reference = value['$ref'];
  if (typeof reference === 'string') {
    yield* walk(document, document.pointerOf(reference, pointer), applicators, visited);
  }
  for (const keyword of applicators.lists) {
    const list = value[keyword];
    if (!Array.isArray(list)) continue;
    for (const index of list.keys()) {
      yield* walk(document, `${pointer}/${keyword}/${index}`, applicators, visited);
    }
  }
  for (const keyword of applicators.single) {
    yield* walk(document, `${pointer}/${keyword}`, applicators, visited);
  }
}
