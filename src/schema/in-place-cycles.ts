import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { SourceDocument } from '../document/source-document.ts';

/** Keywords whose schemas apply to the same place of the instance (JSON Schema Core §10.2). */
const SINGLE = ['not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];

/** True for a keyword whose schemas apply to the value itself and not to a part of it. */
export function isInPlace(keyword: string): boolean {
  return SINGLE.includes(keyword) || LISTS.includes(keyword) || keyword === 'dependentSchemas';
}

/**
 * Finds schemas that come back to themselves without going into the value: a base schema whose
 * `oneOf` names its heirs, each of which has the base in its `allOf`. A validator would never end;
 * JSON Schema (Core §9.4.1) forbids them, and documents are full of them.
 */
export class InPlaceCycles {
  readonly #document: SourceDocument;
  readonly #known = new Map<string, boolean>();

  constructor(document: SourceDocument) {
    this.#document = document;
  }

  /** @returns true when the schema at a pointer leads back to itself at the same place */
  has(pointer: string): boolean {
    const known = this.#known.get(pointer);
    if (known !== undefined) return known;
    const isCyclic = this.#reaches(pointer, pointer, new Set());
    this.#known.set(pointer, isCyclic);
    return isCyclic;
  }

  #reaches(from: string, goal: string, visited: Set<string>): boolean {
    for (const target of this.#targets(from)) {
      if (target === goal) return true;
      if (visited.has(target)) continue;
      visited.add(target);
      if (this.#reaches(target, goal, visited)) return true;
    }
    return false;
  }

  /** What the schema at a pointer refers to, by itself or by a schema that is a part of it. */
  *#targets(pointer: string): Generator<string> {
    const schema = this.#document.schemaAt(pointer);
    if (!isJsonObject(schema)) return;
    const { $ref: reference } = schema;
    if (typeof reference === 'string') yield* this.#follow(reference, pointer);
    for (const part of partsOf(schema, pointer)) yield* this.#targets(part);
  }

  /** A reference to nothing is told by whoever needs what it should lead to. */
  #follow(reference: string, pointer: string): string[] {
    try {
      return [this.#document.pointerOf(reference, pointer)];
    } catch {
      return [];
    }
  }
}

function partsOf(schema: JsonObject, pointer: string): string[] {
  const lists = LISTS.flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => `${pointer}/${keyword}/${index}`) : [];
  });
  const singles = SINGLE.filter((keyword) => schema[keyword] !== undefined);
  const { dependentSchemas: map } = schema;
  const dependent = isJsonObject(map) ? Object.keys(map) : [];
  return [
    ...lists,
    ...singles.map((keyword) => `${pointer}/${keyword}`),
    ...dependent.map((name) => pointer + toPointer(['dependentSchemas', name])),
  ];
}
