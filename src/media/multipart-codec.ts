import { createRequire } from 'node:module';
import { parseJsonOrText, tryParseJson } from '../base/json/parse.ts';
import { toText } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { groupBy } from '../base/remember.ts';
import { coverage, isJsonMediaType } from '../http/media-type.ts';
import { readText, toBuffer } from './charset.ts';
import type { Codec, ContentType, Description, PropertyEncoding } from './codec.ts';
import { concreteMediaType, readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { baseOf, describeName } from './form-codec.ts';
import { readJsonBytes } from './json-codec.ts';
import { addToBranch, buildBranch, createBranch, readKeys } from './nested-names.ts';
import {
  ANY_SHAPE,
  admitsScalar,
  chooseReading,
  readScalar,
  type Shape,
  saysNull,
} from './shape.ts';
import { quote, StyleFault } from './style.ts';
import { readBytes } from './text-codec.ts';
import { readXml } from './xml-codec.ts';

/** A body with more parts is refused. */
const MOST_PARTS = 1000;

interface SentPart {
  readonly name: string | undefined;
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A part with what the document says about it. */
interface Part extends SentPart {
  readonly encoding: PropertyEncoding | undefined;
  /** JSON Pointer of its value in the body. */
  readonly at: string;
}

/**
 * `multipart/form-data` (RFC 7578) with Encoding Objects (OAS 3.1 §4.8.15.3), and the other
 * `multipart/*`: parts with names are the members of an object, parts without are a list.
 */
export function createMultipartCodec(description: Description): Codec {
  const { shape } = description;
  return {
    isValidated: shape.types.size === 0 || shape.types.has('object') || shape.types.has('array'),
    decode: (bytes, contentType, deviations) => {
      // Any part may be JSON.
      refuseCrowded(bytes, 'json');
      const parts = parseParts(bytes, contentType);
      const hasNames = parts.some(({ name }) => name !== undefined);
      const isBare = contentType.type !== 'multipart/form-data' && !hasNames;
      if (isBare && !shape.types.has('object')) {
        return parts.map((part, index) => {
          const encoding = encodingAt(description, index);
          return readValue({ ...part, encoding, at: `/${index}` }, shape.item(index));
        });
      }
      // Parts without names are in the order of the properties.
      const names = isBare ? [...shape.properties.keys()] : [];
      const named = isBare ? parts.map((part, index) => ({ ...part, name: names[index] })) : parts;
      return readNamed(named, description, deviations);
    },
    encode: (value) => writeMultipart(value, description),
    parameter: `boundary=${BOUNDARY}`,
  };
}

/** Constant, so that the same value is always the same bytes. */
const BOUNDARY = 'coldframe-4f1c9a7e0b52d386';

function readNamed(
  parts: readonly SentPart[],
  { shape, encodings }: Description,
  deviations: string[] | undefined,
): JsonValue {
  const object: JsonObject = {};
  const { properties } = shape;
  for (const [name, named] of groupBy(parts, (part) => memberOf(nameOf(part), properties))) {
    const described = { encoding: encodings.get(name), at: `/${name}` };
    const root = createBranch<Part>();
    for (const part of named) {
      const keys = readKeys(nameOf(part).slice(name.length));
      if (keys === undefined) throw malformedName(name, nameOf(part));
      addToBranch(root, keys, { ...part, ...described });
    }
    const value = buildBranch(root, shape.member(name), readParts);
    if (value instanceof StyleFault) throw malformedName(name, value.got);
    const list = splitList(value, shape.member(name));
    const came = named.map(nameOf).find((one) => one !== name) ?? name;
    if (came !== name || list !== value) deviations?.push(describeName(name, came));
    setMember(object, name, list);
  }
  return object;
}

/** Returns the described array or object that `x[]`, `x[k]` and `x.k` name a part of, or the name. */
function memberOf(name: string, described: Shape['properties']): string {
  const base = baseOf(name, described);
  const { types } = described.get(base) ?? ANY_SHAPE;
  return types.has('array') || types.has('object') ? base : name;
}

function malformedName(name: string, got: string): Problem {
  return new Problem('MALFORMED_BODY', `body/${name} must be a value or a list, got ${quote(got)}`);
}

/** Returns the items of a list whose only text has commas, if more of the schemas accept them. */
function splitList(value: JsonValue, shape: Shape): JsonValue {
  const [text] = Array.isArray(value) && value.length === 1 ? value : [];
  const isList = typeof text === 'string' && text.includes(',') && !shape.item(0).isBinary;
  if (!isList) return value;
  const items = text.split(',').map((item, index) => readScalar(item, shape.item(index)));
  return chooseReading([value, items], shape);
}

function readParts(parts: readonly Part[], shape: Shape): JsonValue {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return readSingle(only, shape);
  return parts.map((part, index) => readValue(part, shape.item(index)));
}

/** Reads the only part of a name, which may be a whole array as JSON, or its only item. */
function readSingle(part: Part, shape: Shape): JsonValue {
  if (!shape.types.has('array')) return readValue(part, shape);
  const whole = isBinary(part, shape.item(0))
    ? undefined
    : tryParseJson(readBytes(part.bytes, false));
  if (Array.isArray(whole)) return whole;
  if (whole === null && saysNull('null', shape)) return null;
  const isItem = isJsonObject(whole) ? !shape.types.has('object') : isListOrNothing(shape);
  if ((!isItem || part.bytes.length === 0) && admitsScalar(shape)) return readValue(part, shape);
  return [readValue(part, shape.item(0))];
}

/** True for a shape that no text has: a text is then the only item of the list. */
function isListOrNothing({ types }: Shape): boolean {
  return [...types].every((type) => type === 'array' || type === 'object' || type === 'null');
}

function nameOf({ name }: SentPart): string {
  if (name !== undefined) return name;
  throw new Problem('MALFORMED_BODY', 'body has a part without a name in Content-Disposition');
}

function readValue(part: Part, shape: Shape): JsonValue {
  const field = part.headers['content-type'];
  checkEncoding(part);
  if (isBinary(part, shape)) return readBytes(part.bytes, true);
  const [declared] = part.encoding?.contentType?.split(',') ?? [];
  const contentType = readContentType(field ?? declared?.trim() ?? 'text/plain');
  if (isJsonMediaType(contentType.type)) return readJsonBytes(part.bytes);
  if (/[/+]xml$/.test(contentType.type)) return readXml(part.bytes, contentType, shape);
  const text = readText(part.bytes, contentType);
  if (admitsScalar(shape) && shape.types.size > 0) return readScalar(text, shape);
  // Many clients send an object as JSON without its media type, which is OpenAPI's default.
  return shape.types.size === 0 ? text : parseJsonOrText(text);
}

function isBinary(part: Part, shape: Shape): boolean {
  if (shape.isBinary) return true;
  const type = readContentType(part.headers['content-type'] ?? 'text/plain').type;
  const isText = type.startsWith('text/') || /[/+](?:json|xml)$/.test(type);
  return !isText && (shape === ANY_SHAPE || admitsScalar(shape));
}

function checkEncoding({ headers, encoding, at }: Part): void {
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
function parseParts(bytes: Uint8Array, { parameters }: ContentType): readonly SentPart[] {
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
    return [...parts].map(({ name, bytes, headers }) => ({ name, bytes, headers }));
  } catch (error) {
    // The library has errors of several classes for a malformed body.
    throw new Problem('MALFORMED_BODY', `body is not multipart: ${(error as Error).message}`);
  }
}

export function readFileParts(bytes: Uint8Array, contentType: ContentType) {
  return parseParts(bytes, contentType).flatMap(({ name: part, bytes: content, headers }) => {
    const [, quoted, bare] =
      /filename=(?:"([^"]*)"|([^;\s]+))/i.exec(headers['content-disposition'] ?? '') ?? [];
    const name = quoted ?? bare;
    const mediaType = readContentType(headers['content-type'] ?? 'application/octet-stream').type;
    return name === undefined ? [] : [{ part, name, mediaType, bytes: content }];
  });
}

/**
 * Writes an object as `multipart/form-data`, and a list as parts without names.
 *
 * @throws {Problem} NOT_CONFORMING if a part contains the boundary
 */
function writeMultipart(value: JsonValue, description: Description): string {
  const { shape, encodings } = description;
  const parts = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const [own, encoding] = [shape.member(name), encodings.get(name)];
        return Array.isArray(member)
          ? member.map((item, index) => writePart(item, own.item(index), encoding, name))
          : writePart(member, own, encoding, name);
      })
    : [value]
        .flat()
        .map((item, index) => writePart(item, shape.item(index), encodingAt(description, index)));
  if (parts.some((part) => part.includes(BOUNDARY))) {
    const message = 'a part of the response contains the boundary of the parts';
    throw new Problem('NOT_CONFORMING', message);
  }
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

/** Returns the encoding of a part without a name, by its index (OAS 3.2 §4.14.5). */
function encodingAt({ encodings, itemEncoding }: Description, index: number) {
  return encodings.get(String(index)) ?? itemEncoding;
}

function writePart(
  value: JsonValue,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
  name?: string,
): string {
  const declared = encoding?.contentType?.split(',')[0]?.trim();
  const usual = shape.isBinary
    ? 'application/octet-stream'
    : typeof value === 'object' && value !== null
      ? 'application/json'
      : undefined;
  const mediaType = declared === undefined ? usual : concreteMediaType(declared);
  const filename = shape.isBinary ? `; filename="${quoteName(name ?? 'file')}"` : '';
  const disposition = `Content-Disposition: form-data; name="${quoteName(name ?? '')}"${filename}`;
  const named = name === undefined ? '' : `${disposition}\r\n`;
  const typed = mediaType === undefined ? '' : `Content-Type: ${mediaType}\r\n`;
  return `${named}${typed}\r\n${toText(value)}`;
}

/** Escapes a name as browsers do (WHATWG HTML §4.10.21.8). */
function quoteName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
