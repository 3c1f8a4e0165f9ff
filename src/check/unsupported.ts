import { formatNames } from 'ajv-formats/dist/formats.js';
import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { isSchema, schemaTypes } from '../document/schema-dialect.ts';
import type { Located } from '../document/source-document.ts';
import { internationalFormats, numberFormats } from '../schema/formats.ts';
import {
  isWellTyped,
  keywordTypes,
  passedOverKeywords,
  subschemaKeywords,
} from '../schema/schema-keywords.ts';
import { walkSchemas } from '../schema/subschemas.ts';
import { describeValue } from '../schema/violations.ts';
import { type Finding, type Inspector, messageSchemas, Tally } from './finding.ts';

/** Finds keywords, types and formats of schemas that the mock does not enforce. */
export function createKeywordInspector({ document }: Contract): Inspector {
  const tally = new Tally(document);
  const visited = new Set<JsonObject>();
  const look = (schema: Located<JsonObject>): void => {
    if (document.dialectAt(schema.pointer) === '2020-12') {
      lookAtFormat(tally, schema);
      lookAtKeywords(tally, schema);
      lookAtValues(tally, schema);
    } else if (typeof schema.value['$ref'] === 'string') {
      lookBeside(tally, schema);
    } else {
      lookAtFormat(tally, schema);
      lookAtTypes(tally, schema);
    }
  };
  return {
    inspect(operation) {
      for (const { pointer } of messageSchemas(operation)) {
        for (const schema of walkSchemas(document, pointer, visited)) look(schema);
      }
    },
    conclude: () => tally.findings(),
  };
}

/** OAS 3.0.4 §4.7.23: keywords beside a `$ref` are ignored. */
function lookBeside(tally: Tally, { value, pointer }: Located<JsonObject>): void {
  for (const keyword of Object.keys(value)) {
    if (idleKeywords.has(keyword) || keyword.startsWith('x-')) continue;
    tally.addUnsupported(
      pointer + toPointer([keyword]),
      `OpenAPI 3.0 ignores ${JSON.stringify(keyword)} beside a $ref`,
      'Put the reference into an `allOf`, and the keyword beside that.',
    );
  }
}

function lookAtFormat(tally: Tally, { value, pointer }: Located<JsonObject>): void {
  const { format } = value;
  if (typeof format !== 'string' || heldFormats.has(format)) return;
  tally.addUnsupported(
    `${pointer}/format`,
    `the format ${JSON.stringify(format)} is not checked: any value of the type is valid`,
    'Add a `pattern`, if the format matters.',
  );
}

function lookAtTypes(tally: Tally, { value, pointer }: Located<JsonObject>): void {
  for (const type of [value['type'] ?? []].flat()) {
    if (knownTypes.has(type)) continue;
    tally.addUnsupported(
      `${pointer}/type`,
      `there is no type ${JSON.stringify(type)}: any value is taken`,
      'Leave the type out where any value is meant.',
    );
  }
}

/** Reports unknown keywords; in earlier versions they are errors of the structure. */
function lookAtKeywords(tally: Tally, { value, pointer }: Located<JsonObject>): void {
  if (value['nullable'] === true) {
    tally.addUnsupported(
      `${pointer}/nullable`,
      '"nullable" is no keyword since OpenAPI 3.1: null is not accepted',
      'Add "null" to the list of types: `type: [string, "null"]`.',
    );
  }
  for (const keyword of Object.keys(value)) {
    if (knownKeywords.has(keyword) || keyword.startsWith('x-')) continue;
    tally.addUnsupported(
      pointer + toPointer([keyword]),
      `no dialect has the keyword ${JSON.stringify(keyword)}: it is ignored`,
      'Correct its name, or have it begin with "x-".',
    );
  }
}

function lookAtValues(tally: Tally, { value: schema, pointer }: Located<JsonObject>): void {
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0) {
    const message = 'no value conforms to an empty "enum"';
    tally.add('malformed-keyword', `${pointer}/enum`, message, 'List the values, or leave it out.');
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (isMeaningful(keyword, value)) continue;
    tally.add(
      'malformed-keyword',
      pointer + toPointer([keyword]),
      `${JSON.stringify(keyword)} cannot be ${describeValue(value)}: the keyword is ignored`,
      keyword === 'required' ? LIST_REQUIRED : undefined,
    );
  }
}

