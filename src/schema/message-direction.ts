import type { SchemaNode } from './schema-node.ts';

/**
 * Which way a message goes. A request need not have what is `readOnly`; a response never has what
 * is `writeOnly` (OAS 3.0.4 §4.7.24.1, JSON Schema Validation §9.4).
 */
export type Direction = 'request' | 'response';

/**
 * Returns the properties that a message of one direction need not or may not have: `readOnly` ones
 * in a request, `writeOnly` ones in a response. A flag may be behind the property's reference, or
 * beside it in an `allOf`.
 */
export function findAbsentProperties(schema: SchemaNode | undefined, direction: Direction) {
  const flag = direction === 'request' ? 'readOnly' : 'writeOnly';
  const absent = new Set<string>();
  for (const [name, property] of schema?.properties ?? []) {
    if (property.certain.some(({ value }) => value[flag] === true)) absent.add(name);
  }
  return absent;
}
