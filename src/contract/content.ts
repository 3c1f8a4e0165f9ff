import type { OpenAPIDocument } from '../document/document.ts';
import { coverage, isJsonMediaType } from '../http/media-type.ts';
import type { JsonValue } from '../json/value.ts';
import { type Example, readExamples } from './examples.ts';
import { compileProjection, type Projection } from './projection.ts';
import type { Schema, SchemaCompiler } from './schema-compiler.ts';

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
    examples: readExamples(document, pointer, isJudged ? schema : undefined, isJson),
    project: (value: JsonValue) => {
      projection ??= compileProjection(document, schema?.pointer);
      return projection(value);
    },
  });
}
