import { parseJsonOrText, tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { NO_FIELDS } from '../http/message.ts';
import { decodeField } from '../http/query.ts';
import { readText, type Serialization, StyleFault, writeSimple } from '../media/style.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { createShape } from '../schema/schema-shape.ts';
import { type Content, readContents } from './content.ts';
import type { ContractSource } from './contract-source.ts';
import { schemaExamples } from './examples.ts';

/** A Response Object (OAS 3.1 §4.8.17) under its key: `200`, `4XX` or `default`. */
export interface DeclaredResponse {
  readonly key: string;
  readonly pointer: string;
  readonly contents: readonly Content[];
  /** Those of the contents whose items are sent one by one. */
  readonly streams: readonly Content[];
  readonly headers: HeaderFields;
}

/** The status of a response, and the declared response that allows it. */
export interface Declared {
  readonly status: number;
  readonly response: DeclaredResponse;
}

/** The Responses Object (OAS 3.1 §4.8.16) of one operation. */
export class Responses {
  readonly #byKey: ReadonlyMap<string, DeclaredResponse>;
  readonly all: readonly DeclaredResponse[];
  /** The response to a request without preferences; undefined if none is declared. */
  readonly success: Declared | undefined;

  /** @param isRead true for GET and HEAD */
  constructor(responses: readonly DeclaredResponse[], isRead: boolean) {
    this.all = Object.freeze([...responses]);
    this.#byKey = new Map(responses.map((response) => [response.key, response]));
    this.success = this.#findSuccess(isRead);
    Object.freeze(this);
  }

  /** Returns those of a final status (RFC 9110 §15), of a range the first; without `default`. */
  get finals(): readonly Declared[] {
    return this.all
      .map((response) => ({ status: Number(response.key.replace('XX', '00')), response }))
      .filter(({ status }) => status >= 200);
  }

  /** @param key a status, a range or `default`, as the document declares it */
  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  /** Returns the response for a status: its own, its range, or `default` (OAS 3.1 §4.8.16). */
  find(status: number): DeclaredResponse | undefined {
    return this.findSpecific(status) ?? this.#byKey.get('default');
  }

  /** As {@link find}, without `default`. */
  findSpecific(status: number): DeclaredResponse | undefined {
    return this.#byKey.get(String(status)) ?? this.#byKey.get(`${Math.floor(status / 100)}XX`);
  }

  /**
   * Returns the lowest 2xx, its range, `default`, or else a redirection, or what says that there is
   * no such service. Other errors alone leave the success of a write undeclared: not all responses
   * are known in advance (OAS 3.1 §4.8.16). A read responds with the first of them.
   */
  #findSuccess(isRead: boolean): Declared | undefined {
    const explicit = [...this.#byKey.keys()].filter((key) => /^2\d\d$/.test(key)).sort();
    const key =
      explicit[0] ??
      ['2XX', 'default'].find((name) => this.#byKey.has(name)) ??
      this.all.find(({ key: other }) => LASTING.test(other))?.key ??
      (isRead ? this.all.find(({ key: other }) => !other.startsWith('1'))?.key : undefined);
    const response = key === undefined ? undefined : this.#byKey.get(key);
    return response === undefined ? undefined : { status: statusOf(response.key), response };
  }
}

/** Redirections, and errors that speak of the operation and not of a request. */
const LASTING = /^(?:3|410$|426$|501$)/;

export function readResponses(source: ContractSource, operation: string): Responses {
  return new Responses(
    source.document
      .members(`${operation}/responses`)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, place]) => readResponse(source, key, place)),
    /\/(?:get|head)$/.test(operation),
  );
}

function readResponse(source: ContractSource, key: string, place: string): DeclaredResponse {
  const { document } = source;
  if (!/^(?:[1-5](?:\d\d|XX|xx)|default)$/.test(key)) {
    throw document.fail(
      place,
      `${JSON.stringify(key)} is no key of a response`,
      'The key of a response is a status such as 200, a range such as 4XX, or default.',
    );
  }
  const pointer = document.resolveObject(place)?.pointer ?? place;
  const headers = new HeaderFields(source, pointer);
  const contents = readContents(source, pointer, 'response');
  return Object.freeze({
    key: key.toUpperCase().replace('DEFAULT', 'default'),
    pointer,
    contents,
    streams: contents.filter(({ isStream }) => isStream),
    headers,
  });
}

