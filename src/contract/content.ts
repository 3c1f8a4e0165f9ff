import { toPath } from '../base/json/pointer.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { Problem, type Violation } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { areRelated, coverage, isJsonMediaType } from '../http/media-type.ts';
import type { Codec, ContentType, Description, PropertyEncoding } from '../media/codec.ts';
import { createCodec } from '../media/codecs.ts';
import { concreteMediaType, readContentType } from '../media/content-type.ts';
import { isSequential } from '../media/sequence-codec.ts';
import { ANY_SHAPE, type Shape } from '../media/shape.ts';
import type { Style } from '../media/style.ts';
import { type Conversion, compileProjection, compileWithholding } from '../schema/conversion.ts';
import { discriminatingProperty } from '../schema/discriminator.ts';
import type { Direction } from '../schema/message-direction.ts';
import { MOST_ERRORS } from '../schema/recursion.ts';
import { findTarget } from '../schema/references.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { createShape } from '../schema/schema-shape.ts';
import type { ContractSource } from './contract-source.ts';
import { type Example, type ExampleMedia, readExamples } from './examples.ts';

/**
 * Returns the `content` of a request body or a response, in the document's order. A key that is no
 * media type is ignored.
 */
export function readContents(
  source: ContractSource,
  owner: string,
  direction: Direction = 'request',
): readonly Content[] {
  return source.document
    .members(`${owner}/content`)
    .filter(([key]) => /^\s*[^\s/;]+\/[^\s/;]+/.test(key))
    .map(([mediaType, pointer]) => new Content(source, mediaType, pointer, direction));
}

/** Returns the names of the examples that have one. */
export function exampleNames(contents: readonly Content[]): string[] {
  return contents.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
}

/**
 * Returns the content that covers a media type and its parameters most specifically; undefined if
 * none does.
 */
