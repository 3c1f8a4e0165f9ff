import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Place } from '../document/place.ts';
import { followReference, type Located, type SourceDocument } from '../document/source-document.ts';
import { findTarget } from './references.ts';
import { subschemaKeywords } from './schema-keywords.ts';

/** Keywords whose subschemas apply to the same value (JSON Schema Core §10.2). */
export const inPlaceKeywords = {
  /** Subschemas that apply whatever the value is. */
  certain: ['allOf'],
  /** Subschemas that say what the value is like, if they apply. */
  possible: ['allOf', 'anyOf', 'oneOf', 'then', 'else'],
  /** Every subschema that a validator tries on the value. */
  all: ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A schema that is an object, not `true` or `false`. */
type SchemaObject = Located<JsonObject>;

/** A schema in a keyword of another. */
export interface Subschema extends Located {
  /** Its name or index under the keyword; empty for the only one. */
  readonly key: string;
}

type Schemas = readonly Located[];
type Keywords = readonly string[];

/** Returns the subschemas under some keywords of a schema, keyword by keyword. */
export function subschemasUnder(schema: SchemaObject, keywords: Keywords): readonly Subschema[] {
  const used = keywords.filter((keyword) => schema.value[keyword] !== undefined);
  return used.length === 0 ? NONE : used.flatMap((keyword) => subschemasIn(schema, keyword));
}

/** Returns the subschemas under a keyword; none if it, or its value, holds no schemas. */
export function subschemasIn(schema: SchemaObject, keyword: string): readonly Subschema[] {
  const value = schema.value[keyword];
  if (value === undefined) return NONE;
  const pointer = `${schema.pointer}/${keyword}`;
  const form = subschemaKeywords.get(keyword);
  const place = (key: string | number) => pointer + toPointer([key]);
  // `items` may be a list in older drafts.
  if (Array.isArray(value) && (form === 'list' || keyword === 'items')) {
    return value.map((one, index) => ({ key: String(index), value: one, pointer: place(index) }));
  }
  if (form === 'map' && isJsonObject(value)) {
    return Object.entries(value).map(([key, one]) => ({ key, value: one, pointer: place(key) }));
  }
  return form === 'schema' ? [{ key: '', value, pointer }] : NONE;
}

const NONE: readonly Subschema[] = [];

/**
 * Returns the schemas that apply to one value, in JSON Schema 2020-12 and each once: the given
 * ones, what they refer to, and their subschemas under some keywords.
 */
export function schemasInPlace(document: SourceDocument, schemas: Schemas, keywords: Keywords) {
  const alone = findAlone(document, schemas, keywords);
  if (alone !== undefined) return [alone];
  const found = new Map<Place, SchemaObject>();
  const add = (given: Located): void => {
    if (!isJsonObject(given.value) || found.has(given.pointer)) return;
    const { pointer } = given;
    const schema = { value: document.upgradeSchema(given.value, pointer), pointer };
    found.set(pointer, schema);
    const target = findTarget(document, schema);
    if (target !== undefined) add(target);
    for (const one of subschemasUnder(schema, keywords)) add(one);
  };
  schemas.forEach(add);
  return [...found.values()];
}

/** Returns the only schema, if it refers to no other and has none under the keywords. */
function findAlone(document: SourceDocument, [only, ...others]: Schemas, keywords: Keywords) {
  if (only === undefined || others.length > 0 || !isJsonObject(only.value)) return undefined;
  const { pointer } = only;
  const value = document.upgradeSchema(only.value, pointer);
  const isAlone =
    value['$ref'] === undefined && keywords.every((keyword) => value[keyword] === undefined);
  return isAlone ? { value, pointer } : undefined;
}

/**
 * Yields the subschemas of a schema, and those that it refers to, as the document has them. What
 * is no object is left out.
 */
export function* subschemasOf(document: SourceDocument, schema: SchemaObject) {
  const { value, pointer } = schema;
  for (const keyword of ['$ref', '$dynamicRef']) {
    const target = followReference(document, value[keyword], pointer);
    const found = target === undefined ? undefined : document.at(target);
    if (target !== undefined && isJsonObject(found)) yield { value: found, pointer: target };
  }
  for (const one of subschemasUnder(schema, Object.keys(value))) {
    if (isJsonObject(one.value)) yield { value: one.value, pointer: one.pointer };
  }
}

/**
 * Yields a schema and every schema that it is made of, as the document has them, except those that
 * were visited; it adds what it yields to these.
 */
export function* walkSchemas(document: SourceDocument, place: Place, visited: Set<JsonObject>) {
  const root = document.at(place);
  if (!isJsonObject(root)) return;
  const waiting: SchemaObject[] = [{ value: root, pointer: place }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (visited.has(next.value)) continue;
    visited.add(next.value);
    yield next;
    // The last is taken first: so they come in the order of the document.
    waiting.push(...[...subschemasOf(document, next)].reverse());
  }
}

export type CycleTest = (pointer: Place) => boolean;

/**
 * Returns a function that says whether the schema at a pointer leads back to itself at the same
 * value: a base schema whose `oneOf` names its subtypes, each of which has the base in its `allOf`.
 * A validator would never end. JSON Schema (Core §9.4.1) forbids them, and many documents have them.
 */
export function findInPlaceCycles(document: SourceDocument): CycleTest {
  const known = new Map<Place, boolean>();
  return (pointer) =>
    remember(known, pointer, () => {
      const value = document.schemaAt(pointer);
      const whole = value === undefined ? [] : [{ value, pointer }];
      const parts = schemasInPlace(document, whole, inPlaceKeywords.all);
      return parts.some((part) => findTarget(document, part)?.pointer === pointer);
    });
}
