import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { isAlsoNull } from '../../document/schema-dialect.ts';
import { type SourceDocument, valueAt } from '../../document/source-document.ts';
import {
  type DynamicScope,
  enterScope,
  findDynamicTarget,
  NO_SCOPE,
} from '../../schema/dynamic-scope.ts';

/** A source of schemas for the generator. */
export interface SchemaSource {
  /** Returns the schema at a pointer in JSON Schema 2020-12; undefined when there is none. */
  schemaAt(pointer: string): JsonObject | boolean | undefined;
  /** Returns the pointer that a `$ref` or `$dynamicRef` of the schema at `from` names. */
  pointerOf(reference: string, from: string): string;
}

/** Prefix that no pointer of a document has. */
const CONSTRUCTED = '\u0000';
/** Suffix of the pointer of a schema that accepts null, for its values that are not null. */
const PRESENT = '\u0003';

/**
 * The schemas of a document together with schemas that the generator constructs, such as the
 * alternatives to a `not`. Both have pointers and may refer to each other.
 */
export class SchemaSpace implements SchemaSource {
  readonly #source: SchemaSource;
  readonly #constructed = new Map<string, JsonObject>();
  readonly #pointers = new Map<string, string>();

  constructor(source: SchemaSource) {
    this.#source = source;
  }

  /** Returns the pointer of a constructed schema: the same one for the same schema. */
  construct(schema: JsonObject): string {
    return remember(this.#pointers, stringifyJson(schema), () => {
      const pointer = `${CONSTRUCTED}${this.#pointers.size}`;
      this.#constructed.set(pointer, schema);
      return pointer;
    });
  }

  /** Returns a schema that refers to the one at a pointer, in any file. */
  refer(pointer: string): JsonObject {
    return { $ref: CONSTRUCTED + pointer };
  }

  schemaAt(pointer: string): JsonObject | boolean | undefined {
    if (!pointer.startsWith(CONSTRUCTED)) {
      const schema = this.#source.schemaAt(pointer.replaceAll(PRESENT, ''));
      if (!isAlsoNull(schema) || pointer.endsWith(PRESENT)) return schema;
      const present = this.refer(pointer + PRESENT);
      return this.refer(this.construct({ anyOf: [{ type: 'null' }, present] }));
    }
    const end = pointer.indexOf('/');
    const root = this.#constructed.get(end < 0 ? pointer : pointer.slice(0, end));
    if (root === undefined) return undefined;
    const value = end < 0 ? root : valueAt(root, pointer.slice(end));
    return typeof value === 'boolean' || isJsonObject(value) ? value : undefined;
  }

  pointerOf(reference: string, from: string): string {
    const isConstructed = from.startsWith(CONSTRUCTED) || reference.startsWith(CONSTRUCTED);
    if (isConstructed) return reference.slice(CONSTRUCTED.length);
    return this.#source.pointerOf(reference, from.replaceAll(PRESENT, ''));
  }
}

/** Prefix that no pointer of a document has. */
const SCOPED = '\u0001';
/** Prefix that no reference has. */
const DYNAMIC = '\u0002';

/**
 * The schemas of a document with their dynamic references resolved (JSON Schema Core §8.2.3.2).
 * The target of such a reference depends on the schemas that led to it, so a pointer that was
 * reached through a schema with dynamic anchors carries them with it.
 */
export class ScopedSchemas implements SchemaSource {
  readonly #document: SourceDocument;
  readonly #scopes: DynamicScope[] = [NO_SCOPE];
  readonly #indexes = new Map<string, number>([['', 0]]);

  constructor(document: SourceDocument) {
    this.#document = document;
  }

  schemaAt(pointer: string): JsonObject | boolean | undefined {
    const schema = this.#document.schemaAt(this.plain(pointer));
    if (typeof schema !== 'object') return schema;
    const { $dynamicRef: reference } = schema;
    return typeof reference === 'string' ? { ...schema, $dynamicRef: DYNAMIC + reference } : schema;
  }

  pointerOf(reference: string, from: string): string {
    const plain = this.plain(from);
    const scope = enterScope(this.#document, this.#scopeOf(from), plain);
    const isDynamic = reference.startsWith(DYNAMIC);
    const written = isDynamic ? reference.slice(DYNAMIC.length) : reference;
    const target = this.#document.pointerOf(written, plain);
    const found = isDynamic ? findDynamicTarget(this.#document, written, target, scope) : target;
    return this.#join(enterScope(this.#document, scope, found), found);
  }

  /** Returns the pointer without that prefix, as the document knows it. */
  plain(pointer: string): string {
    return pointer.startsWith(SCOPED) ? pointer.slice(pointer.indexOf(SCOPED, 1) + 1) : pointer;
  }

  #scopeOf(pointer: string): DynamicScope {
    if (!pointer.startsWith(SCOPED)) return NO_SCOPE;
    return this.#scopes[Number(pointer.slice(1, pointer.indexOf(SCOPED, 1)))] ?? NO_SCOPE;
  }

  #join(scope: DynamicScope, pointer: string): string {
    const key = scope.map(({ resource }) => resource).join(' ');
    const index = remember(this.#indexes, key, () => this.#scopes.push(scope) - 1);
    return index === 0 ? pointer : `${SCOPED}${index}${SCOPED}${pointer}`;
  }
}
