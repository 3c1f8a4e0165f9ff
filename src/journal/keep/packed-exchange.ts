import { type Fields, readPackedFields, type WireBody } from '../../http/message.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';

/** Longer bodies are kept as bytes. */
const LONGEST_TEXT = 4096;
const MICROSECONDS = 1000;

type Body = Exchange['responseBody'];

/** An exchange in as few objects as possible: garbage collection has a price by the object. */
export type PackedExchange = ReturnType<typeof packExchange>;

/**
 * @param began when the journal began; milliseconds since 1970
 * @param maximumBodyLength longer bodies are cut: bytes, or UTF-16 units of a text
 */
export function packExchange(
  exchange: Exchange,
  began: number,
  maximumBodyLength: number,
  packer: FieldsPacker,
) {
  const { request, responseBody, responseFields, problem, stream, deviations } = exchange;
  const { method, target, rawBody } = request;
  const fields = packer.pack(request.fields);
  const body = rawBody === 'too-large' ? undefined : packBody(rawBody, maximumBodyLength);
  const answered = cut(responseBody, maximumBodyLength);
  const message = problem === undefined ? '' : flatten(problem.message);
  return {
    number: exchange.number,
    session: exchange.session,
    since: compact(exchange.at - began),
    lasted: compact(exchange.readyAt - exchange.at),
    leftSince: exchange.leftAt === undefined ? undefined : exchange.leftAt - began,
    method,
    target,
    fields,
    body,
    bodyLength: rawBody.length,
    operationId: exchange.operationId,
    status: exchange.status,
    mediaType: exchange.mediaType,
    responseFields,
    responseBody: answered,
    responseLength: responseBody?.length ?? 0,
    stream,
    source: exchange.source,
    problem: problem?.problem,
    message,
    violationCount: problem?.violations.length ?? 0,
    deviations,
    rules: exchange.rules,
    fault: exchange.fault,
    delayMilliseconds: exchange.delayMilliseconds,
    microseconds: Math.round(exchange.milliseconds * MICROSECONDS),
    replay: exchange.replay,
    callback: exchange.callback,
    // The estimated memory; errs on the side of too much.
    bytes:
      CONSTANT_BYTES +
      method.length +
      target.length +
      fields.length +
      (body?.length ?? 0) +
      2 * message.length +
      estimateTexts(deviations) +
      estimateFields(responseFields) +
      estimateBody(answered) +
      ITEM_BYTES * (stream?.items.length ?? 0),
  };
}

/** @param began as it was given to {@link packExchange} */
export function unpackExchange(packed: PackedExchange, began: number): KeptExchange {
  const { since, leftSince, body, responseBody, problem } = packed;
  return {
    number: packed.number,
    session: packed.session,
    at: began + since,
    readyAt: began + since + packed.lasted,
    leftAt: leftSince === undefined ? undefined : began + leftSince,
    request: {
      method: packed.method,
      target: packed.target,
      fields: readPackedFields(packed.fields),
      rawBody: unpackBody(body),
    },
    operationId: packed.operationId,
    status: packed.status,
    mediaType: packed.mediaType,
    responseFields: packed.responseFields,
    responseBody,
    stream: packed.stream,
    source: packed.source,
    problem: problem && new KeptProblem(problem, packed.message, packed.violationCount),
    deviations: packed.deviations,
    rules: packed.rules,
    fault: packed.fault,
    delayMilliseconds: packed.delayMilliseconds,
    milliseconds: packed.microseconds / MICROSECONDS,
    replay: packed.replay,
    callback: packed.callback,
    requestBodyLength: lengthIfCut(body?.length ?? packed.bodyLength, packed.bodyLength),
    responseBodyLength: lengthIfCut(responseBody?.length ?? 0, packed.responseLength),
  };
}

/** Returns the same number: a small whole one as V8 keeps it without an object of its own. */
function compact(number: number): number {
  return Number.isInteger(number) ? Math.trunc(number) : number;
}

function lengthIfCut(kept: number, whole: number): number | undefined {
  return whole > kept ? whole : undefined;
}

/** A text of Latin-1 is one object, its characters the bytes. */
function packBody(body: Uint8Array, maximumLength: number): string | Uint8Array {
  const length = Math.min(body.length, maximumLength);
  if (length > LONGEST_TEXT) return keepBytes(body, length);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, length);
  return bytes.toString('latin1', 0, length);
}

function unpackBody(body: string | Uint8Array | undefined): WireBody {
  if (body === undefined) return 'too-large';
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
}

function cut(body: Body, maximumLength: number): Body {
  if (body === null) return body;
  if (typeof body !== 'string') return keepBytes(body, maximumLength);
  if (body.length <= maximumLength) return flatten(body);
  // A slice of a string keeps the whole string in memory, a copy does not.
  return Buffer.from(body.slice(0, maximumLength), 'utf16le').toString('utf16le');
}

/** The object of the exchange, the headers of its texts, and its slot in the journal. */
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
function estimateBody(body: Exchange['responseBody']): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}

/** Packs the fields of requests. A client mostly sends the same ones, which then share a text. */
export class FieldsPacker {
  #last: Fields | undefined;
  #text = '';

  pack(fields: Fields): string {
    if (this.#last !== undefined && fields.equals(this.#last)) return this.#text;
    this.#last = fields;
    this.#text = flatten(fields.pack());
    return this.#text;
  }

  forget(): void {
    this.#last = undefined;
    this.#text = '';
  }
}

/** A slice keeps the whole buffer of a socket in memory: more waste than this is worth a copy. */
const WASTE_BYTES = 1024;

/** Returns the beginning of the bytes, copied where the slice would keep a larger buffer. */
function keepBytes(bytes: Uint8Array, maximumLength: number): Uint8Array {
  const isTooLong = bytes.length > maximumLength;
  const kept = isTooLong ? bytes.subarray(0, maximumLength) : bytes;
  const isWasteful = bytes.buffer.byteLength > 2 * kept.length + WASTE_BYTES;
  return isTooLong || isWasteful ? new Uint8Array(kept) : bytes;
}

/** Returns the same text as one object: V8 keeps a concatenated one as a tree of its parts. */
function flatten(text: string): string {
  // The result depends on the character, or the compiler would remove the read.
  return text.charCodeAt(text.length - 1) === 0 ? text.replaceAll(NOTHING, '') : text;
}

/** Matches nowhere. */
const NOTHING = /(?!)/g;
