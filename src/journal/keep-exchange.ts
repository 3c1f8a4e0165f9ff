import type { WireBody } from '../http/message.ts';
import type { Exchange, KeptExchange } from './exchange.ts';

/**
 * Makes an exchange fit to be kept: its bodies are cut to a length, and none holds on to more
 * memory than its own.
 *
 * @param maximumBodyLength bytes, or UTF-16 units of a text
 * @returns the same exchange where nothing had to be done, which is the rule
 */
export function keepExchange(exchange: Exchange, maximumBodyLength: number): KeptExchange {
  const { request, responseBody } = exchange;
  const requestBody = keepWireBody(request.body, maximumBodyLength);
  const answerBody = keepBody(responseBody, maximumBodyLength);
  if (requestBody === request.body && answerBody === responseBody) return exchange;
  const { body } = request;
  return {
    ...exchange,
    request: { ...request, body: requestBody },
    responseBody: answerBody,
    ...(body.length > requestBody.length && { requestBodyLength: body.length }),
    ...(isCut(responseBody, answerBody) && { responseBodyLength: responseBody?.length ?? 0 }),
  };
}

type Body = string | Uint8Array | null;

function isCut(whole: Body, kept: Body): boolean {
  return (whole?.length ?? 0) > (kept?.length ?? 0);
}

function keepWireBody(body: WireBody, maximumLength: number): WireBody {
  return body === 'too-large' ? body : keepBytes(body, maximumLength);
}

function keepBody(body: Body, maximumLength: number): Body {
  if (body === null) return body;
  return typeof body === 'string' ? keepText(body, maximumLength) : keepBytes(body, maximumLength);
}

function keepText(text: string, maximumLength: number): string {
  if (text.length <= maximumLength) return text;
  // A part of a string holds on to the whole of it, a copy does not.
  return Buffer.from(text.slice(0, maximumLength), 'utf16le').toString('utf16le');
}

/** A slice of a socket's buffer holds on to the whole of it: so much more is worth a copy. */
const WASTE_BYTES = 1024;

function keepBytes(bytes: Uint8Array, maximumLength: number): Uint8Array {
  const isTooLong = bytes.length > maximumLength;
  const kept = isTooLong ? bytes.subarray(0, maximumLength) : bytes;
  const isWasteful = bytes.buffer.byteLength > 2 * kept.length + WASTE_BYTES;
  return isTooLong || isWasteful ? new Uint8Array(kept) : bytes;
}