const LIST_REQUIRED =
  'List the names of properties that are required in the schema of their object.';

/** Draft 4 has booleans for exclusive limits, and lists of `items`. */
function isMeaningful(keyword: string, value: JsonValue): boolean {
  switch (subschemaKeywords.get(keyword)) {
    case 'schema':
      return isSchema(value) || (keyword === 'items' && Array.isArray(value));
    case 'list':
      return Array.isArray(value) && value.length > 0 && value.every(isSchema);
    case 'map':
      return isJsonObject(value) && Object.values(value).every(isSchema);
    default:
      return (
        isWellTyped(keyword, value) ||
        (keyword.startsWith('exclusive') && typeof value === 'boolean')
      );
  }
}

/** Formats that are validated, or that every value of their type has. */
export const heldFormats: ReadonlySet<string> = new Set([
  ...numberFormats.keys(),
  ...internationalFormats.keys(),
  ...formatNames,
]);

/** Keywords of some dialect: JSON Schema's drafts from 4 on, and OpenAPI. */
export const knownKeywords: ReadonlySet<string> = new Set([
  ...subschemaKeywords.keys(),
  ...keywordTypes.keys(),
  ...passedOverKeywords,
  '$dynamicRef',
  '$recursiveAnchor',
  '$recursiveRef',
  '$ref',
  'const',
  'contentEncoding',
  'contentMediaType',
  'dependencies',
  'type',
]);

/** The types of JSON Schema Core §4.2.1 with `integer`, and OpenAPI 2.0's `file`. */
const knownTypes: ReadonlySet<JsonValue> = new Set([...schemaTypes, 'file']);

/** Keywords beside a `$ref` of OpenAPI 3.0 that change nothing when they are ignored. */
const idleKeywords: ReadonlySet<string> = new Set([
  '$comment',
  '$ref',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'summary',
  'title',
  'type',
  'xml',
]);

/** Finds features outside of schemas that the mock reads but does not enforce. */
export function createFeatureInspector({ document }: Contract): Inspector {
  const tally = new Tally(document);
  return {
    inspect(operation) {
      lookAtSecurity(tally, operation);
      for (const content of contentsOf(operation)) {
        lookAtContent(tally, document, content);
      }
    },
    *conclude(): Generator<Finding> {
      for (const { place } of document.entries) lookAtDialect(tally, document, place);
      yield* tally.findings();
    },
  };
}

function* contentsOf({ body, responses }: Operation): Generator<Content> {
  yield* body?.contents ?? [];
  for (const { contents } of responses.all) yield* contents;
}

function lookAtSecurity(tally: Tally, { security, pointer }: Operation): void {
  for (const scheme of security.flat()) {
    if (scheme.kind === 'mutualTLS') {
      tally.addUnsupported(
        pointer,
        `the certificate of ${JSON.stringify(scheme.name)} (mutualTLS) is not asked for`,
      );
    }
    if (scheme.kind === 'http') {
      tally.addUnsupported(
        pointer,
        `of a credential of the scheme ${JSON.stringify(scheme.scheme)} only the name of the scheme is checked`,
      );
    }
  }
}

/** Reports a media type whose bodies are not parsed, so that its schema is not enforced. */
function lookAtContent(tally: Tally, document: OpenAPIDocument, content: Content): void {
  const { mediaType, pointer, isValidated, schema } = content;
  const located = schema && document.resolve(schema.pointer);
  const types = isJsonObject(located?.value) ? [located.value['type'] ?? []].flat() : [];
  if (isValidated || types.every((type) => type === 'string' || type === 'file')) return;
  tally.addUnsupported(
    pointer,
    `bodies of ${mediaType} are passed on as bytes: their schema is not checked`,
  );
}

/** OAS 3.1 §4.8.24.5. */
const DIALECTS =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.*)#?$/;

function lookAtDialect(tally: Tally, document: OpenAPIDocument, root: Place): void {
  const place = `${root}/jsonSchemaDialect`;
  const dialect = document.at(place);
  if (typeof dialect !== 'string' || DIALECTS.test(dialect)) return;
  tally.addUnsupported(place, `schemas are read as JSON Schema 2020-12, and not as ${dialect}`);
}
