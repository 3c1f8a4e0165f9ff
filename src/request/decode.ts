import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { Problem } from '../base/problem.ts';
import { findReadable } from '../contract/content.ts';
import type { RequestBody } from '../contract/contract.ts';
import { readMediaType } from '../http/media-type.ts';
import type { ContentType } from '../media/codec.ts';
import { readContentType } from '../media/content-type.ts';
import { readJsonBytes } from '../media/json-codec.ts';
import { decodeParameters } from './parameters.ts';
import {
  type AuthenticatedRequest,
  type DecodedBody,
  type DecodedRequest,
  type RoutedRequest,
  withValues,
} from './request.ts';

export interface BodyLimits {
  /** Once its content codings are undone. */
  readonly maximumBodyBytes: number;
  /** True takes Brotli. */
  readonly brotli: boolean;
}

/**
 * Returns a request whose bytes are values.
 *
 * @param deviations gets a sentence for each value that came in another style than its own
 * @throws {Problem} 400, 413 or 415 by its cause
 */
export function decode(
  request: AuthenticatedRequest,
  limits: BodyLimits,
  deviations?: string[],
): DecodedRequest {
  const parameters = decodeParameters(request, deviations);
  return withValues(request, parameters, decodeBody(request, limits, deviations));
}

/**
 * Returns a request's body without content coding, character encoding and syntax; undefined if the
 * operation has none, or if it is missing.
 *
 * @throws {Problem} by its cause
 */
export function decodeBody(
  request: RoutedRequest,
  limits: BodyLimits,
  deviations?: string[],
): DecodedBody | undefined {
  const { body } = request.operation;
  if (body === undefined) return undefined;
  if (request.rawBody === 'too-large') throw tooLarge(limits.maximumBodyBytes);
  const field = request.fields.get('content-type');
  if (request.rawBody.length === 0 && !takesNothing(body, field)) {
    return undefined;
  }
  const [only] = body.contents;
  // The usual case, to the letter as declared, needs no parsing.
  const isUsual = only !== undefined && only.mediaType === field && only.isJson;
  const contentType = isUsual ? undefined : requireContentType(body, field);
  const content = contentType === undefined ? only : findReadable(body.contents, contentType);
  if (content === undefined) throw unsupported(body, `Content-Type is ${contentType?.type}`);
  const codings = request.fields.get('content-encoding');
  const bytes =
    codings === undefined ? request.rawBody : undoCodings(request.rawBody, codings, limits);
  if (contentType === undefined) {
    return { content, value: readJsonBytes(bytes), isValidated: true };
  }
  const codec = content.codecFor(contentType);
  const value = codec.decode(bytes, contentType, deviations);
  return { content, value, isValidated: codec.isValidated };
}

/** True where a body without bytes, of this Content-Type, is one. */
function takesNothing(body: RequestBody, field: string | undefined): boolean {
  if (field === undefined) return false;
  const contentType = readContentType(field);
  const content = findReadable(body.contents, contentType);
  return content?.codecFor(contentType).takesNothing === true;
}

function requireContentType(body: RequestBody, field: string | undefined): ContentType {
  if (!field) throw unsupported(body, 'Content-Type is missing');
  if (!readMediaType(field)) throw unsupported(body, 'Content-Type is not a media type');
  return readContentType(field);
}

function unsupported(body: RequestBody, reason: string): Problem {
  return new Problem('UNSUPPORTED_MEDIA_TYPE', `${reason}, must be ${listTypes(body)}`, {
    fields: { accept: body.contents.map(({ mediaType }) => mediaType).join(', ') },
  });
}

/** Returns the declared media types of a body, for a message. */
export function listTypes(body: RequestBody): string {
  return body.contents.map(({ mediaType }) => mediaType).join(' or ');
}

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Content codings of RFC 9110 §8.4.1. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
]);

/** RFC 9110 §8.4.1.2: some senders leave the zlib wrapper out. Its first byte tells. */
function inflateEither(bytes: Uint8Array, options: Parameters<Decoder>[1]): Uint8Array {
  const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 8;
  return (isWrapped ? inflateSync : inflateRawSync)(bytes, options);
}

/** Returns the body without its codings: the last one of the field comes off first. */
export function undoCodings(body: Uint8Array, field: string, limits: BodyLimits): Uint8Array {
  const codings = field
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) throw unsupportedCoding(field, limits);
  return codings.reduceRight((bytes, coding) => undoCoding(bytes, coding, limits), body);
}

const MOST_CODINGS = 5;

function undoCoding(bytes: Uint8Array, coding: string, limits: BodyLimits): Uint8Array {
  const decode = coding === 'br' && !limits.brotli ? undefined : decoders.get(coding);
  if (decode === undefined) throw unsupportedCoding(coding, limits);
  try {
    return decode(bytes, { maxOutputLength: limits.maximumBodyBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(limits.maximumBodyBytes);
    }
    throw new Problem('BODY_NOT_DECODABLE', `body is not ${coding}: ${(error as Error).message}`);
  }
}

function unsupportedCoding(coding: string, { brotli }: BodyLimits): Problem {
  const taken = ['gzip', 'deflate', ...(brotli ? ['br'] : [])];
  return new Problem(
    'UNSUPPORTED_CONTENT_CODING',
    `Content-Encoding is ${JSON.stringify(coding.slice(0, 80))}, must be ${taken.join(' or ')}`,
    { fields: { 'accept-encoding': taken.join(', ') } },
  );
}

function tooLarge(maximumBytes: number): Problem {
  return new Problem(
    'BODY_TOO_LARGE',
    `body must be at most ${maximumBytes} bytes (the setting body-limit)`,
  );
}
