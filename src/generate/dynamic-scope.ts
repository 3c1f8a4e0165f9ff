import type { DynamicAnchors, SourceDocument } from '../document/source-document.ts';
import type { JsonObject } from '../json/value.ts';
import type { SchemaSource } from './schema-space.ts';

/** The schema resources with dynamic anchors that references led through, outermost first. */
type Scope = readonly DynamicAnchors[];

const OUTSIDE: Scope = [];

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
  readonly #scopes: Scope[] = [OUTSIDE];
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
    const scope = this.#enter(this.#scopeOf(from), plain);
    const isDynamic = reference.startsWith(DYNAMIC);
    const written = isDynamic ? reference.slice(DYNAMIC.length) : reference;
    const target = this.#document.pointerOf(written, plain);
    const found = isDynamic ? this.#findOutermost(written, target, scope) : target;
    return this.#join(this.#enter(scope, found), found);
  }

  /** @returns the pointer as the document knows it */
  plain(pointer: string): string {
    return pointer.startsWith(SCOPED) ? pointer.slice(pointer.indexOf(SCOPED, 1) + 1) : pointer;
  }

  #findOutermost(reference: string, target: string, scope: Scope): string {
    const name = reference.slice(reference.indexOf('#') + 1);
    const isDynamic = this.#document.dynamicAnchorsAround(target)?.anchors.get(name) === target;
    const outermost = scope.find(({ anchors }) => anchors.has(name))?.anchors.get(name);
    return isDynamic ? (outermost ?? target) : target;
  }

  #scopeOf(pointer: string): Scope {
    if (!pointer.startsWith(SCOPED)) return OUTSIDE;
    return this.#scopes[Number(pointer.slice(1, pointer.indexOf(SCOPED, 1)))] ?? OUTSIDE;
  }

  #enter(scope: Scope, pointer: string): Scope {
    const around = this.#document.dynamicAnchorsAround(pointer);
    if (around === undefined) return scope;
    return scope.some(({ resource }) => resource === around.resource) ? scope : [...scope, around];
  }

  #join(scope: Scope, pointer: string): string {
    const key = scope.map(({ resource }) => resource).join(' ');
    const index = this.#indexes.get(key) ?? this.#scopes.push(scope) - 1;
    this.#indexes.set(key, index);
    return index === 0 ? pointer : `${SCOPED}${index}${SCOPED}${pointer}`;
  }
}
