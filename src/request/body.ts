import { isUtf8 } from 'node:buffer';
import { gunzipSync, inflateSync } from 'node:zlib';
import { type Content, findContent } from '../contract/content.ts';
import type { RequestBody } from '../contract/contract.ts';
import type { DecodedBody, Match } from '../contract/operation-request.ts';
import { readMediaType } from '../http/media-type.ts';
import { JsonError, type JsonFault, parseJson } from '../json/parse.ts';
import { Problem, type ProblemName } from '../problem.ts';

/**
 * Decodes a request's body: content coding, media type, character encoding, syntax, in the order
 * in which they were put on.
 *
 * @returns undefined when the operation has no body, or none came and none is required
 * @throws {Problem} by its cause
 */
export function decodeBody(match: Match, maximumBytes: number): DecodedBody | undefined {
  const { request, operation } = match;
  const { body } = operation;
  if (body === undefined) return undefined;
  if (request.body === 'too-large') throw tooLarge(maximumBytes);
  if (request.body.length === 0) {
    if (!body.required) return undefined;
    throw new Problem('BODY_MISSING', `body is required, send one of ${listTypes(body)}`);
  }
  const content = chooseContent(body, request.fields.get('content-type'));
  const coding = request.fields.get('content-encoding');
  const bytes =
    coding === undefined ? request.body : decodeContent(request.body, coding, maximumBytes);
  const text = readText(bytes);
  return { content, value: content.isJson ? readJson(text) : text };
}

function chooseContent(body: RequestBody, field: string | undefined): Content {
  // The usual case, to the letter as declared, needs no parsing.
  const [only] = body.contents;
  if (only !== undefined && only.mediaType === field) return only;
  if (field === undefined || field === '') {
    throw unsupported(body, 'Content-Type is missing');
  }
  const mediaType = readMediaType(field);
  if (mediaType === undefined) throw unsupported(body, 'Content-Type is not a media type');
  const content = findContent(body.contents, mediaType);
  if (content === undefined) throw unsupported(body, `Content-Type is ${mediaType}`);
  return content;
}

function unsupported(body: RequestBody, complaint: string): Problem {
  return new Problem('UNSUPPORTED_MEDIA_TYPE', `${complaint}, must be ${listTypes(body)}`, {
    headers: { accept: body.contents.map(({ mediaType }) => mediaType).join(', ') },
  });
}

function listTypes(body: RequestBody): string {
  return body.contents.map(({ mediaType }) => mediaType).join(' or ');
}

/**
 * Content codings of RFC 9110 §8.4.1. `br` is left out: the Brotli decoder of Node 20 has a memory
 * fault (CVE-2026-111497).
 */
const decoders: ReadonlyMap<string, typeof gunzipSync> = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
]);

function decodeContent(bytes: Uint8Array, field: string, maximumBytes: number): Uint8Array {
  const coding = field.trim().toLowerCase();
  if (coding === 'identity') return bytes;
  const decode = decoders.get(coding);
  if (decode === undefined) {
    throw new Problem(
      'UNSUPPORTED_CONTENT_CODING',
      `Content-Encoding is ${JSON.stringify(coding.slice(0, 80))}, must be gzip or deflate`,
      { headers: { 'accept-encoding': 'gzip, deflate' } },
    );
  }
  try {
    return decode(bytes, { maxOutputLength: maximumBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(maximumBytes);
    }
    throw new Problem('BODY_NOT_DECODABLE', `body is not ${coding}: ${(error as Error).message}`);
  }
}

function tooLarge(maximumBytes: number): Problem {
  return new Problem(
    'BODY_TOO_LARGE',
    `body must be at most ${maximumBytes} bytes (the setting body-limit)`,
  );
}

/** RFC 8259 §8.1 has JSON in UTF-8, and lets a receiver pass over a byte order mark. */
function readText(bytes: Uint8Array): string {
  const text = toBuffer(bytes).toString('utf8');
  // Bytes that are no UTF-8 become U+FFFD: only where that stands is there a doubt.
  if (text.includes('\uFFFD') && !isUtf8(bytes)) {
    throw new Problem('INVALID_UTF8', 'body must be UTF-8, and it is not');
  }
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function toBuffer(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const problemOfFault: Readonly<Record<JsonFault, ProblemName>> = {
  syntax: 'MALFORMED_JSON',
  'duplicate-key': 'DUPLICATE_KEY',
  'too-deep': 'BODY_TOO_DEEP',
  'number-too-long': 'NUMBER_TOO_LONG',
};

function readJson(text: string) {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Problem(problemOfFault[error.fault], `body is not taken: ${error.message}`);
  }
}
