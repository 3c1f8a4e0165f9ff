import type { JsonValue } from '../base/json/value.ts';
import { Problem, type Violation } from '../base/problem.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { coverage, isJsonMediaType } from '../http/media-type.ts';
import type { Codec, ContentType } from '../media/codec.ts';
import { createCodec } from '../media/codecs.ts';
import { concreteMediaType, readContentType } from '../media/content-type.ts';
import { type Conversion, compileProjection, compileWithholding } from '../schema/conversion.ts';
import type { Direction } from '../schema/message-direction.ts';
import type { Schema, SchemaCompiler } from '../schema/schema-compiler.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { readDescription } from './content-description.ts';
import { type Example, type ExampleMedia, readExamples } from './examples.ts';

/** A Media Type Object (OAS 3.1 §4.8.14). */
export interface Content {
  /** As declared: with parameters, or a range such as `application/*`. */
  readonly mediaType: string;
  readonly pointer: string;
  /** The Content-Type of an answer: never a range, and with the parameters that a reader needs. */
  readonly sentAs: string;
  readonly isJson: boolean;
  /** True for a body that is read as a value its schema can judge. */
  readonly isJudged: boolean;
  /** Undefined allows every value. */
  readonly schema: Schema | undefined;
  readonly examples: readonly Example[];
  /** Keeps of a value what the schema declares, and what an answer carries. */
  readonly project: Conversion;
  /** Leaves out what a message of its direction does not carry. */
  readonly withhold: Conversion;
  /** @returns what reads a body of a media type that this covers, and writes an answer */
  codecFor(type: ContentType): Codec;
  /** @returns a value as an answer has it */
  encode(value: JsonValue): string | Uint8Array;
  /** @returns the same for one media type of the range that is declared */
  as(mediaType: string): Content;
}

/**
 * The `content` of a request body or a response, in the document's order. A key that is no media
 * type is passed over.
 *
 * @param owner pointer of the object that has `content`
 */
export function readContents(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  owner: string,
  direction: Direction = 'request',
): readonly Content[] {
  return document
    .members(`${owner}/content`)
    .filter(([key]) => /^\s*[^\s/;]+\/[^\s/;]+/.test(key))
    .map(([mediaType, pointer]) => new MediaType(document, schemas, mediaType, pointer, direction));
}

/**
 * @returns the content that covers a media type most specifically, its parameters among it;
 *   undefined when none does
 */
export function findContent(
  contents: readonly Content[],
  { type, parameters }: ContentType,
): Content | undefined {
  let best: Content | undefined;
  let closest = 0;
  for (const content of contents) {
    const kind = coverage(content.mediaType, type);
    if (kind === 0) continue;
    const closeness = kind + closenessOfParameters(content.mediaType, parameters);
    if (closeness > closest) {
      best = content;
      closest = closeness;
    }
  }
  return best;
}

/** Parameters tell apart what is otherwise the same; one that is declared need not be sent. */
function closenessOfParameters(declared: string, parameters: ContentType['parameters']): number {
  if (!declared.includes(';')) return 0;
  const wanted = [...readContentType(declared).parameters];
  const isMet = wanted.every(([name, value]) => parameters.get(name) === value);
  return isMet ? 0.5 : -0.5;
}

class MediaType implements Content, ExampleMedia {
  readonly mediaType: string;
  readonly pointer: string;
  readonly isJson: boolean;
  readonly schema: Schema | undefined;
  readonly #document: OpenAPIDocument;
  readonly #schemas: SchemaCompiler;
  readonly #direction: Direction;
  readonly #codecs = new Map<string, Codec>();
  readonly #concrete: string;
  readonly examples: readonly Example[];
  #project: Conversion | undefined;
  #withhold: Conversion | undefined;

