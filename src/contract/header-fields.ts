import { tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { NO_FIELDS } from '../http/message.ts';
import { decodeField } from '../http/query.ts';
import { readText, type Serialization, StyleFault } from '../media/style.ts';
import { writeSimple } from '../media/style-writing.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { createShape } from '../schema/schema-shape.ts';
import type { ContractSource } from './contract-source.ts';
import { schemaExamples } from './examples.ts';

/** The header fields that a response declares (Header Objects, OAS 3.1 §4.8.21). */
export interface HeaderFields {
  /** Schemas by lower-case name; undefined allows every value. */
  readonly schemas: ReadonlyMap<string, Schema | undefined>;
  /**
   * The fields to send: required ones, and those with an example or a default in the document.
   * Computed once, on first use.
   */
  readonly sent: Readonly<Record<string, string>>;
  /** @returns the violations of a field's text; none for a field that is not declared */
  findViolations(name: string, text: string): readonly Violation[];
}

/**
 * Fields that are not sent even if the document declares them: those that frame a message
 * (RFC 9110 §7.6.1, RFC 9112 §6), and Content-Type, which is that of the media type
 * (OAS 3.1 §4.8.17).
 */
const NOT_SENT = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Returns the header fields of a response.
 *
 * @param response pointer of the Response Object
 */
export function readHeaderFields(source: ContractSource, response: string): HeaderFields {
  const headers = source.document
    .members(`${response}/headers`)
    .map(([name, place]) => readHeader(source, name.toLowerCase(), place))
    .filter(({ name }) => name !== 'content-type');
  const byName = new Map(headers.map((header) => [header.name, header]));
  let sent: Readonly<Record<string, string>> | undefined;
  return Object.freeze({
    schemas: new Map(headers.map(({ name, schema }) => [name, schema])),
    get sent() {
      sent ??= headers.length === 0 ? NO_FIELDS : chooseFields(headers, source);
      return sent;
    },
    findViolations: (name: string, text: string) => {
      const header = byName.get(name.toLowerCase());
      return header === undefined ? [] : validate(header, text);
    },
  });
}

interface Header {
  /** Lower case. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema | undefined;
  /** Style `simple`, the only one of header fields. */
  readonly serialization: Serialization;
  /** True for a value that is JSON (`content`). */
  readonly isJson: boolean;
  /** The values in the document, the best first. */
  readonly given: readonly JsonValue[];
}

function readHeader({ document, schemas }: ContractSource, name: string, place: string): Header {
  const header = document.resolveObject(place);
  const pointer = header?.pointer ?? place;
  const [content] = document.members(`${pointer}/content`).map(([, at]) => at);
  const owner = content ?? pointer;
  const at = `${owner}/schema`;
  return {
    name,
    // A redirection, and a response to a create, need a location.
    isRequired: header?.value['required'] === true || name === 'location',
    schema: schemas.find(at, 'response'),
    serialization: {
      name,
      style: 'simple',
      explode: header?.value['explode'] === true,
      shape: createShape(schemas, at, 'response'),
      decode: decodeField,
    },
    isJson: content !== undefined,
    given: [
      ...givenAt(document, pointer),
      ...(content === undefined ? [] : givenAt(document, content)),
      ...schemaExamples(document, at).map((place) => document.at(place)),
    ].filter(isGiven),
  };
}

/** Returns the values of `example` and `examples`. */
function givenAt(document: OpenAPIDocument, owner: string): readonly JsonValue[] {
  const examples = document
    .members(`${owner}/examples`)
    .map(([, at]) => document.resolveObject(at)?.value)
    .map((example) => {
      const members = ['dataValue', 'value', 'serializedValue'];
      return example && members.map((member) => getMember(example, member)).find(isGiven);
    });
  return [document.at(`${owner}/example`), ...examples].filter(isGiven);
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined;
}

function chooseFields(
  headers: readonly Header[],
  source: ContractSource,
): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const header of headers) {
    const { name, isRequired, given } = header;
    if (NOT_SENT.has(name) || !FIELD_NAME.test(name)) continue;
    const isSent = (one: string): boolean =>
      FIELD_VALUE.test(one) && validate(header, one).length === 0;
    const found = given.map((value) => write(header, value)).find(isSent);
    const text = found ?? (isRequired ? makeUp(header, source, isSent) : undefined);
    if (text !== undefined) fields[name] = text;
  }
  return Object.freeze(fields);
}

function makeUp(
  header: Header,
  { findValues }: ContractSource,
  isSent: (text: string) => boolean,
): string | undefined {
  const { schema } = header;
  const values = schema === undefined ? ['string'] : findValues(schema.pointer);
  return values.map((value) => write(header, value)).find(isSent);
}

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** RFC 9110 §5.5: no control characters, no space at the ends, nothing beyond Latin-1. */
const FIELD_VALUE = /^(?:[!-~\u0080-\u00FF](?:[\t -~\u0080-\u00FF]*[!-~\u0080-\u00FF])?)?$/;

function write({ isJson, serialization }: Header, value: JsonValue): string {
  if (!isJson) return writeSimple(value, serialization.explode);
  return typeof value === 'string' && tryParseJson(value) !== undefined
    ? value
    : stringifyJson(value);
}

/** Validates a field after reading it as a client does. */
function validate(
  { name, schema, serialization, isJson }: Header,
  text: string,
): readonly Violation[] {
  if (schema === undefined) return [];
  const value = isJson ? (tryParseJson(text) ?? text) : readText(text, serialization);
  if (!(value instanceof StyleFault)) return schema.check(value, 'header', `/${name}`);
  const { expected, got } = value;
  const message = `header/${name} must ${expected}, got ${got}`;
  return [{ in: 'header', pointer: `/${name}`, keyword: 'style', expected, got, message }];
}
