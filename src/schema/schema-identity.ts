import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { type LocatedSchema, targetOf } from './schema-contents.ts';

/** @returns where a schema stands that says nothing of its own but whose it is */
export function identityOf(document: OpenAPIDocument, schema: LocatedSchema): Place {
  let current = schema;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next = targetOf(document, current) ?? onlyPart(current);
    if (next === undefined) return current.pointer;
    current = next;
  }
  return current.pointer;
}

const DEEPEST = 16;

/** The only schema of a combination beside null, where nothing else is said. */
function onlyPart({ pointer, value }: LocatedSchema): LocatedSchema | undefined {
  if (!isJsonObject(value) || value['properties'] !== undefined) return undefined;
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    const list = value[keyword];
    if (!Array.isArray(list)) continue;
    const parts = list.flatMap((one, index) =>
      isNull(one) ? [] : [{ pointer: `${pointer}/${keyword}/${index}`, value: one }],
    );
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return only;
  }
  return undefined;
}

function isNull(schema: JsonValue): boolean {
  return isJsonObject(schema) && schema['type'] === 'null';
}
