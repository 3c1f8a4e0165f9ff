import type { OpenAPIDocument } from '../document/document.ts';
import { getMember, isJsonObject, type JsonValue } from '../json/value.ts';
import { NO_FIELDS } from '../problem.ts';
import type { Schema, SchemaCompiler } from './schema-compiler.ts';
import type { Skeletons } from './skeleton.ts';

/** The header fields that a response declares (Header Objects, OAS 3.1 §4.8.21). */
export interface HeaderFields {
  /** By lower-case name; undefined allows every value. */
  readonly schemas: ReadonlyMap<string, Schema | undefined>;
  /**
   * What every answer of this response carries: fields that are required, and fields that the
   * document has an example or a default of. Worked out once, on first use.
   */
  readonly sent: Readonly<Record<string, string>>;
}

/** @param response pointer of the Response Object */
export function readHeaderFields(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  skeletons: Skeletons,
  response: string,
): HeaderFields {
  const headers = document
    .members(`${response}/headers`)
    .map(([name, place]) => readHeader(document, schemas, name.toLowerCase(), place))
    // OAS 3.1 §4.8.17: a header of this name is ignored, the media type says it.
    .filter(({ name }) => name !== 'content-type');
  let sent: Readonly<Record<string, string>> | undefined;
  return Object.freeze({
    schemas: new Map(headers.map(({ name, schema }) => [name, schema])),
    get sent() {
      sent ??= headers.length === 0 ? NO_FIELDS : chooseFields(headers, skeletons);
      return sent;
    },
  });
}

interface Header {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema | undefined;
  /** What the document gives as its value, best first. */
  readonly given: readonly JsonValue[];
}

function readHeader(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  name: string,
  place: string,
): Header {
  const header = document.resolveObject(place);
  const pointer = header?.pointer ?? place;
  const isGiven = (value: JsonValue | undefined): value is JsonValue => value !== undefined;
  const examples = document
    .members(`${pointer}/examples`)
    .map(([, at]) => document.resolveObject(at)?.value)
    .map((example) => example && getMember(example, 'value'));
  const schema = document.resolve(`${pointer}/schema`);
  const own = isJsonObject(schema?.value) ? schema.value : {};
  return {
    name,
    isRequired: header?.value['required'] === true,
    schema: schema === undefined ? undefined : schemas.schemaAt(`${pointer}/schema`),
    given: [
      header && getMember(header.value, 'example'),
      ...examples,
      ...['example', 'const', 'default'].map((keyword) => getMember(own, keyword)),
    ].filter(isGiven),
  };
}

function chooseFields(
  headers: readonly Header[],
  skeletons: Skeletons,
): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const { name, isRequired, schema, given } of headers) {
    const candidates = isRequired ? [...given, skeletons.of(schema?.pointer)] : given;
    const value = candidates.find((one) => (schema?.check(one, 'header').length ?? 0) === 0);
    const text = value === undefined ? undefined : toFieldText(value);
    if (text !== undefined) fields[name] = text;
  }
  return Object.freeze(fields);
}

/** Style `simple` (OAS 3.1 §4.8.21); objects have none that is usual. */
function toFieldText(value: JsonValue): string | undefined {
  if (Array.isArray(value)) return value.map(String).join(',');
  return isJsonObject(value) || value === null ? undefined : String(value);
}
