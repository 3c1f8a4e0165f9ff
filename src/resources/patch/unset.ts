import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';

/**
 * Returns the members of a form with null in place of empty texts that remove a member. A form
 * cannot write null, so its schema declares the empty text beside the usual values: `anyOf` with
 * `enum: ['']`. Beside a map, it removes the members of the map as well.
 */
export function nullWhereUnset(members: JsonObject, node: SchemaNode | undefined): JsonObject {
  const read = ([name, value]: [string, JsonValue]): readonly [string, JsonValue] => {
    const property = node?.property(name);
    if (!declaresEmpty(property)) return [name, value];
    if (value === '') return [name, null];
    if (property?.additional === undefined || !isJsonObject(value)) return [name, value];
    const inner = Object.entries(value).map(([key, one]) => [key, one === '' ? null : one]);
    return [name, Object.fromEntries(inner)];
  };
  return Object.fromEntries(Object.entries(members).map(read));
}

/** Returns true for a schema that allows the empty text by name, beside other values. */
function declaresEmpty(node: SchemaNode | undefined): boolean {
  const schemas = node?.possible ?? [];
  return schemas.some(({ value }) => {
    const listed = [value['const'] ?? value['enum']].flat();
    return listed.length === 1 && listed[0] === '' && schemas.length > 1;
  });
}