export function findContent(contents: readonly Content[], contentType: ContentType) {
  const { type, parameters } = contentType;
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

/**
 * Like {@link findContent}; otherwise returns the content whose media type is related, if all such
 * contents have one schema. Arbitrary bytes, if nothing else is declared, may be of any media type
 * (RFC 2046 §4.5.1).
 */
export function findReadable(contents: readonly Content[], contentType: ContentType) {
  const content = findContent(contents, contentType);
  if (content !== undefined) return content;
  const [only, other] = contents;
  if (only?.mediaType === 'application/octet-stream' && other === undefined) return only;
  const related = contents.filter((one) => one.isRelatedTo(contentType.type));
  const isOneSchema = new Set(related.map(({ schemaIdentity }) => schemaIdentity)).size === 1;
  return isOneSchema ? related[0] : undefined;
}

/** Prefers equal parameters among equal media types; a declared parameter need not be sent. */
function closenessOfParameters(declared: string, parameters: ContentType['parameters']): number {
  if (!declared.includes(';')) return 0;
  const wanted = [...readContentType(declared).parameters];
  const isMet = wanted.every(([name, value]) => parameters.get(name) === value);
  return isMet ? 0.5 : -0.5;
}

/** A Media Type Object (OAS 3.1 §4.8.14). */
export class Content implements ExampleMedia {
  /** As declared: with parameters, or a range such as `application/*`. */
  readonly mediaType: string;
  readonly pointer: string;
  readonly isJson: boolean;
  /** True for a sequential media type, whose items are sent one by one. */
  readonly isStream: boolean;
  /** The schema of bodies; undefined allows every value. */
  readonly schema: Schema | undefined;
  /** The schema of each item of a sequential media type (OAS 3.2 §4.14.3). */
  readonly item: Schema | undefined;
  readonly #source: ContractSource;
  readonly #direction: Direction;
  readonly #codecs = new Map<string, Codec>();
  readonly #concrete: string;
  readonly examples: readonly Example[];
  #project: Conversion | undefined;
  #withhold: Conversion | undefined;

  constructor(source: ContractSource, mediaType: string, pointer: string, direction: Direction) {
    const { document, schemas } = source;
    // A Media Type Object may be a reference (OAS 3.2 §4.14).
    this.pointer = document.resolve(pointer)?.pointer ?? pointer;
    this.mediaType = mediaType;
    this.#source = source;
    this.#direction = direction;
    this.#concrete = concreteMediaType(mediaType);
    this.isJson = isJsonMediaType(this.#concrete);
    this.isStream = isSequential(this.#concrete);
    const item = findItem(source, this.pointer, this.#concrete);
    this.item = item && schemas.schemaAt(item.place, direction);
    const whole = schemas.find(`${this.pointer}/schema`, direction);
    this.schema = item?.isAlone
      ? this.item && validateItems(this.item)
      : hasNoArray(mediaType, schemas.nodes.at(whole?.pointer))
        ? undefined
        : whole;
    this.examples = readExamples(document, this.pointer, this);
  }

  /** True if bodies are parsed to values that the schema can validate. */
  get isValidated(): boolean {
    return this.isJson || this.#codec.isValidated;
  }

  /** The Content-Type of a response: never a range, and with the parameters that a reader needs. */
  get sentAs(): string {
    if (this.isJson) return this.#concrete;
    const { parameter } = this.#codec;
    return parameter === undefined ? this.#concrete : `${this.#concrete}; ${parameter}`;
  }

  /** Returns a value without the properties that a message of its direction does not contain. */
  withhold(value: JsonValue): JsonValue {
    this.#withhold ??= compileWithholding(this.#node, this.#direction);
    return this.#withhold(value);
  }

  /** Returns of a value what the schema declares and what a response contains. */
  project(value: JsonValue): JsonValue {
    this.#project ??= compileProjection(this.#node);
    return this.withhold(this.#project(value));
  }

  /** True for a media type of the same syntax, as by its suffix. */
  isRelatedTo(mediaType: string): boolean {
    return areRelated(readContentType(this.mediaType).type, mediaType);
  }

  /** Where the schema is once references are followed; undefined without one. */
  get schemaIdentity(): Place | undefined {
    return this.#node?.identity;
  }

  /** Returns the codec of a media type that this one covers. */
  codecFor({ type }: Pick<ContentType, 'type'>): Codec {
    return this.#codecOf(this.mediaType.includes('*') ? type : this.#concrete);
  }

  encode(value: JsonValue): string | Uint8Array {
    return this.#codec.encode(value);
  }

  /** Returns the items of a stream, each in a form that can be sent alone. */
  encodeItems(value: JsonValue): readonly string[] {
    return this.#codec.encodeItems?.(value) ?? [];
  }

  /** Returns the same content for one media type of the declared range. */
  as(mediaType: string): Content {
    return new Content(this.#source, mediaType, this.pointer, this.#direction);
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
    return this.#source.schemas.nodes.at(this.schema?.pointer);
  }

  get #codec(): Codec {
    return this.#codecOf(this.#concrete);
  }

  #codecOf(type: string): Codec {
    return remember(this.#codecs, type, () => {
      return createCodec(type, readDescription(this.#source, this.pointer, this.#direction, type));
    });
  }
}

/**
 * Returns the violations of a written body, which it reads as a client does; none for a media type
 * that is not parsed.
 */
export function validateBody(content: Content, written: string | Uint8Array): readonly Violation[] {
  const { schema, isValidated, sentAs } = content;
  if (schema === undefined || !isValidated) return [];
  const type = readContentType(sentAs);
  try {
    return schema.check(content.codecFor(type).decode(Buffer.from(written), type), 'body');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `the body is not ${sentAs}: ${error.message}`;
    return [{ in: 'body', pointer: '', keyword: 'type', expected: sentAs, got: '', message }];
  }
}

/** Returns true for a schema of any object, which no patch is: RFC 6902 §3 has an array. */
function hasNoArray(mediaType: string, node: SchemaNode | undefined): boolean {
  const isPatch = /^application\/json-patch\+json\b/i.test(mediaType);
  return isPatch && node?.isObject === true && !node.types.has('array') && node.names.size === 0;
}

/**
 * Returns where the items of a Media Type Object are described: in its `itemSchema` (OAS 3.2
 * §4.14.3). For a sequential media type, documents before OAS 3.2 describe one item in `schema`,
 * unless that is a list.
 */
function findItem({ document, schemas }: ContractSource, pointer: Place, type: string) {
  const whole = `${pointer}/schema`;
  const isWhole = document.schemaAt(whole) !== undefined;
  const list = isWhole ? schemas.nodes.at(whole) : undefined;
  if (list?.isArray) return list.items && { place: list.items.pointer, isAlone: false };
  const place = isWhole ? whole : `${pointer}/itemSchema`;
  const isDescribed = isWhole ? isSequential(type) : document.schemaAt(place) !== undefined;
  return isDescribed ? { place, isAlone: true } : undefined;
}

/** Returns the schema of a list whose items have a schema. It also validates a single item. */
function validateItems(item: Schema): Schema {
  const check: Schema['check'] = (value, location, at = '', depth = 'full') => {
    if (!Array.isArray(value)) return item.check(value, location, at, depth);
    const violations: Violation[] = [];
    for (const [index, one] of value.entries()) {
      violations.push(...item.check(one, location, `${at}/${index}`, depth));
      if (violations.length >= MOST_ERRORS) break;
    }
    return violations;
  };
  const accepts: Schema['accepts'] = (value) =>
    Array.isArray(value) ? value.every(item.accepts) : item.accepts(value);
  return Object.freeze({ pointer: item.pointer, check, accepts });
}

/** Returns what a codec needs to know about a Media Type Object. */
function readDescription(
  source: ContractSource,
  mediaType: Place,
  direction: Direction,
  type: string,
): Description {
  const { document, schemas } = source;
  const item = findItem(source, mediaType, type);
  const place = item?.isAlone ? item.place : `${mediaType}/schema`;
  const shape = createShape(schemas, place, direction);
  // Parts without names have theirs by index (OAS 3.2 §4.14.5).
  const prefix = `${mediaType}/prefixEncoding`;
  const list = document.at(prefix);
  const indexes = Array.isArray(list) ? [...list.keys()] : [];
  const places = [
    ...document.members(`${mediaType}/encoding`),
    ...indexes.map((index) => [String(index), `${prefix}/${index}`] as const),
  ];
  const discriminator = item && schemas.nodes.at(item.place)?.keyword('discriminator');
  return {
    shape: item?.isAlone && shape !== ANY_SHAPE ? listOf(shape) : shape,
    eventName: discriminatingProperty(discriminator),
    encodings: new Map(places.map(([name, at]) => [name, readEncoding(document, at)])),
    itemEncoding: document.resolveObject(`${mediaType}/itemEncoding`)
      ? readEncoding(document, `${mediaType}/itemEncoding`)
      : undefined,
    rootName: rootNameOf(document, place),
  };
}

function listOf(item: Shape): Shape {
  return { ...ANY_SHAPE, types: new Set(['array']), item: () => item };
}

const STYLES: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

function readEncoding(document: OpenAPIDocument, pointer: string): PropertyEncoding {
  const encoding: JsonObject = document.resolveObject(pointer)?.value ?? {};
  const { contentType, explode, allowReserved } = encoding;
  const style = STYLES.find((one) => one === encoding['style']);
  return {
    ...(typeof contentType === 'string' && { contentType }),
    ...(style !== undefined && { style }),
    ...(typeof explode === 'boolean' && { explode }),
    ...(typeof allowReserved === 'boolean' && { allowReserved }),
    requiredHeaders: document
      .members(`${pointer}/headers`)
      .filter(([, at]) => document.resolveObject(at)?.value['required'] === true)
      .map(([name]) => name.toLowerCase())
      .filter((name) => name !== 'content-type'),
  };
}

/** Returns the component that describes an element and names it in XML (OAS 3.1 §4.8.26.1). */
function rootNameOf(document: OpenAPIDocument, pointer: Place): string {
  let place: Place | undefined = pointer;
  for (let steps = 0; place !== undefined && steps < LONGEST_CHAIN; steps++) {
    const [, component] = /\/(?:schemas|definitions)\/([^/]+)$/.exec(place) ?? [];
    if (component !== undefined) return toPath(`/${component}`)[0] ?? component;
    const value = document.schemaAt(place);
    place =
      value === undefined ? undefined : findTarget(document, { value, pointer: place })?.pointer;
  }
  // Without a name, it is what Prism calls it.
  return 'xml';
}

const LONGEST_CHAIN = 20;
