import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Place } from '../document/place.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { type Direction, findAbsentProperties } from '../schema/message-direction.ts';
import type { SchemaNodes } from '../schema/schema-node.ts';
import { uniteTypes, writeList, writeMember, writeObject } from './typescript-text.ts';

/**
 * Returns the type of an object: its properties, and an index signature if the schema mentions others.
 * `readOnly` properties are optional in a request; a response has no `writeOnly` ones.
 */
export function writeObjectType(at: SchemaAt, nodes: SchemaNodes, types: TypeSource): string {
  const inner = { ...at, context: { ...at.context, chain: [] } };
  const members = [...writeProperties(inner, nodes, types), ...writeUndescribed(at.schema)];
  const others = typeOfOthers(inner, types);
  if (others === undefined) return members.length === 0 ? OPEN : writeObject(members);
  // The index signature covers the properties too.
  return writeObject([...members, `[key: string]: ${members.length === 0 ? others : 'unknown'};`]);
}

/** The type of an object that the schema does not describe. */
const OPEN = writeObject(['[key: string]: unknown;']);

function writeProperties(
  { schema, pointer, context }: SchemaAt,
  nodes: SchemaNodes,
  types: TypeSource,
): readonly string[] {
  const required = requiredOf(schema);
  const absent = findAbsentProperties(nodes.at(pointer), context.direction);
  const isSent = (key: string): boolean => context.direction === 'request' || !absent.has(key);
  return keysOf(schema['properties'])
    .filter(isSent)
    .map((key) => {
      const place = pointer + toPointer(['properties', key]);
      return writeMember({
        key,
        isOptional: !required.has(key) || absent.has(key),
        type: types.typeAt(place, context),
        comment: types.describe(place),
      });
    });
}

/** Writes the required members that this schema does not describe. */
function writeUndescribed(schema: JsonObject): readonly string[] {
  const described = keysOf(schema['properties']);
  return [...requiredOf(schema)]
    .filter((key) => !described.includes(key))
    .map((key) => writeMember({ key, type: 'unknown' }));
}

function requiredOf({ required }: JsonObject): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

/** Returns the type of members that no property describes; undefined if none are mentioned. */
function typeOfOthers(
  { schema, pointer, context }: SchemaAt,
  types: TypeSource,
): string | undefined {
  const { additionalProperties: additional } = schema;
  const patterns = keysOf(schema['patternProperties']).map((pattern) =>
    types.typeAt(pointer + toPointer(['patternProperties', pattern]), context),
  );
  const isSilent = additional === undefined && patterns.length === 0;
  // A type with members is closed anyway.
  const isClosed = additional === false && keysOf(schema['properties']).length > 0;
  if (isSilent || (isClosed && patterns.length === 0)) return undefined;
  const others = isJsonObject(additional)
    ? types.typeAt(`${pointer}/additionalProperties`, context)
    : additional === false
      ? 'never'
      : 'unknown';
  return uniteTypes([...patterns, others]);
}

function keysOf(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Returns the type of an array, or of a tuple if the schema has `prefixItems`. */
export function writeArray(
  { schema, pointer, context }: SchemaAt,
  document: SourceDocument,
  types: TypeSource,
): string {
  const inner = { ...context, chain: [] };
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

/** The context of a schema, on which its type depends as well. */
export interface TypeContext {
  readonly direction: Direction;
  /**
   * The schemas around this one that describe the same value: first the one whose declaration is
   * being written, then those that are written inline. A type must not refer to itself this way.
   */
  readonly chain: readonly Place[];
}

/** A schema and its context. */
export interface SchemaAt {
  readonly schema: JsonObject;
  readonly pointer: Place;
  readonly context: TypeContext;
}

/** Returns the types of a schema's parts. */
export interface TypeSource {
  /** @returns the type of the values that the schema at a pointer describes */
  typeAt(pointer: Place, context: TypeContext): string;
  /** @returns the description of a schema for a comment; empty for none */
  describe(pointer: Place): string;
}
