import type { JsonObject } from '../base/json/value.ts';
import type { Place } from '../document/place.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { walkSchemas } from '../schema/subschemas.ts';

/** Tells which schemas mean one thing in a request and another in an answer. */
export class DirectedSchemas {
  readonly #document: SourceDocument;
  readonly #known = new Map<Place, boolean>();
  /** Schemas that lead to nothing directed, in whatever way. */
  readonly #plain = new Set<JsonObject>();

  constructor(document: SourceDocument) {
    this.#document = document;
  }

  /** @returns true where `readOnly` or `writeOnly` stands in the schema, or in one that it needs */
  has(pointer: Place): boolean {
    const known = this.#known.get(pointer);
    if (known !== undefined) return known;
    const isDirected = this.#search(pointer);
    this.#known.set(pointer, isDirected);
    return isDirected;
  }

  #search(pointer: Place): boolean {
    const visited = new Set(this.#plain);
    for (const { value } of walkSchemas(this.#document, pointer, visited)) {
      if (value['readOnly'] === true || value['writeOnly'] === true) return true;
    }
    for (const schema of visited) this.#plain.add(schema);
    return false;
  }
}
