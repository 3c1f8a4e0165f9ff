import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';

export type SchemaDialect = 'openapi-3.0' | '2020-12';

/** The types of JSON Schema Core §4.2.1, with `integer`. */
export const schemaTypes: ReadonlySet<JsonValue> = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
]);

/**
 * Converts one Schema Object to JSON Schema 2020-12, the dialect of OpenAPI 3.1 and 3.2. Subschemas
 * are converted when they are used, so that the unused parts of a large document cost nothing, and
 * every schema keeps its pointer.
 *
 * Keywords with values that no dialect allows (a type `any` in OpenAPI 3.0, a boolean `required`)
 * are dropped, as nothing can be validated by them. `coldframe check` reports them.
 *
 * @param schema as written in the file
 * @returns the same object when there is nothing to change
 */
export function upgradeSchema(schema: JsonObject, dialect: SchemaDialect): JsonObject {
  if (dialect === 'openapi-3.0' && typeof schema['$ref'] === 'string') {
    // OAS 3.0 §4.7.23: keywords beside a reference are ignored, but those who write `nullable` mean it.
    if (Object.keys(schema).length === 1) return schema;
    const bare = { $ref: schema['$ref'] };
    return schema['nullable'] === true ? { ...bare, [ALSO_NULL]: true } : bare;
  }
  let upgraded = schema;
  for (const change of dialect === 'openapi-3.0' ? CHANGES_OF_3_0 : CHANGES_OF_ALL) {
    upgraded = change(upgraded);
  }
  return upgraded;
}

type Change = (schema: JsonObject) => JsonObject;

const CHANGES_OF_ALL: readonly Change[] = [
  readExclusiveLimits,
  readTuples,
  keepListOfRequired,
  readEitherType,
];
const CHANGES_OF_3_0: readonly Change[] = [
  readFileType,
  readNullable,
  readDiscriminator,
  keepKnownTypes,
  keepFilledEnum,
  ...CHANGES_OF_ALL,
];

/** OAS 2.0 Parameter Object: a file is bytes. */
function readFileType(schema: JsonObject): JsonObject {
  return schema['type'] === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
}

/** Marks a schema of OpenAPI 3.0 that accepts null besides what its other keywords say. */
const ALSO_NULL = 'x-coldframe-also-null';

/** Returns true for a schema that accepts null, whatever else its keywords say. */
export function isAlsoNull(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema[ALSO_NULL] === true;
}

/**
 * OAS 3.0.3 §4.7.24.1: `nullable` adds null to the `type` of the same schema. Beside a combination
 * it says nothing there, and documents mean the whole.
 */
function readNullable(schema: JsonObject): JsonObject {
  if (schema['nullable'] !== true) return schema;
  if (['allOf', 'anyOf', 'oneOf'].some((keyword) => schema[keyword] !== undefined)) {
    return { ...schema, [ALSO_NULL]: true };
  }
  if (schema['type'] === undefined) return schema;
  const types = [schema['type']].flat();
  return types.includes('null') ? schema : { ...schema, type: [...types, 'null'] };
}

/** In OpenAPI 2.0 a discriminator is the name of the property alone. */
function readDiscriminator(schema: JsonObject): JsonObject {
  const { discriminator } = schema;
  if (typeof discriminator !== 'string') return schema;
  return { ...schema, discriminator: { propertyName: discriminator } };
}

function keepKnownTypes(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined || (typeof type === 'string' && schemaTypes.has(type))) return schema;
  const known = new Set(
    [type].flat().filter((one) => typeof one === 'string' && schemaTypes.has(one)),
  );
  const { type: _, ...rest } = schema;
  // A list with an unknown type may allow anything.
  return known.size > 0 && known.size === [type].flat().length
    ? { ...rest, type: [...known] }
    : rest;
}

/** OAS 3.0 §4.7.24 takes `enum` from a draft in which it has at least one value. */
function keepFilledEnum(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['enum']) || schema['enum'].length > 0) return schema;
  const { enum: _, ...rest } = schema;
  return rest;
}

/** `exclusiveMinimum: true` of JSON Schema draft 4 makes `minimum` exclusive. */
function readExclusiveLimits(schema: JsonObject): JsonObject {
  const raised = readExclusive(schema, 'exclusiveMinimum', 'minimum');
  return readExclusive(raised, 'exclusiveMaximum', 'maximum');
}

function readExclusive(schema: JsonObject, exclusive: string, limit: string): JsonObject {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [exclusive]: isExclusive, [limit]: value, ...rest } = schema;
  return value === undefined ? rest : { ...rest, [isExclusive ? exclusive : limit]: value };
}

/** A list of `items` is a tuple in drafts before 2020-12. */
function readTuples(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['items'])) return schema;
  const { items, additionalItems, ...rest } = schema;
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

function keepListOfRequired(schema: JsonObject): JsonObject {
  if (schema['required'] === undefined || Array.isArray(schema['required'])) return schema;
  const { required: _, ...rest } = schema;
  return rest;
}

/** The format `int-or-string` names both types, where `type` can name one alone. */
function readEitherType(schema: JsonObject): JsonObject {
  const isEither = schema['format'] === 'int-or-string' && schema['type'] === 'string';
  return isEither ? { ...schema, type: ['string', 'integer'] } : schema;
}

export function isSchema(value: JsonValue | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}
