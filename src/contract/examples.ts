import { tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import { once } from '../base/remember.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import type { Schema } from '../schema/schema-compiler.ts';

export interface ExampleMedia {
  readonly isJson: boolean;
  readonly isValidated: boolean;
  /** The schema of values; undefined allows every value. */
  readonly schema: Schema | undefined;
  withhold(value: JsonValue): JsonValue;
  encode(value: JsonValue): string | Uint8Array;
  /** Returns the value of a text; undefined if it does not follow the media type. */
  decodeText(text: string): JsonValue | undefined;
}

export interface Example {
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  readonly pointer: string;
  readonly value: JsonValue;
  /** As it is sent; computed once, on first use. */
  readonly text: string | Uint8Array;
  /** Its violations of its schema; computed once, on first use. */
  readonly violations: readonly Violation[];
}

/** A value in the document. */
interface Given {
  readonly name?: string;
  readonly pointer: string;
  readonly value: JsonValue;
  /** Set if the document has the value as it is written. */
  readonly serialized?: string;
}

/**
 * Returns the examples of a Media Type Object in the order in which they are tried: `examples`,
 * `example`, then those of its schema.
 */
export function readExamples(document: OpenAPIDocument, pointer: Place, media: ExampleMedia) {
  const named = document.members(`${pointer}/examples`).flatMap(([name, place]) => {
    const example = document.resolveObject(place);
    const given = example && readExampleObject(document, example, media.isJson);
    return given === undefined ? [] : [{ name, ...given }];
  });
  const places = [`${pointer}/example`, ...schemaExamples(document, media.schema?.pointer)];
  const lone = places.flatMap((place): readonly Given[] => {
    const value = document.at(place);
    return value === undefined ? [] : [{ pointer: place, value }];
  });
  return [...named, ...lone].map((given) => createExample(given, media));
}

type ExampleObject = Located<JsonObject>;

/**
 * Reads `dataValue` or `value` of an Example Object (OAS 3.2 §4.19), and how it is written:
 * `serializedValue` or `externalValue`.
 */
function readExampleObject(document: OpenAPIDocument, example: ExampleObject, isJson: boolean) {
  const { pointer, value: object } = example;
  const written = readWritten(document, example);
  for (const member of ['dataValue', 'value']) {
    const value = getMember(object, member);
    if (value !== undefined) return { pointer: `${pointer}/${member}`, value, ...written?.text };
  }
  if (written === undefined) return undefined;
  const { serialized } = written.text;
  const value = isJson ? tryParseJson(serialized) : serialized;
  return value === undefined
    ? undefined
    : { pointer: `${pointer}/${written.member}`, value, serialized };
}

function readWritten(document: OpenAPIDocument, { pointer, value: object }: ExampleObject) {
  const own = getMember(object, 'serializedValue');
  if (typeof own === 'string') return { member: 'serializedValue', text: { serialized: own } };
  const external = getMember(object, 'externalValue');
  if (typeof external !== 'string') return undefined;
  const text = document.textOf(external, pointer);
  return text === undefined ? undefined : { member: 'externalValue', text: { serialized: text } };
}

/** Returns where a schema may have examples, the best first (OAS 3.1 §4.8.24). */
export function schemaExamples(document: OpenAPIDocument, pointer?: Place): readonly Place[] {
  const schema = pointer === undefined ? undefined : document.resolve(pointer);
  if (schema === undefined || !isJsonObject(schema.value)) return [];
  const { value, pointer: at } = schema;
  const list = value['examples'];
  return [
    ...(Array.isArray(list) ? list.map((_, index) => `${at}/examples/${index}`) : []),
    ...['example', 'const', 'default'].map((keyword) => `${at}/${keyword}`),
    ...(Array.isArray(value['enum']) ? [`${at}/enum/0`] : []),
  ];
}

function createExample({ name, pointer, value, serialized }: Given, media: ExampleMedia): Example {
  const asSent = once(
    (): ExampleAsSent =>
      serialized === undefined ? send(value, media) : { value, text: serialized },
  );
  const violations = once(() => validate(asSent(), media));
  return Object.freeze({
    name,
    pointer,
    value,
    get text() {
      return asSent().text;
    },
    get violations() {
      return violations();
    },
  });
}

/** An example as it is sent, and the value that it then has; undefined if it cannot be read. */
interface ExampleAsSent {
  readonly value: JsonValue | undefined;
  readonly text: string | Uint8Array;
}

function send(example: JsonValue, media: ExampleMedia): ExampleAsSent {
  const value = media.withhold(example);
  if (media.isJson) return { value, text: stringifyJson(value) };
  if (typeof value !== 'string') return { value, text: media.encode(value) };
  // A text may be the value as it is written.
  const text = media.encode(value);
  return { value: text === value ? media.decodeText(value) : value, text };
}

function validate({ value, text }: ExampleAsSent, media: ExampleMedia): readonly Violation[] {
  const { schema, isJson, isValidated } = media;
  if (value === undefined || schema === undefined) return [];
  if (typeof value === 'string' && !isValidated) return [];
  const violations = schema.check(value, 'body');
  if (violations.length === 0 || isJson || typeof text !== 'string') return violations;
  // Forms and XML write the text "12" and the number 12 alike, so it is validated as it is read.
  const read = media.decodeText(text);
  return read === undefined || !schema.accepts(read) ? violations : [];
}
