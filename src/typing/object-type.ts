import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { findAbsentProperties } from '../schema/message-direction.ts';
import type { SchemaNodes } from '../schema/schema-node.ts';
import type { SchemaAt, TypeSource } from './schema-at.ts';
import { uniteTypes, writeMember, writeObject } from './typescript-text.ts';

/**
 * The type of an object: its properties, and an index signature where the schema speaks of others.
 * What a request need not have because it is `readOnly` is optional there; what an answer never has
 * because it is `writeOnly` is left out of it.
 */
export function writeObjectType(at: SchemaAt, nodes: SchemaNodes, types: TypeSource): string {
  const inner = { ...at, way: { ...at.way, chain: [] } };
  const members = [...writeProperties(inner, nodes, types), ...writeUndescribed(at.schema)];
  const others = typeOfOthers(inner, types);
  if (others === undefined) return members.length === 0 ? OPEN : writeObject(members);
  // The index signature covers the properties too.
  return writeObject([...members, `[key: string]: ${members.length === 0 ? others : 'unknown'};`]);
}

/** An object of which nothing is said may have any members. */
const OPEN = writeObject(['[key: string]: unknown;']);

function writeProperties(
  { schema, pointer, way }: SchemaAt,
  nodes: SchemaNodes,
  types: TypeSource,
): readonly string[] {
  const required = requiredOf(schema);
  const absent = findAbsentProperties(nodes.at(pointer), way.direction);
  const isSaid = (key: string): boolean => way.direction === 'request' || !absent.has(key);
  return keysOf(schema['properties'])
    .filter(isSaid)
    .map((key) => {
      const place = pointer + toPointer(['properties', key]);
      return writeMember({
        key,
        isOptional: !required.has(key) || absent.has(key),
        type: types.typeAt(place, way),
        comment: types.describe(place),
      });
    });
}

/** Members that must be there, and are described elsewhere or nowhere. */
function writeUndescribed(schema: JsonObject): readonly string[] {
  const described = keysOf(schema['properties']);
  return [...requiredOf(schema)]
    .filter((key) => !described.includes(key))
    .map((key) => writeMember({ key, isOptional: false, type: 'unknown', comment: '' }));
}

function requiredOf({ required }: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

/** @returns the type of members that no property describes; undefined where nothing is said */
function typeOfOthers({ schema, pointer, way }: SchemaAt, types: TypeSource): string | undefined {
  const { additionalProperties: additional } = schema;
  const patterns = keysOf(schema['patternProperties']).map((pattern) =>
    types.typeAt(pointer + toPointer(['patternProperties', pattern]), way),
  );
  const isSilent = additional === undefined && patterns.length === 0;
  // To be closed is what a type with members is anyway.
  const isClosed = additional === false && keysOf(schema['properties']).length > 0;
  if (isSilent || (isClosed && patterns.length === 0)) return undefined;
  const others = isJsonObject(additional)
    ? types.typeAt(`${pointer}/additionalProperties`, way)
    : additional === false
      ? 'never'
      : 'unknown';
  return uniteTypes([...patterns, others]);
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}
