import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import { subschemaKeywords } from './schema-keywords.ts';

/** The schemas in a schema, and those that it refers to: what is no schema is left out. */
export function* subschemasOf(
  document: OpenAPIDocument,
  { value: schema, pointer }: Located<JsonObject>,
): Generator<Located<JsonObject>> {
  for (const keyword of ['$ref', '$dynamicRef']) {
    const target = targetOf(document, schema[keyword], pointer);
    if (target !== undefined) yield target;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = subschemaKeywords.get(keyword);
    if (shape === undefined) continue;
    const place = pointer + toPointer([keyword]);
    // `items` may be a list in older drafts.
    if (shape === 'schema' && isJsonObject(value)) yield { value, pointer: place };
    else if (shape !== 'schema' || Array.isArray(value)) yield* partsOf(value, place);
  }
}

function* partsOf(value: JsonValue, place: Place): Generator<Located<JsonObject>> {
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      if (isJsonObject(one)) yield { value: one, pointer: `${place}/${index}` };
    }
  } else if (isJsonObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      if (isJsonObject(one)) yield { value: one, pointer: place + toPointer([name]) };
    }
  }
}

/** @returns undefined for a reference that leads to no schema: to compile it tells that */
function targetOf(
  document: OpenAPIDocument,
  reference: JsonValue | undefined,
  from: Place,
): Located<JsonObject> | undefined {
  if (typeof reference !== 'string') return undefined;
  try {
    const pointer = document.pointerOf(reference, from);
    const value = document.at(pointer);
    return isJsonObject(value) ? { value, pointer } : undefined;
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/**
 * Every schema that a schema is made of, itself first, as it stands in the document.
 *
 * @param visited what is in it already is not given again; all that is given comes into it
 */
export function* walkSchemas(
  document: OpenAPIDocument,
  place: Place,
  visited: Set<JsonObject>,
): Generator<Located<JsonObject>> {
  const root = document.at(place);
  if (!isJsonObject(root)) return;
  const waiting: Located<JsonObject>[] = [{ value: root, pointer: place }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (visited.has(next.value)) continue;
    visited.add(next.value);
    yield next;
    // The last is taken first: so they come in the order of the document.
    waiting.push(...[...subschemasOf(document, next)].reverse());
  }
}
