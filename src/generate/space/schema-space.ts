import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { valueAt } from '../../document/source-document.ts';

/** What the generator needs of a document. */
export interface SchemaSource {
  /** @returns the schema at a pointer in JSON Schema 2020-12; undefined when none stands there */
  schemaAt(pointer: string): JsonObject | boolean | undefined;
  /** @returns the pointer that a `$ref` or `$dynamicRef` of the schema at `from` names */
  pointerOf(reference: string, from: string): string;
}

/** No pointer of a document begins so. */
const CONSTRUCTED = '\u0000';

/**
 * The schemas of a document, and beside them schemas that the generator itself has constructed,
 * such as what a `not` leaves. Both have pointers and may refer to each other.
 */
export class SchemaSpace implements SchemaSource {
  readonly #source: SchemaSource;
  readonly #constructed = new Map<string, JsonObject>();
  readonly #pointers = new Map<string, string>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** @returns the pointer of a constructed schema: the same one for the same schema */
  construct(schema: JsonObject): string {
    const text = stringifyJson(schema);
    const known = this.#pointers.get(text);
    if (known !== undefined) return known;
    const pointer = `${CONSTRUCTED}${this.#pointers.size}`;
    this.#pointers.set(text, pointer);
    this.#constructed.set(pointer, schema);
    return pointer;
  }

  /** @returns a schema that refers to the one at a pointer, whatever file that is in */
  refer(pointer: string): JsonObject {
    return { $ref: CONSTRUCTED + pointer };
  }

  schemaAt(pointer: string): JsonObject | boolean | undefined {
    if (!pointer.startsWith(CONSTRUCTED)) return this.#source.schemaAt(pointer);
    const end = pointer.indexOf('/');
    const root = this.#constructed.get(end < 0 ? pointer : pointer.slice(0, end));
    if (root === undefined) return undefined;
    const value = end < 0 ? root : valueAt(root, pointer.slice(end));
    return typeof value === 'boolean' || isJsonObject(value) ? value : undefined;
  }

  /** @returns undefined for a reference that leads to nothing */
  pointerOf(reference: string, from: string): string {
    if (from.startsWith(CONSTRUCTED)) return reference.slice(CONSTRUCTED.length);
    return this.#source.pointerOf(reference, from);
  }
}