/** Returns the status of a key, of a range the first. */
function statusOf(key: string): number {
  if (key === 'default') return 200;
  return Number(key.replace('XX', '00'));
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

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** RFC 9110 §5.5: no control characters, no space at the ends, nothing beyond Latin-1. */
const FIELD_VALUE = /^(?:[!-~\u0080-\u00FF](?:[\t -~\u0080-\u00FF]*[!-~\u0080-\u00FF])?)?$/;

/** The header fields that a response declares (Header Objects, OAS 3.1 §4.8.21). */
class HeaderFields {
  /** Schemas by lower-case name; undefined allows every value. */
  readonly schemas: ReadonlyMap<string, Schema | undefined>;
  readonly #headers: ReadonlyMap<string, Header>;
  #sent: Readonly<Record<string, string>> | undefined;

  /** @param response pointer of the Response Object */
  constructor(source: ContractSource, response: string) {
    const headers = source.document
      .members(`${response}/headers`)
      .map(([name, place]) => new Header(source, name.toLowerCase(), place))
      .filter(({ name }) => name !== 'content-type');
    this.#headers = new Map(headers.map((header) => [header.name, header]));
    this.schemas = new Map(headers.map(({ name, schema }) => [name, schema]));
  }

  /** The fields to send: required ones, and those with an example or a default in the document. */
  get sent(): Readonly<Record<string, string>> {
    this.#sent ??= this.#headers.size === 0 ? NO_FIELDS : this.#chooseTexts();
    return this.#sent;
  }

  /** Returns the violations of a field's text; none for a field that is not declared. */
  findViolations(name: string, text: string): readonly Violation[] {
    return this.#headers.get(name.toLowerCase())?.findViolations(text) ?? [];
  }

  #chooseTexts(): Readonly<Record<string, string>> {
    const fields = [...this.#headers.values()].flatMap((header) => {
      const { name } = header;
      const text = NOT_SENT.has(name) || !FIELD_NAME.test(name) ? undefined : header.chooseText();
      return text === undefined ? [] : [[name, text] as const];
    });
    return Object.freeze(Object.fromEntries(fields));
  }
}

class Header {
  /** Lower case. */
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly #isRequired: boolean;
  /** Style `simple`, the only one of header fields. */
  readonly #serialization: Serialization;
  /** True for a value that is JSON (`content`). */
  readonly #isJson: boolean;
  /** The values in the document, the best first. */
  readonly #given: readonly JsonValue[];
  readonly #findValues: ContractSource['findValues'];

  constructor({ document, schemas, findValues }: ContractSource, name: string, place: string) {
    const { pointer, value } = document.resolveObject(place) ?? { pointer: place, value: {} };
    const [content] = document.members(`${pointer}/content`).map(([, at]) => at);
    const at = `${content ?? pointer}/schema`;
    this.name = name;
    // A redirection, and a response to a create, need a location.
    this.#isRequired = value['required'] === true || name === 'location';
    this.schema = schemas.find(at, 'response');
    this.#serialization = {
      name,
      style: 'simple',
      explode: value['explode'] === true,
      shape: createShape(schemas, at, 'response'),
      decode: decodeField,
    };
    this.#isJson = content !== undefined;
    this.#given = [
      ...givenAt(document, pointer),
      ...(content === undefined ? [] : givenAt(document, content)),
      ...schemaExamples(document, at).map((one) => document.at(one)),
    ].filter(isGiven);
    this.#findValues = findValues;
  }

  /** Returns the text that is sent; undefined for a field that is left out. */
  chooseText(): string | undefined {
    const isSent = (text: string): boolean =>
      FIELD_VALUE.test(text) && this.findViolations(text).length === 0;
    const find = (values: readonly JsonValue[]) =>
      values.map((value) => this.#write(value)).find(isSent);
    const found = find(this.#given);
    if (found !== undefined || !this.#isRequired) return found;
    return find(this.schema === undefined ? ['string'] : this.#findValues(this.schema.pointer));
  }

  /** Validates a field after reading it as a client does. */
  findViolations(text: string): readonly Violation[] {
    if (this.schema === undefined) return [];
    const pointer = `/${this.name}`;
    const value = this.#isJson ? parseJsonOrText(text) : readText(text, this.#serialization);
    if (value instanceof StyleFault) return [value.at('header', pointer)];
    return this.schema.check(value, 'header', pointer);
  }

  #write(value: JsonValue): string {
    if (!this.#isJson) return writeSimple(value, this.#serialization.explode);
    const isWritten = typeof value === 'string' && tryParseJson(value) !== undefined;
    return isWritten ? value : stringifyJson(value);
  }
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
