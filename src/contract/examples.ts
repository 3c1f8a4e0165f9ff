import { tryParseJson } from '../base/json/parse.ts';
import { toPointer } from '../base/json/pointer.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Conversion } from '../schema/conversion.ts';
import type { Schema } from '../schema/schema-compiler.ts';

/** The Media Type Object of an example. */
export interface ExampleMedia {
  readonly isJson: boolean;
  readonly isValidated: boolean;
  /** The schema of values; undefined allows every value. */
  readonly schema: Schema | undefined;
  readonly withhold: Conversion;
  encode(value: JsonValue): string | Uint8Array;
  /** @returns the value of a text; undefined if it does not follow the media type */
  decodeText(text: string): JsonValue | undefined;
}

/** An example of the document. */
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

/** The value of an Example Object (OAS 3.2 §4.19). */
interface Given {
  readonly pointer: string;
  readonly value: JsonValue;
  /** Set if the document has the value as it is written. */
  readonly serialized?: string;
}

/**
 * Returns the examples of a Media Type Object in the order in which they are tried: `examples`,
 * `example`, then those of its schema.
 *
 * @param pointer of the Media Type Object
 */
export function readExamples(
  document: OpenAPIDocument,
  pointer: string,
  media: ExampleMedia,
): readonly Example[] {
  const { schema, isJson } = media;
  const create = (name: string | undefined, given: Given): Example =>
    createExample(name, given, media);
  const named = document.members(`${pointer}/examples`).flatMap(([name, place]) => {
    const example = document.resolveObject(place);
    const given = example && readExampleObject(document, example.value, example.pointer, isJson);
    return given === undefined ? [] : [create(name, given)];
  });
  const lone = [`${pointer}/example`, ...schemaExamples(document, schema?.pointer)].flatMap(
    (place) => {
      const value = document.at(place);
      return value === undefined ? [] : [create(undefined, { pointer: place, value })];
    },
  );
  return Object.freeze([...named, ...lone]);
}

/** Reads `dataValue` or `value`, and how it is written: `serializedValue` or `externalValue`. */
function readExampleObject(
  document: OpenAPIDocument,
  example: JsonObject,
  pointer: string,
  isJson: boolean,
): Given | undefined {
  const serialized = readSerialized(document, example, pointer);
  for (const member of ['dataValue', 'value']) {
    const value = getMember(example, member);
    if (value === undefined) continue;
    return {
      pointer: pointer + toPointer([member]),
      value,
      ...(serialized && { serialized: serialized.text }),
    };
  }
  if (serialized === undefined) return undefined;
  const value = isJson ? tryParseJson(serialized.text) : serialized.text;
  return value === undefined
    ? undefined
    : { pointer: pointer + toPointer([serialized.member]), value, serialized: serialized.text };
}

function readSerialized(
  document: OpenAPIDocument,
  example: JsonObject,
  pointer: string,
): { readonly member: string; readonly text: string } | undefined {
  const serialized = getMember(example, 'serializedValue');
  if (typeof serialized === 'string') return { member: 'serializedValue', text: serialized };
  const external = getMember(example, 'externalValue');
  if (typeof external !== 'string') return undefined;
  const text = document.textOf(external, pointer);
  return text === undefined ? undefined : { member: 'externalValue', text };
}

/** Returns where a schema may have examples, the best first (OAS 3.1 §4.8.24). */
export function schemaExamples(
  document: OpenAPIDocument,
  pointer: string | undefined,
): readonly string[] {
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

function createExample(
  name: string | undefined,
  { pointer, value, serialized }: Given,
  media: ExampleMedia,
): Example {
  let sent: ExampleAsSent | undefined;
  let violations: readonly Violation[] | undefined;
  const asSent = (): ExampleAsSent => {
    sent ??= serialized === undefined ? send(value, media) : { value, text: serialized };
    return sent;
  };
  return Object.freeze({
    name,
    pointer,
    value,
    get text() {
      return asSent().text;
    },
    get violations() {
      violations ??= validate(asSent(), media);
      return violations;
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
  return read === undefined || schema.check(read, 'body').length > 0 ? violations : [];
}