  constructor(
    document: OpenAPIDocument,
    schemas: SchemaCompiler,
    mediaType: string,
    pointer: string,
    direction: Direction,
  ) {
    // A Media Type Object may be a reference (OAS 3.2 §4.14).
    this.pointer = document.resolve(pointer)?.pointer ?? pointer;
    this.mediaType = mediaType;
    this.#document = document;
    this.#schemas = schemas;
    this.#direction = direction;
    this.#concrete = concreteMediaType(mediaType);
    this.isJson = isJsonMediaType(this.#concrete);
    const place = `${this.pointer}/schema`;
    this.schema =
      document.schemaAt(place) === undefined
        ? schemaOfItems(document, schemas, this.pointer, direction)
        : schemas.schemaAt(place, direction);
    this.examples = readExamples(document, this.pointer, this);
  }

  get isJudged(): boolean {
    return this.isJson || this.#codec.isJudged;
  }

  get sentAs(): string {
    if (this.isJson) return this.#concrete;
    const { parameter } = this.#codec;
    return parameter === undefined ? this.#concrete : `${this.#concrete}; ${parameter}`;
  }

  get withhold(): Conversion {
    this.#withhold ??= compileWithholding(this.#node, this.#direction);
    return this.#withhold;
  }

  get project(): Conversion {
    this.#project ??= this.#compileProjection();
    return this.#project;
  }

  codecFor({ type }: ContentType): Codec {
    return this.#codecOf(this.mediaType.includes('*') ? type : this.#concrete);
  }

  encode(value: JsonValue): string | Uint8Array {
    return this.#codec.encode(value);
  }

  as(mediaType: string): Content {
    return new MediaType(this.#document, this.#schemas, mediaType, this.pointer, this.#direction);
  }

  decodeText(text: string): JsonValue | undefined {
    try {
      return this.#codec.decode(Buffer.from(text), readContentType(this.sentAs));
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }

  get #node(): SchemaNode | undefined {
    return this.#schemas.nodes.at(this.schema?.pointer);
  }

  get #codec(): Codec {
    return this.#codecOf(this.#concrete);
  }

  #codecOf(type: string): Codec {
    const known = this.#codecs.get(type);
    if (known !== undefined) return known;
    const description = readDescription(
      this.#document,
      this.#schemas,
      this.pointer,
      this.#direction,
    );
    const codec = createCodec(type, description);
    this.#codecs.set(type, codec);
    return codec;
  }

  #compileProjection(): Conversion {
    const project = compileProjection(this.#node);
    const { withhold } = this;
    return (value) => withhold(project(value));
  }
}

/**
 * Judges a body that is written already, as whoever receives it reads it.
 *
 * @returns what of it the contract does not allow; nothing where no schema can judge such a body
 */
export function judgeWritten(content: Content, written: string | Uint8Array): readonly Violation[] {
  const { schema, isJudged, sentAs } = content;
  if (schema === undefined || !isJudged) return [];
  const type = readContentType(sentAs);
  try {
    return schema.check(content.codecFor(type).decode(Buffer.from(written), type), 'body');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `the body is not ${sentAs}: ${error.message}`;
    return [{ in: 'body', pointer: '', keyword: 'type', expected: sentAs, got: '', message }];
  }
}

/**
 * The schema of a sequential media type that only describes its items (`itemSchema`,
 * OAS 3.2 §4.14.3): each item of a list is held against it, and so is a single value.
 *
 * @param mediaType pointer of the Media Type Object
 * @returns undefined where it has none
 */
export function schemaOfItems(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  mediaType: string,
  direction: Direction,
): Schema | undefined {
  const place = `${mediaType}/itemSchema`;
  if (document.schemaAt(place) === undefined) return undefined;
  const item = schemas.schemaAt(place, direction);
  return Object.freeze({
    pointer: place,
    check: (value, location, at = '') =>
      Array.isArray(value)
        ? value.flatMap((one, index) => item.check(one, location, `${at}/${index}`))
        : item.check(value, location, at),
  } satisfies Schema);
}
