import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { collectParts, type SchemaParts } from '../../schema/schema-parts.ts';

/**
 * Schemas by which an editor completes values: names of members, what they mean, and values that
 * they may have. They refuse nothing. A fixture may look for any part of a body, and what it gives
 * is checked when it is read.
 */
export class ValueHints {
  readonly #document: SourceDocument;
  readonly #definitions: JsonObject;
  readonly #names = new Map<string, string>();

  /** @param definitions to which the hints are added that others refer to */
  constructor(document: SourceDocument, definitions: JsonObject) {
    this.#document = document;
    this.#definitions = definitions;
  }

  /**
   * @param pointers of schemas that describe one value
   * @returns an empty schema where there is nothing to say
   */
  of(pointers: readonly string[]): JsonObject {
    const places = [...new Set(pointers.map((pointer) => this.#withoutAlias(pointer)))];
    const key = places.join(' ');
    const known = this.#names.get(key);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const parts = this.#collect(places);
    if (parts === undefined) return {};
    const remarks = remarksOf(parts.schemas);
    if (parts.properties.size === 0 && parts.items.length === 0) return remarks;
    const name = `value-${this.#names.size + 1}`;
    // Known before its parts are: a schema may be one of its own parts.
    this.#names.set(key, name);
    setMember(this.#definitions, name, { ...remarks, ...this.#partsOf(parts) });
    return { $ref: `#/$defs/${name}` };
  }

  #partsOf({ properties, items }: SchemaParts): JsonObject {
    const hints: JsonObject = {};
    for (const [name, places] of properties) setMember(hints, name, this.of(places));
    return {
      ...(properties.size > 0 && { properties: hints }),
      ...(items.length > 0 && { items: this.of(items) }),
    };
  }

  /** What only refers to another schema is that schema. */
  #withoutAlias(pointer: string): string {
    const schema = this.#document.schemaAt(pointer);
    if (!isJsonObject(schema) || Object.keys(schema).join() !== '$ref') return pointer;
    return this.#attempt(() => this.#document.resolve(pointer)?.pointer) ?? pointer;
  }

  #collect(places: readonly string[]): SchemaParts | undefined {
    return this.#attempt(() => collectParts(this.#document, places));
  }

  /** Of a schema that refers to nothing there is nothing to complete. */
  #attempt<Value>(read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof DiagnosticError) return undefined;
      throw error;
    }
  }
}

const MOST_EXAMPLES = 50;

function remarksOf(schemas: readonly JsonObject[]): JsonObject {
  const description = schemas
    .flatMap((schema) => [getMember(schema, 'description'), getMember(schema, 'title')])
    .find((text) => typeof text === 'string');
  const examples = schemas.flatMap(examplesOf).slice(0, MOST_EXAMPLES);
  return {
    ...(description !== undefined && { description }),
    ...(examples.length > 0 && { examples }),
  };
}

function examplesOf(schema: JsonObject): readonly JsonValue[] {
  const lists = ['enum', 'examples'].flatMap((name) => {
    const list = getMember(schema, name);
    return Array.isArray(list) ? list : [];
  });
  const lone = ['const', 'example', 'default'].flatMap((name) => getMember(schema, name) ?? []);
  return [...lists, ...lone];
}
