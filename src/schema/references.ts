import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { Place } from '../document/place.ts';
import { followReference, type Located, type SourceDocument } from '../document/source-document.ts';

/** Returns the schema that the `$ref` of a schema leads to, if there is one. */
export function findTarget(document: SourceDocument, schema: Located): Located | undefined {
  const reference = isJsonObject(schema.value) ? schema.value['$ref'] : undefined;
  const pointer = followReference(document, reference, schema.pointer);
  const value = pointer === undefined ? undefined : document.schemaAt(pointer);
  return pointer === undefined || value === undefined ? undefined : { value, pointer };
}

/**
 * Returns the schema that a bare `$ref` leads to, through further ones; the given schema if it has any
 * other keyword, or if its references form a circle. A reference among dynamic anchors is not
 * followed: its target means something else there (JSON Schema Core §8.2.3.2).
 */
export function findBareTarget(document: SourceDocument, schema: Located): Located {
  if (!isJsonObject(schema.value) || schema.value['$ref'] === undefined) return schema;
  return followChain(schema, (one) => {
    const isBare = isJsonObject(one.value) && Object.keys(one.value).length === 1;
    if (!isBare || document.dynamicAnchorsAround(one.pointer) !== undefined) return undefined;
    return findTarget(document, one);
  });
}

/**
 * Returns the pointer of a schema once its reference is followed, and its combination with null
 * alone. Schemas with one identity describe the same resource.
 */
export function findIdentity(document: SourceDocument, schema: Located): Place {
  return followChain(schema, (one) => findTarget(document, one) ?? findOnlyPart(one)).pointer;
}

/** A longer chain of references is not followed. */
const LONGEST_CHAIN = 16;

function followChain(schema: Located, follow: (one: Located) => Located | undefined): Located {
  let current = schema;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    const next = follow(current);
    if (next === undefined) return current;
    current = next;
  }
  return schema;
}

/** Returns the only schema of a combination besides null, if there are no properties. */
function findOnlyPart({ pointer, value }: Located): Located | undefined {
  if (!isJsonObject(value) || value['properties'] !== undefined) return undefined;
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    const given = value[keyword];
    const list = Array.isArray(given) ? given : [];
    const isPart = (one: JsonValue) => !isJsonObject(one) || one['type'] !== 'null';
    const index = list.findIndex(isPart);
    const part = list[index];
    if (part === undefined || list.filter(isPart).length > 1) continue;
    return { pointer: `${pointer}/${keyword}/${index}`, value: part };
  }
  return undefined;
}
