import type { ProblemName } from '../../base/problem.ts';
import { type Fields, readPackedFields, type WireBody } from '../../http/message.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';

/** Longer bodies are kept as the bytes that they came in. */
const LONGEST_TEXT = 4096;
const MICROSECONDS = 1000;

type Body = Exchange['responseBody'];

/**
 * An exchange in as few objects as can be: what is kept of a thousand of them is carried over by
 * each collection of garbage, at a price by the object. It is taken apart again when somebody asks
 * for it, which for most nobody does.
 */
export class PackedExchange {
  readonly number: number;
  /** What it takes, as it is estimated. */
  readonly bytes: number;
  readonly #session: string;
  /** Milliseconds since the journal began: a small number is no object. */
  readonly #since: number;
  readonly #method: string;
  readonly #target: string;
  readonly #fields: string;
  /** A text of Latin-1 is one object, its characters the bytes. */
  readonly #body: string | Uint8Array | undefined;
  readonly #bodyLength: number;
  readonly #operationId: string | undefined;
  readonly #status: number;
  readonly #mediaType: string | undefined;
  readonly #responseFields: Exchange['responseFields'];
  readonly #responseBody: Body;
  readonly #responseLength: number;
  readonly #source: string;
  readonly #problem: ProblemName | undefined;
  readonly #message: string;
  readonly #violationCount: number;
  readonly #rules: readonly string[];
  readonly #fault: string | undefined;
  readonly #delayMilliseconds: number;
  readonly #microseconds: number;
  readonly #replay: string | undefined;

  /**
   * @param began when the journal did; milliseconds since 1970
   * @param maximumBodyLength of what is kept of a body: bytes, or UTF-16 units of a text
   */
  constructor(exchange: Exchange, began: number, maximumBodyLength: number, packer: FieldsPacker) {
    const { request, responseBody, problem } = exchange;
    const { rawBody } = request;
    this.number = exchange.number;
    this.#session = exchange.session;
    this.#since = exchange.at - began;
    this.#method = request.method;
    this.#target = request.target;
    this.#fields = packer.pack(request.fields);
    this.#body = rawBody === 'too-large' ? undefined : packBody(rawBody, maximumBodyLength);
    this.#bodyLength = rawBody.length;
    this.#operationId = exchange.operationId;
    this.#status = exchange.status;
    this.#mediaType = exchange.mediaType;
    this.#responseFields = exchange.responseFields;
    this.#responseBody = cut(responseBody, maximumBodyLength);
    this.#responseLength = responseBody?.length ?? 0;
    this.#source = exchange.source;
    this.#problem = problem?.problem;
    this.#message = problem === undefined ? '' : flatten(problem.message);
    this.#violationCount = problem?.violations.length ?? 0;
    this.#rules = exchange.rules;
    this.#fault = exchange.fault;
    this.#delayMilliseconds = exchange.delayMilliseconds;
    this.#microseconds = Math.round(exchange.milliseconds * MICROSECONDS);
    this.#replay = exchange.replay;
    this.bytes = estimateBytes({
      texts: this.#method.length + this.#target.length + this.#fields.length,
      body: this.#body,
      responseFields: exchange.responseFields,
      responseBody: this.#responseBody,
      message: this.#message,
    });
  }

  /** @param began as it was packed by */
  unpack(began: number): KeptExchange {
    return {
      number: this.number,
      session: this.#session,
      at: began + this.#since,
      request: {
        method: this.#method,
        target: this.#target,
        fields: readPackedFields(this.#fields),
        rawBody: unpackBody(this.#body),
      },
      operationId: this.#operationId,
      status: this.#status,
      mediaType: this.#mediaType,
      responseFields: this.#responseFields,
      responseBody: this.#responseBody,
      source: this.#source,
      problem: this.#problem && new KeptProblem(this.#problem, this.#message, this.#violationCount),
      rules: this.#rules,
      fault: this.#fault,
      delayMilliseconds: this.#delayMilliseconds,
      milliseconds: this.#microseconds / MICROSECONDS,
      replay: this.#replay,
      requestBodyLength: lengthIfCut(this.#body?.length ?? this.#bodyLength, this.#bodyLength),
      responseBodyLength: lengthIfCut(this.#responseBody?.length ?? 0, this.#responseLength),
    };
  }
}

function lengthIfCut(kept: number, whole: number): number | undefined {
  return whole > kept ? whole : undefined;
}

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
  // A part of a string holds on to the whole of it, a copy does not.
  return Buffer.from(body.slice(0, maximumLength), 'utf16le').toString('utf16le');
}

/** The exchange's own object, the heads of its texts, and its place in the journal. */
const CONSTANT_BYTES = 500;
/** A field's place in its record, and the heads of its strings. */
const FIELD_BYTES = 40;

/** What of a kept exchange differs in size. */
export interface ExchangeParts {
  /** Characters of the request's method, target and fields. */
  readonly texts: number;
  readonly body: string | Uint8Array | undefined;
  readonly responseFields: Exchange['responseFields'];
  readonly responseBody: Exchange['responseBody'];
  /** Of the refusal; empty where there is none. */
  readonly message: string;
}

/**
 * Estimates the memory that an exchange keeps, so that it errs on the side of too much.
 *
 * @returns bytes
 */
export function estimateBytes({
  texts,
  body,
  responseFields,
  responseBody,
  message,
}: ExchangeParts): number {
  let bytes = CONSTANT_BYTES + texts + (body?.length ?? 0) + 2 * message.length;
  for (const name in responseFields) {
    bytes += FIELD_BYTES + name.length + (responseFields[name]?.length ?? 0);
  }
  return bytes + measureBody(responseBody);
}

/** A text beyond Latin-1 takes two bytes a unit; which it is, only a look at all of it tells. */
function measureBody(body: Exchange['responseBody']): number {
  if (body === null) return 0;
  return typeof body === 'string' ? 2 * body.length : body.length;
}

/** Packs the fields of requests; those of a client are mostly the same, and then are one text. */
export class FieldsPacker {
  #last: Fields | undefined;
  #text = '';

  /** @returns all fields as one text, in one piece */
  pack(fields: Fields): string {
    if (this.#last !== undefined && fields.equals(this.#last)) return this.#text;
    this.#last = fields;
    this.#text = flatten(fields.pack());
    return this.#text;
  }

  /** Lets go of what it remembers. */
  forget(): void {
    this.#last = undefined;
    this.#text = '';
  }
}

/** A slice of a socket's buffer holds on to the whole of it: so much more is worth a copy. */
const WASTE_BYTES = 1024;

/** @returns the beginning of the bytes, such that it holds on to no more memory than its own */
export function keepBytes(bytes: Uint8Array, maximumLength: number): Uint8Array {
  const isTooLong = bytes.length > maximumLength;
  const kept = isTooLong ? bytes.subarray(0, maximumLength) : bytes;
  const isWasteful = bytes.buffer.byteLength > 2 * kept.length + WASTE_BYTES;
  return isTooLong || isWasteful ? new Uint8Array(kept) : bytes;
}

/**
 * A text that was put together is kept by V8 as a tree of its parts until somebody looks into it,
 * and each part is one more object for the collection of garbage to carry over.
 *
 * @returns the same text, in one piece
 */
export function flatten(text: string): string {
  // What it finds must matter, or the compiler would leave the looking out.
  return text.charCodeAt(text.length - 1) === 0 ? text.replaceAll(NOTHING, '') : text;
}

/** Matches nowhere. */
const NOTHING = /(?!)/g;
