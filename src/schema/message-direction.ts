import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject } from '../base/json/value.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { applicableSchemas } from './applicable-schemas.ts';

/**
 * Which way a message goes. A request need not have what is `readOnly`; an answer never has what is
 * `writeOnly` (OAS 3.0.4 §4.7.24.1, JSON Schema Validation §9.4).
 */
export type Direction = 'request' | 'response';

/**
 * The properties that a message of one direction need not or may not have: `readOnly` ones in a
 * request, `writeOnly` ones in an answer.
 *
 * @param pointer of the schema of the object
 */
export function findAbsentProperties(
  document: SourceDocument,
  pointer: string,
  direction: Direction,
): ReadonlySet<string> {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  const absent = new Set<string>();
  for (const { value, pointer: at } of applicableSchemas(document, pointer)) {
    const { properties } = value;
    if (!isJsonObject(properties)) continue;
    for (const name of Object.keys(properties)) {
      if (hasFlag(document, `${at}/properties${toPointer([name])}`, flag)) absent.add(name);
    }
  }
  return absent;
}

/** The flag may stand behind the property's reference, or beside it in an `allOf`. */
function hasFlag(document: SourceDocument, pointer: string, flag: string, depth = 0): boolean {
  const schema = document.schemaAt(pointer);
  if (!isJsonObject(schema) || depth > DEEPEST) return false;
  if (schema[flag] === true) return true;
  const { $ref: reference, allOf } = schema;
  if (typeof reference === 'string') {
    const target = document.pointerOf(reference, pointer);
    if (hasFlag(document, target, flag, depth + 1)) return true;
  }
  return (
    Array.isArray(allOf) &&
    allOf.some((_, index) => hasFlag(document, `${pointer}/allOf/${index}`, flag, depth + 1))
  );
}

const DEEPEST = 8;
