import type { JsonObject } from '../../base/json/value.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import {
  type DynamicScope,
  enterScope,
  findDynamicTarget,
  NO_SCOPE,
} from '../../schema/dynamic-scope.ts';
import type { SchemaSource } from './schema-space.ts';

/** No pointer of a document begins so. */
const SCOPED = '\u0001';
/** No reference does. */
const DYNAMIC = '\u0002';

/**
 * The schemas of a document with their dynamic references resolved (JSON Schema Core §8.2.3.2).
 * What such a reference leads to depends on the way that led to it, so a pointer that was come to
 * through a schema with dynamic anchors carries that way with it.
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

  /** @returns the pointer as the document knows it */
  plain(pointer: string): string {
    return pointer.startsWith(SCOPED) ? pointer.slice(pointer.indexOf(SCOPED, 1) + 1) : pointer;
  }

  #scopeOf(pointer: string): DynamicScope {
    if (!pointer.startsWith(SCOPED)) return NO_SCOPE;
    return this.#scopes[Number(pointer.slice(1, pointer.indexOf(SCOPED, 1)))] ?? NO_SCOPE;
  }

  #join(scope: DynamicScope, pointer: string): string {
    const key = scope.map(({ resource }) => resource).join(' ');
    const index = this.#indexes.get(key) ?? this.#scopes.push(scope) - 1;
    this.#indexes.set(key, index);
    return index === 0 ? pointer : `${SCOPED}${index}${SCOPED}${pointer}`;
  }
}
