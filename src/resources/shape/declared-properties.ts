import { toPointer } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Located, SourceDocument } from '../../document/source-document.ts';
import { applicableSchemas, certainSchemas } from '../../schema/applicable-schemas.ts';

/**
 * @param pointer of the schema of an object; undefined declares nothing
 * @returns the pointer of each property's schema, the first that declares it
 */
export function declaredProperties(
  document: SourceDocument,
  pointer: string | undefined,
): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  if (pointer === undefined) return properties;
  for (const one of applicableSchemas(document, pointer)) addProperties(one, properties);
  return properties;
}

/**
 * The values that an object has where nobody says another: the `const` or the `default` of its
 * properties. What only one branch of `anyOf` or `oneOf` says is not assumed.
 */
export function assumedValues(
  document: SourceDocument,
  pointer: string | undefined,
): readonly (readonly [name: string, value: JsonValue])[] {
  const properties = new Map<string, string>();
  if (pointer !== undefined) {
    for (const one of certainSchemas(document, pointer)) addProperties(one, properties);
  }
  return [...properties].flatMap(([name, at]) => {
    const value = assumedValue(document, at);
    return value === undefined ? [] : [[name, value] as const];
  });
}

function addProperties(
  { value, pointer }: Located<JsonObject>,
  properties: Map<string, string>,
): void {
  const members = value['properties'];
  if (!isJsonObject(members)) return;
  for (const name of Object.keys(members)) {
    if (!properties.has(name)) properties.set(name, `${pointer}/properties${toPointer([name])}`);
  }
}

function assumedValue(document: SourceDocument, pointer: string): JsonValue | undefined {
  for (const { value } of certainSchemas(document, pointer)) {
    const assumed = getMember(value, 'const') ?? getMember(value, 'default');
    if (assumed !== undefined) return assumed;
  }
  return undefined;
}
