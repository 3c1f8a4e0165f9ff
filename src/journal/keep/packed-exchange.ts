import {
  type Fields,
  NO_BODY,
  packFields,
  readPackedFields,
  unpackFields,
  type WireBody,
} from '../../http/message.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';
import type { BytePages } from './byte-pages.ts';

/** Longer bodies have memory of their own. */
const LONGEST_IN_PAGE = 4096;
const MICROSECONDS = 1000;

type Body = Exchange['responseBody'];

/** An exchange in as few objects as possible: garbage collection has a price by the object. */
export type PackedExchange = ReturnType<typeof packExchange>;

/** What the exchanges of a journal share. */
interface Shared {
  /** When the journal began; milliseconds since 1970. */
  readonly began: number;
  /** Longer bodies are cut: bytes, or UTF-16 units of a text. */
  readonly maximumBodyLength: number;
  readonly packer: FieldsPacker;
  /** Get the texts and the body of each exchange. */
  readonly pages: BytePages;
  /** The bytes of the journal. */
  readonly used: number;
}

export function packExchange(exchange: Exchange, shared: Shared) {
  const { request, responseBody, problem, stream, deviations } = exchange;
  const { method, target, rawBody } = request;
  const { began, maximumBodyLength, pages } = shared;
  const fields = shared.packer.pack(request.fields);
  const largeBody = keepLarge(rawBody, maximumBodyLength);
  const body = largeBody === undefined && rawBody !== 'too-large' ? rawBody : NO_BODY;
  const answered = cut(responseBody, maximumBodyLength);
  const isShort = typeof answered === 'string' && answered.length <= LONGEST_IN_PAGE;
  const message = problem?.message ?? '';
  const responseFields = packFields(exchange.responseFields);
  const text = target + message + responseFields + (isShort ? answered : '');
  const isAscii = Buffer.byteLength(text) === text.length;
  const textBytes = isAscii ? text.length : 2 * text.length;
  const pageBytes = textBytes + body.length;
  const start = pages.reserve(pageBytes, shared.used);
  const { page } = pages;
  page.write(text, start, isAscii ? 'latin1' : 'utf16le');
  page.set(body, start + textBytes);
  return {
    number: exchange.number,
    session: exchange.session,
    since: compact(exchange.at - began),
    lasted: compact(exchange.readyAt - exchange.at),
    leftSince: exchange.leftAt === undefined ? undefined : exchange.leftAt - began,
    method,
    fields,
    page,
    start,
    pageBytes,
    isAscii,
    textBytes,
    targetLength: target.length,
    messageLength: message.length,
    responseFieldsLength: responseFields.length,
    largeBody,
    bodyLength: rawBody.length,
    operationId: exchange.operationId,
    status: exchange.status,
    mediaType: exchange.mediaType,
    /** Empty for a text in the page. */
    responseBody: isShort ? '' : answered,
    responseLength: responseBody?.length ?? 0,
    stream,
    source: exchange.source,
    problem: problem?.problem,
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
      fields.length +
      2 * pageBytes +
      (largeBody?.length ?? 0) +
      estimateTexts(deviations) +
      estimateBody(isShort ? null : answered) +
      ITEM_BYTES * (stream?.items.length ?? 0),
  };
}

/** Moves what an exchange has in a page to another page. */
export function movePacked(packed: PackedExchange, pages: BytePages, used: number): void {
  const { page, start, pageBytes } = packed;
  packed.start = pages.reserve(pageBytes, used);
  packed.page = pages.page;
  packed.page.set(page.subarray(start, start + pageBytes), packed.start);
}

/** @param began as it was given to {@link packExchange} */
export function unpackExchange(packed: PackedExchange, began: number): KeptExchange {
  const { since, leftSince, largeBody, problem } = packed;
  const { target, message, responseFields, rest, bytes } = readPage(packed);
  const responseBody = packed.responseBody === '' ? rest : packed.responseBody;
  return {
    number: packed.number,
    session: packed.session,
    at: began + since,
    readyAt: began + since + packed.lasted,
    leftAt: leftSince === undefined ? undefined : began + leftSince,
    request: {
      method: packed.method,
      target,
      fields: readPackedFields(packed.fields),
      rawBody: largeBody ?? bytes,
    },
    operationId: packed.operationId,
    status: packed.status,
    mediaType: packed.mediaType,
    responseFields: unpackFields(responseFields),
    responseBody,
    stream: packed.stream,
    source: packed.source,
    problem: problem && new KeptProblem(problem, message, packed.violationCount),
    deviations: packed.deviations,
    rules: packed.rules,
    fault: packed.fault,
    delayMilliseconds: packed.delayMilliseconds,
    milliseconds: packed.microseconds / MICROSECONDS,
    replay: packed.replay,
    callback: packed.callback,
    requestBodyLength: lengthIfCut(largeBody?.length ?? packed.bodyLength, packed.bodyLength),
    responseBodyLength: lengthIfCut(responseBody?.length ?? 0, packed.responseLength),
  };
}

/** Returns copies of the texts and the body that an exchange has in its page. */
function readPage({ page, start, isAscii, ...lengths }: PackedExchange) {
  const endOfText = start + lengths.textBytes;
  const text = page.toString(isAscii ? 'latin1' : 'utf16le', start, endOfText);
  const endOfMessage = lengths.targetLength + lengths.messageLength;
  const endOfFields = endOfMessage + lengths.responseFieldsLength;
  return {
    target: text.slice(0, lengths.targetLength),
    message: text.slice(lengths.targetLength, endOfMessage),
    responseFields: text.slice(endOfMessage, endOfFields),
    rest: text.slice(endOfFields),
    bytes: Buffer.from(page.subarray(endOfText, start + lengths.pageBytes)),
  };
}

/** Returns the same number: a small whole one as V8 keeps it without an object of its own. */
function compact(number: number): number {
  return Number.isInteger(number) ? Math.trunc(number) : number;
}

function lengthIfCut(kept: number, whole: number): number | undefined {
  return whole > kept ? whole : undefined;
}

/** Returns what is kept of a body that is in no page; undefined for one that is. */
function keepLarge(body: WireBody, maximumLength: number): WireBody | undefined {
  if (body === 'too-large') return body;
  const length = Math.min(body.length, maximumLength);
  const isInPage = length === body.length && length <= LONGEST_IN_PAGE;
  return isInPage ? undefined : keepBytes(body, length);
}

function cut(body: Body, maximumLength: number): Body {
  if (body === null) return body;
  if (typeof body !== 'string') return keepBytes(body, maximumLength);
  if (body.length <= maximumLength) return body.length > LONGEST_IN_PAGE ? flatten(body) : body;
  // A slice of a string keeps the whole string in memory, a copy does not.
  return Buffer.from(body.slice(0, maximumLength), 'utf16le').toString('utf16le');
}

/** The object of the exchange, and its slot in the journal. */
const CONSTANT_BYTES = 500;
/** The end of an item of a stream, when it is due, and when it was sent. */
const ITEM_BYTES = 80;
/** The slot of a field in its record, and the headers of its strings. */
const FIELD_BYTES = 40;

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
