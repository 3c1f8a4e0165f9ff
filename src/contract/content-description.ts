import { toPath } from '../base/json/pointer.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Description, PropertyEncoding } from '../media/codec.ts';
import { ANY_SHAPE, type Shape } from '../media/shape.ts';
import type { Style } from '../media/style.ts';
import type { Direction } from '../schema/message-direction.ts';
import { findTarget } from '../schema/references.ts';
import { createShape } from '../schema/schema-shape.ts';
import type { ContractSource } from './contract-source.ts';

/**
 * Returns what a codec needs to know about a Media Type Object.
 *
 * @param mediaType pointer of the object
 */
export function readDescription(
  { document, schemas }: ContractSource,
  mediaType: string,
  direction: Direction,
): Description {
  const isWhole = document.schemaAt(`${mediaType}/schema`) !== undefined;
  const place = `${mediaType}/${isWhole ? 'schema' : 'itemSchema'}`;
  const shape = createShape(schemas, place, direction);
  return {
    shape: isWhole || shape === ANY_SHAPE ? shape : listOf(shape),
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

/** Returns the encodings of parts without names, by index (OAS 3.2 §4.14.5). */
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

/** Returns the component that describes an element and names it in XML (OAS 3.1 §4.8.26.1). */
function rootNameOf(document: OpenAPIDocument, pointer: string): string {
  let place = pointer;
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    const [, component] = /\/(?:schemas|definitions)\/([^/]+)$/.exec(place) ?? [];
    if (component !== undefined) return toPath(`/${component}`)[0] ?? component;
    const value = document.schemaAt(place);
    const target =
      value === undefined ? undefined : findTarget(document, { value, pointer: place });
    if (target === undefined) break;
    place = target.pointer;
  }
  // Without a name, it is what Prism calls it.
  return 'xml';
}

const LONGEST_CHAIN = 20;
