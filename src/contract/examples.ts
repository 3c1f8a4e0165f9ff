import { JsonError, parseJson } from '../base/json/parse.ts';
import { toPointer } from '../base/json/pointer.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Conversion } from '../schema/conversion.ts';
import type { Schema } from '../schema/schema-compiler.ts';

/** What an example is an example of: the Media Type Object that it stands in. */
export interface ExampleMedia {
  readonly isJson: boolean;
  readonly isJudged: boolean;
  /** Undefined allows every value. */
  readonly schema: Schema | undefined;
  readonly withhold: Conversion;
  encode(value: JsonValue): string | Uint8Array;
  /** @returns the value that a text says; undefined when it is not of the media type */
  decodeText(text: string): JsonValue | undefined;
}

/** An example of the document. */
export interface Example {
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  readonly pointer: string;
  readonly value: JsonValue;
  /** As it is sent; worked out once, on first use. */
  readonly text: string | Uint8Array;
  /** What is wrong with it under its own schema; worked out once, on first use. */
  readonly violations: readonly Violation[];
}

/** What an Example Object (OAS 3.2 §4.19) gives. */
interface Given {
  readonly pointer: string;
  readonly value: JsonValue;
  /** Set where the document says how the value is written. */
  readonly serialized?: string;
}

/**
 * The examples of a Media Type Object, in the order in which they are tried: `examples`, `example`,
 * then what its schema gives.
 *
 * @param pointer of the Media Type Object
 * @param media that says how they are written and what they are held against
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

/** `value`, `dataValue`, and what is written out: `serializedValue`, `externalValue`. */
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
  const value = isJson ? readJson(serialized.text) : serialized.text;
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

function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Where a schema gives values of its own, best first (OAS 3.1 §4.8.24); none need be there. */
function schemaExamples(document: OpenAPIDocument, pointer: string | undefined): readonly string[] {
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
      violations ??= judge(asSent(), media);
      return violations;
    },
  });
}

/** How an example goes out, and the value that it then says; undefined for what nobody can tell. */
interface ExampleAsSent {
  readonly value: JsonValue | undefined;
  readonly text: string | Uint8Array;
}

function send(example: JsonValue, media: ExampleMedia): ExampleAsSent {
  const value = media.withhold(example);
  if (media.isJson) return { value, text: stringifyJson(value) };
  if (typeof value !== 'string') return { value, text: media.encode(value) };
  // What is a text already is how somebody has written the value.
  const text = media.encode(value);
  return { value: text === value ? media.decodeText(value) : value, text };
}

function judge({ value, text }: ExampleAsSent, media: ExampleMedia): readonly Violation[] {
  const { schema, isJson, isJudged } = media;
  if (value === undefined || schema === undefined) return [];
  if (typeof value === 'string' && !isJudged) return [];
  const violations = schema.check(value, 'body');
  if (violations.length === 0 || isJson || typeof text !== 'string') return violations;
  // A form and XML write the text "12" and the number 12 alike: who reads it sees what is meant.
  const read = media.decodeText(text);
  return read === undefined || schema.check(read, 'body').length > 0 ? violations : [];
}
