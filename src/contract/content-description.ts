import { toPath } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Description, PropertyEncoding } from '../media/codec.ts';
import { ANY_SHAPE, type Shape } from '../media/shape.ts';
import type { Style } from '../media/style.ts';
import type { Direction } from '../schema/message-direction.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';
import { createShape } from '../schema/schema-shape.ts';

/**
 * What a codec needs to know of a Media Type Object.
 *
 * @param mediaType its pointer
 */
export function readDescription(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  mediaType: string,
  direction: Direction,
): Description {
  const isWhole = document.schemaAt(`${mediaType}/schema`) !== undefined;
  const place = `${mediaType}/${isWhole ? 'schema' : 'itemSchema'}`;
  const hasSchema = document.schemaAt(place) !== undefined;
  const shape = createShape(schemas, hasSchema ? place : undefined, direction);
  return {
    shape: isWhole || !hasSchema ? shape : listOf(shape),
    encodings: new Map([
      ...document
        .members(`${mediaType}/encoding`)
        .map(([name, at]) => [name, readEncoding(document, at)] as const),
      ...prefixEncodings(document, mediaType),
    ]),
    itemEncoding: document.resolveObject(`${mediaType}/itemEncoding`)
      ? readEncoding(document, `${mediaType}/itemEncoding`)
      : undefined,
    rootName: rootNameOf(document, place),
  };
}

/** Encodings of parts that have no names, by their place (OAS 3.2 §4.14.5). */
function prefixEncodings(
  document: OpenAPIDocument,
  mediaType: string,
): readonly (readonly [index: string, encoding: PropertyEncoding])[] {
  const list = document.at(`${mediaType}/prefixEncoding`);
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => [
    String(index),
    readEncoding(document, `${mediaType}/prefixEncoding/${index}`),
  ]);
}

function listOf(item: Shape): Shape {
  return { ...ANY_SHAPE, types: new Set(['array']), item: () => item };
}

const STYLES: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

function readEncoding(document: OpenAPIDocument, pointer: string): PropertyEncoding {
  const encoding: JsonObject = document.resolveObject(pointer)?.value ?? {};
  const { contentType, explode } = encoding;
  const style = STYLES.find((one) => one === encoding['style']);
  return {
    ...(typeof contentType === 'string' && { contentType }),
    ...(style !== undefined && { style }),
    ...(typeof explode === 'boolean' && { explode }),
    ...(encoding['allowReserved'] === true && { allowReserved: true }),
    requiredHeaders: document
      .members(`${pointer}/headers`)
      .filter(([, at]) => document.resolveObject(at)?.value['required'] === true)
      .map(([name]) => name.toLowerCase())
      .filter((name) => name !== 'content-type'),
  };
}

/** XML names an element after the component that describes it (OAS 3.1 §4.8.26.1). */
function rootNameOf(document: OpenAPIDocument, pointer: string): string {
  let place = pointer;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    const [, component] = /\/(?:schemas|definitions)\/([^/]+)$/.exec(place) ?? [];
    if (component !== undefined) return toPath(`/${component}`)[0] ?? component;
    const schema = document.schemaAt(place);
    const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
    if (typeof reference !== 'string') break;
    place = document.pointerOf(reference, place);
  }
  // Where nothing names it, Prism's name is as good as any.
  return 'xml';
}

const LONGEST_CHAIN = 20;
