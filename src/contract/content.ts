import type { OpenAPIDocument } from '../document/document.ts';
import { coverage, isJsonMediaType } from '../http/media-type.ts';
import { toPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { Violation } from '../problem.ts';
import { compileProjection, type Projection } from './projection.ts';
import type { Schema, SchemaCompiler } from './schema-compiler.ts';

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

/** A Media Type Object (OAS 3.1 §4.8.14). */
export interface Content {
  /** As declared: with parameters, or a range such as `application/*`. */
  readonly mediaType: string;
  readonly pointer: string;
  readonly isJson: boolean;
  /** True for a body that is read as a value its schema can judge: JSON, or a text. */
  readonly isJudged: boolean;
  /** Undefined allows every value. */
  readonly schema: Schema | undefined;
  readonly examples: readonly Example[];
  /** Keeps of a value what the schema declares. */
  readonly project: Projection;
}

/**
 * The `content` of a request body or a response, in the document's order.
 *
 * @param owner pointer of the object that has `content`
 */
export function readContents(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  owner: string,
): readonly Content[] {
  return document
    .members(`${owner}/content`)
    .map(([mediaType, pointer]) => readContent(document, schemas, mediaType, pointer));
}

/** @returns the content that covers a media type most specifically; undefined when none does */
export function findContent(contents: readonly Content[], mediaType: string): Content | undefined {
  let best: Content | undefined;
  let closest = 0;
  for (const content of contents) {
    const closeness = coverage(content.mediaType, mediaType);
    if (closeness > closest) {
      best = content;
      closest = closeness;
    }
  }
  return best;
}

function readContent(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  mediaType: string,
  pointer: string,
): Content {
  const place = `${pointer}/schema`;
  const schema = document.at(place) === undefined ? undefined : schemas.schemaAt(place);
  const isJson = isJsonMediaType(mediaType);
  const isJudged = isJson || mediaType.toLowerCase().startsWith('text/');
  let projection: Projection | undefined;
  return Object.freeze({
    mediaType,
    pointer,
    isJson,
    isJudged,
    schema,
    examples: readExamples(document, isJudged ? schema : undefined, pointer, isJson),
    project: (value: JsonValue) => {
      projection ??= compileProjection(document, schema?.pointer);
      return projection(value);
    },
  });
}

function readExamples(
  document: OpenAPIDocument,
  schema: Schema | undefined,
  pointer: string,
  isJson: boolean,
): readonly Example[] {
  const examples: Example[] = [];
  const add = (name: string | undefined, place: string): void => {
    const value = document.at(place);
    if (value !== undefined) examples.push(createExample(name, place, value, schema, isJson));
  };
  for (const [name, place] of document.members(`${pointer}/examples`)) {
    const example = document.resolveObject(place);
    if (example !== undefined) add(name, `${example.pointer}/value`);
  }
  add(undefined, `${pointer}/example`);
  if (schema !== undefined) addSchemaExamples(document, schema.pointer, add);
  return Object.freeze(examples);
}

/** A schema's own examples stand behind those of the media type (OAS 3.1 §4.8.24). */
function addSchemaExamples(
  document: OpenAPIDocument,
  pointer: string,
  add: (name: string | undefined, place: string) => void,
): void {
  const schema = document.resolve(pointer);
  if (schema === undefined || !isJsonObject(schema.value)) return;
  const list = schema.value['examples'];
  if (Array.isArray(list)) {
    for (const index of list.keys())
      add(undefined, schema.pointer + toPointer(['examples', index]));
  }
  add(undefined, `${schema.pointer}/example`);
}

function createExample(
  name: string | undefined,
  pointer: string,
  value: JsonValue,
  schema: Schema | undefined,
  isJson: boolean,
): Example {
  let text: string | undefined;
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
