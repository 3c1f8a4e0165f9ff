import { createRequire } from 'node:module';
import { groupBy } from '../base/group-by.ts';
import { tryParseJson } from '../base/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { coverage } from '../http/media-type.ts';
import { readBytes } from './bytes-codec.ts';
import { readText, toBuffer } from './charset.ts';
import type { Codec, ContentType, Description, PropertyEncoding } from './codec.ts';
import { concreteMediaType, readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { ANY_SHAPE, admitsScalar, readScalar, type Shape } from './shape.ts';
import { toText } from './text-codec.ts';

/** A body with more parts is refused. */
const MOST_PARTS = 1000;

/** A part of a multipart body. */
interface Part {
  readonly name: string | undefined;
  readonly filename: string | undefined;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Reads a part with the codec of its media type, such as JSON or XML. */
export type ReadPart = (bytes: Uint8Array, contentType: ContentType, shape: Shape) => JsonValue;

/**
 * `multipart/form-data` (RFC 7578) with Encoding Objects (OAS 3.1 §4.8.15.3), and the other
 * `multipart/*`: parts with names are the members of an object, parts without are a list.
 */
export function createMultipartCodec(description: Description, readPart: ReadPart): Codec {
  const { shape, encodings } = description;
  return {
    isValidated: shape.types.size === 0 || shape.types.has('object') || shape.types.has('array'),
    decode: (bytes, contentType) => {
      // Any part may be JSON.
      refuseCrowded(bytes, 'json');
      const parts = parseParts(bytes, contentType);
      const isBare = contentType.type !== 'multipart/form-data' && !parts.some(isNamed);
      if (isBare && !shape.types.has('object')) {
        return parts.map((part, index) => {
          const encoding = encodingAt(description, index);
          return readValue(part, shape.item(index), encoding, readPart, `/${index}`);
        });
      }
      // Parts without names are in the order of the properties.
      const names = isBare ? [...shape.properties.keys()] : [];
      const named = isBare ? parts.map((part, index) => ({ ...part, name: names[index] })) : parts;
      return readNamed(named, shape, encodings, readPart);
    },
    encode: (value) => writeMultipart(value, description, BOUNDARY),
    parameter: `boundary=${BOUNDARY}`,
  };
}

function isNamed({ name }: Part): boolean {
  return name !== undefined;
}

/** Constant, so that the same value is always the same bytes. */
const BOUNDARY = 'coldframe-4f1c9a7e0b52d386';

function readNamed(
  parts: readonly Part[],
  shape: Shape,
  encodings: Description['encodings'],
  readPart: ReadPart,
): JsonValue {
  const object: JsonObject = {};
  for (const [name, named] of groupBy(parts, nameOf)) {
    const property = shape.member(name);
    const encoding = encodings.get(name);
    const read = (part: Part, itemShape: Shape): JsonValue =>
      readValue(part, itemShape, encoding, readPart, `/${name}`);
    const [only] = named;
    if (named.length === 1 && only !== undefined) {
      setMember(object, name, readSingle(only, property, read));
    } else {
      setMember(
        object,
        name,
        named.map((part, index) => read(part, property.item(index))),
      );
    }
  }
  return object;
}

/** Reads the only part of a name, which may be a whole array as JSON, or its only item. */
function readSingle(
  part: Part,
  shape: Shape,
  read: (part: Part, shape: Shape) => JsonValue,
): JsonValue {
  if (!shape.types.has('array')) return read(part, shape);
  const whole = isBinary(part, shape.item(0))
    ? undefined
    : tryParseJson(readBytes(part.bytes, false));
  if (Array.isArray(whole)) return whole;
  const isItem = isJsonObject(whole) ? !shape.types.has('object') : isListOrNothing(shape);
  if ((!isItem || part.bytes.length === 0) && admitsScalar(shape)) return read(part, shape);
  return [read(part, shape.item(0))];
}

/** True for a shape that no text has: a text is then the only item of the list. */
function isListOrNothing({ types }: Shape): boolean {
  return [...types].every((type) => type === 'array' || type === 'object' || type === 'null');
}

function nameOf({ name }: Part): string {
  if (name !== undefined) return name;
  throw new Problem('MALFORMED_BODY', 'body has a part without a name in Content-Disposition');
}

function readValue(
  part: Part,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
  readPart: ReadPart,
  at: string,
): JsonValue {
  const field = part.headers['content-type'];
  checkEncoding(part, encoding, at);
  if (isBinary(part, shape)) return readBytes(part.bytes, true);
  const [declared] = encoding?.contentType?.split(',') ?? [];
  const contentType = readContentType(field ?? declared?.trim() ?? 'text/plain');
  if (/[/+](?:json|xml)$/.test(contentType.type)) {
    return readPart(part.bytes, contentType, shape);
  }
  const text = readText(part.bytes, contentType);
  if (admitsScalar(shape) && shape.types.size > 0) return readScalar(text, shape);
  // Many clients send an object as JSON without its media type, which is OpenAPI's default.
  return shape.types.size === 0 ? text : (tryParseJson(text) ?? text);
}

function isBinary(part: Part, shape: Shape): boolean {
  if (shape.isBinary) return true;
  const type = readContentType(part.headers['content-type'] ?? 'text/plain').type;
  const isText = type.startsWith('text/') || /[/+](?:json|xml)$/.test(type);
  return !isText && (shape === ANY_SHAPE || admitsScalar(shape));
}

function checkEncoding(
  { headers }: Part,
  encoding: PropertyEncoding | undefined,
  at: string,
): void {
  if (encoding === undefined) return;
  const { contentType, requiredHeaders } = encoding;
  const field = headers['content-type'];
  if (contentType !== undefined && field !== undefined) {
    const { type } = readContentType(field);
    if (!contentType.split(',').some((range) => coverage(range, type) > 0)) {
      throw new Problem('MALFORMED_BODY', `body${at} must be ${contentType}, and it is ${type}`);
    }
  }
  for (const name of requiredHeaders) {
    if (headers[name] !== undefined) continue;
    throw new Problem('MALFORMED_BODY', `body${at} must have the field ${name} in its part`);
  }
}

const require = createRequire(import.meta.url);

/** @throws {Problem} MALFORMED_BODY */
function parseParts(bytes: Uint8Array, { parameters }: ContentType): readonly Part[] {
  const boundary = parameters.get('boundary');
  // RFC 2046 §5.1.1: at most 70 ASCII characters.
  if (boundary === undefined || !/^[ -~]{1,70}$/.test(boundary)) {
    throw new Problem('MALFORMED_BODY', 'Content-Type must name the boundary of the parts');
  }
  const library =
    require('@remix-run/multipart-parser') as typeof import('@remix-run/multipart-parser');
  // A preamble before the first boundary is to be ignored (RFC 2046 §5.1.1).
  const start = Math.max(toBuffer(bytes).indexOf(`--${boundary}`), 0);
  const options = { boundary, maxFileSize: bytes.length, maxParts: MOST_PARTS };
  try {
    const parts = library.parseMultipart(bytes.subarray(start), options);
    return [...parts].map((part) => ({
      name: part.name,
      filename: part.filename,
      bytes: part.bytes,
      headers: part.headers,
    }));
  } catch (error) {
    // The library has errors of several classes for a malformed body.
    throw new Problem('MALFORMED_BODY', `body is not multipart: ${(error as Error).message}`);
  }
}

/**
 * Writes an object as `multipart/form-data`, and a list as parts without names.
 *
 * @throws {Problem} NOT_CONFORMING if a part contains the boundary
 */
function writeMultipart(value: JsonValue, description: Description, boundary: string): string {
  const { shape, encodings } = description;
  const parts = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        writeMember(name, member, shape.member(name), encodings.get(name)),
      )
    : [value]
        .flat()
        .map((item, index) =>
          writePart(undefined, item, shape.item(index), encodingAt(description, index)),
        );
  if (parts.some((part) => part.includes(boundary))) {
    throw new Problem(
      'NOT_CONFORMING',
      'a part of the response contains the boundary of the parts',
    );
  }
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
}

/** Returns the encoding of a part without a name, by its index (OAS 3.2 §4.14.5). */
function encodingAt(
  { encodings, itemEncoding }: Description,
  index: number,
): PropertyEncoding | undefined {
  return encodings.get(String(index)) ?? itemEncoding;
}

function writeMember(
  name: string,
  value: JsonValue,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
): readonly string[] {
  if (!Array.isArray(value)) return [writePart(name, value, shape, encoding)];
  return value.map((item, index) => writePart(name, item, shape.item(index), encoding));
}

function writePart(
  name: string | undefined,
  value: JsonValue,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
): string {
  const declared = encoding?.contentType?.split(',')[0]?.trim();
  const usual = shape.isBinary
    ? 'application/octet-stream'
    : typeof value === 'object' && value !== null
      ? 'application/json'
      : undefined;
  const mediaType = declared === undefined ? usual : concreteMediaType(declared);
  const filename = shape.isBinary ? `; filename="${quoteName(name ?? 'file')}"` : '';
  const lines = [
    ...(name === undefined
      ? []
      : [`Content-Disposition: form-data; name="${quoteName(name)}"${filename}`]),
    ...(mediaType === undefined ? [] : [`Content-Type: ${mediaType}`]),
  ];
  return `${lines.map((line) => `${line}\r\n`).join('')}\r\n${toText(value)}`;
}

/** Escapes a name as browsers do (WHATWG HTML §4.10.21.8). */
function quoteName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
