import type { SourceDocument } from '../../document/source-document.ts';
import { compilePattern } from '../../schema/pattern.ts';
import { collectParts } from '../../schema/schema-parts.ts';

/** What a schema says of which parts of its values are secrets. */
export interface HiddenSchema {
  /** True for `format: password` and for `writeOnly`: what is never given back is not shown. */
  readonly isSecret: boolean;
  /** True where it, or anything below it, is a secret. */
  readonly hidesAnything: boolean;
  member(name: string): HiddenSchema | undefined;
  /** @returns what is said of items, wherever they stand */
  item(): HiddenSchema | undefined;
}

/** @param pointer of the schema */
export function createHiddenSchema(document: SourceDocument, pointer: string): HiddenSchema {
  return new HiddenSchemas(document).of([pointer]);
}

/** True where a place of a value, or a value that it stands in, is a secret. */
export function hidesPlace(schema: HiddenSchema | undefined, path: readonly string[]): boolean {
  let at = schema;
  for (const token of path) {
    at = at?.member(token) ?? at?.item();
    if (at?.isSecret) return true;
  }
  return false;
}

/** A larger schema is not searched whole: it is taken to hide something. */
const MOST_SEARCHED = 2000;

class HiddenSchemas {
  readonly document: SourceDocument;
  readonly #known = new Map<string, SchemaNode>();

  constructor(document: SourceDocument) {
    this.document = document;
  }

  /** Each is read once and when it is come to: schemas may be recursive. */
  of(pointers: readonly string[]): SchemaNode {
    const key = pointers.join(' ');
    const known = this.#known.get(key) ?? new SchemaNode(this, pointers);
    this.#known.set(key, known);
    return known;
  }
}

class SchemaNode implements HiddenSchema {
  readonly #schemas: HiddenSchemas;
  readonly #pointers: readonly string[];
  #parts: ReturnType<typeof collectParts> | undefined;
  #hidesAnything: boolean | undefined;

  constructor(schemas: HiddenSchemas, pointers: readonly string[]) {
    this.#schemas = schemas;
    this.#pointers = pointers;
  }

  get isSecret(): boolean {
    return this.#all().schemas.some(
      ({ format, writeOnly }) => format === 'password' || writeOnly === true,
    );
  }

  get hidesAnything(): boolean {
    this.#hidesAnything ??= searchForSecret(this);
    return this.#hidesAnything;
  }

  member(name: string): SchemaNode | undefined {
    const { properties, patterns, additional } = this.#all();
    const matching = patterns.filter(([pattern]) => matches(pattern, name)).map(([, at]) => at);
    const described = [...(properties.get(name) ?? []), ...matching];
    return this.#of(described.length > 0 ? described : additional);
  }

  item(): SchemaNode | undefined {
    const { items, prefixItems } = this.#all();
    return this.#of([...items, ...prefixItems.flat()]);
  }

  /** All that may stand directly below. */
  *below(): Generator<SchemaNode> {
    const { properties, patterns, additional, items, prefixItems } = this.#all();
    for (const pointers of [
      ...properties.values(),
      patterns.map(([, at]) => at),
      additional,
      [...items, ...prefixItems.flat()],
    ]) {
      const node = this.#of(pointers);
      if (node !== undefined) yield node;
    }
  }

  #of(pointers: readonly string[]): SchemaNode | undefined {
    return pointers.length > 0 ? this.#schemas.of(pointers) : undefined;
  }

  #all(): ReturnType<typeof collectParts> {
    this.#parts ??= collectParts(this.#schemas.document, this.#pointers);
    return this.#parts;
  }
}

function searchForSecret(root: SchemaNode): boolean {
  const found = new Set([root]);
  for (const node of found) {
    if (node.isSecret || found.size > MOST_SEARCHED) return true;
    for (const next of node.below()) found.add(next);
  }
  return false;
}

/** What is no pattern matches nothing here; the schema's compiler tells it. */
function matches(pattern: string, name: string): boolean {
  try {
    return compilePattern(pattern).test(name);
  } catch {
    return false;
  }
}
