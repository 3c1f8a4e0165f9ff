import type { WireBody } from '../../http/message.ts';
import type { Exchange } from '../exchange.ts';
import type { SharedPart, SharedParts } from './shared-part.ts';

type ResponseBody = Exchange['responseBody'];

/** An exchange in the parts that a page keeps. */
export interface PackedExchange {
  readonly exchange: Exchange;
  readonly shared: SharedPart;
  /** The fields that differ from the shared ones; packed. */
  readonly fields: string | undefined;
  readonly responseFields: string | undefined;
  /** The message of the problem; empty if there is none. */
  readonly message: string;
  /** The bodies, cut. */
  readonly requestBody: WireBody;
  readonly responseBody: ResponseBody;
  /** The estimated memory; errs on the side of too much. */
  readonly bytes: number;
}

/**
 * Returns an exchange with its bodies cut, and without what it shares with others.
 *
 * @param maximumBodyLength longer bodies are cut: bytes, or UTF-16 units of a text
 */
export function packExchange(
  exchange: Exchange,
  maximumBodyLength: number,
  parts: SharedParts,
): PackedExchange {
  const { request, problem, stream } = exchange;
  const { part, fields, responseFields } = parts.find(exchange);
  const requestBody = cutRequest(request.rawBody, maximumBodyLength);
  const responseBody = cutResponse(exchange.responseBody, maximumBodyLength);
  const message = problem?.message ?? '';
  return {
    exchange,
    shared: part,
    fields,
    responseFields,
    message,
    requestBody,
    responseBody,
    bytes:
      CONSTANT_BYTES +
      request.method.length +
      request.target.length +
      (fields?.length ?? part.fields.size) +
      requestBody.length +
      2 * message.length +
      estimateTexts(exchange.deviations) +
      estimateFields(exchange.responseFields) +
      estimateBody(responseBody) +
      ITEM_BYTES * (stream?.items.length ?? 0),
  };
}

function cutRequest(body: WireBody, maximumLength: number): WireBody {
  return body === 'too-large' ? body : cutBytes(body, maximumLength);
}

function cutResponse(body: ResponseBody, maximumLength: number): ResponseBody {
  if (body === null) return null;
  if (typeof body !== 'string') return cutBytes(body, maximumLength);
  if (body.length <= maximumLength) return body;
  // A slice of a string keeps the whole string in memory, a copy does not.
  return Buffer.from(body.slice(0, maximumLength), 'utf16le').toString('utf16le');
}

function cutBytes(bytes: Uint8Array, maximumLength: number): Uint8Array {
  if (bytes.length <= maximumLength) return bytes;
  return new Uint8Array(bytes.subarray(0, maximumLength));
}

/** The row of the exchange, what it shares with too few others, and the rest of its page. */
const CONSTANT_BYTES = 500;
/** The end of an item of a stream, when it is due, and when it was sent. */
const ITEM_BYTES = 80;
/** The slot of a field in its record, and the headers of its strings. */
const FIELD_BYTES = 40;

function estimateFields(fields: Exchange['responseFields']): number {
  let bytes = 0;
  for (const name in fields) bytes += FIELD_BYTES + name.length + (fields[name]?.length ?? 0);
  return bytes;
}

function estimateTexts(texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + FIELD_BYTES + 2 * text.length, 0);
}

/** Counts two bytes for each character, as only a scan would find a text that is all Latin-1. */
function estimateBody(body: ResponseBody): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}
