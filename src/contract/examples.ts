import type { OpenAPIDocument } from '../document/document.ts';
import { JsonError, parseJson } from '../json/parse.ts';
import { toPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Violation } from '../problem.ts';
import type { Schema } from './schema-compiler.ts';

/** An example of the document. */
export interface Example {
  /** Its key under `examples`; undefined for a lone `example`. */
  readonly name: string | undefined;
  readonly pointer: string;
  readonly value: JsonValue;
  /** As it is sent; worked out once, on first use. */
  readonly text: string;
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
 * @param schema that they are held against; undefined allows every value
 */
export function readExamples(
  document: OpenAPIDocument,
  pointer: string,
  schema: Schema | undefined,
  isJson: boolean,
): readonly Example[] {
  const create = (name: string | undefined, given: Given): Example =>
    createExample(name, given, schema, isJson);
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
  schema: Schema | undefined,
  isJson: boolean,
): Example {
  let text: string | undefined = serialized;
  let violations: readonly Violation[] | undefined;
  return Object.freeze({
    name,
    pointer,
    value,
    get text() {
      text ??= isJson || typeof value !== 'string' ? stringifyJson(value) : value;
      return text;
    },
    get violations() {
      violations ??= schema?.check(value, 'body') ?? [];
      return violations;
    },
  });
}
