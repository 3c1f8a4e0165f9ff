import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Place } from '../document/place.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { type Direction, findAbsentProperties } from '../schema/message-direction.ts';
import type { SchemaNodes } from '../schema/schema-node.ts';
import { uniteTypes, writeList, writeMember, writeObject } from './typescript-text.ts';

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

/** @returns the type of a list, or, where places in it have schemas of their own, of a tuple */
export function writeArray(
  { schema, pointer, way }: SchemaAt,
  document: SourceDocument,
  types: TypeSource,
): string {
  const inner = { ...way, chain: [] };
  const items = document.schemaAt(`${pointer}/items`);
  const item = items === undefined ? 'unknown' : types.typeAt(`${pointer}/items`, inner);
  const { prefixItems: places } = schema;
  if (!Array.isArray(places) || places.length === 0) return writeList(item);
  const { minItems = 0, maxItems } = schema;
  const members = places.map((_, index) => {
    const type = types.typeAt(`${pointer}/prefixItems/${index}`, inner);
    return index < Number(minItems) ? type : `(${type})?`;
  });
  const isClosed = items === false || (maxItems !== undefined && Number(maxItems) <= places.length);
  return `[${[...members, ...(isClosed ? [] : [`...${writeList(item)}`])].join(', ')}]`;
}

/** Which way the message goes, and what is being written around the schema. */
export interface Way {
  readonly direction: Direction;
  /**
   * The schemas around this one that describe the same value: first the one whose declaration is
   * written, then those written out in it. A type must not lead back to itself so.
   */
  readonly chain: readonly Place[];
}

/** A schema, its keywords, and the way to it. */
export interface SchemaAt {
  readonly schema: JsonObject;
  readonly pointer: Place;
  readonly way: Way;
}

/** Where the types of a schema's parts come from. */
export interface TypeSource {
  /** @returns the type of the values that the schema at a place describes */
  typeAt(pointer: Place, way: Way): string;
  /** @returns what a schema says of itself to a reader; empty for nothing */
  describe(pointer: Place): string;
}
