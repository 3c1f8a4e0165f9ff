import type { ProblemName } from '../../base/problem.ts';
import { type Fields, readPackedFields, type WireBody } from '../../http/message.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';

/** Longer bodies are kept as bytes. */
const LONGEST_TEXT = 4096;
const MICROSECONDS = 1000;

type Body = Exchange['responseBody'];

/**
 * An exchange in as few objects as possible, as each garbage collection copies those that are kept,
 * at a price by the object. It is unpacked when it is needed, which most exchanges never are.
 */
export class PackedExchange {
  readonly number: number;
  /** The estimated memory. */
  readonly bytes: number;
  readonly #session: string;
  /** Milliseconds since the journal began: a small number is no object. */
  readonly #since: number;
  readonly #lasted: number;
  /** When the client left, in milliseconds since the journal began. */
  #leftSince: number | undefined;
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
  readonly #stream: Exchange['stream'];
  readonly #source: string;
  readonly #problem: ProblemName | undefined;
  readonly #message: string;
  readonly #violationCount: number;
  readonly #deviations: readonly string[];
  readonly #rules: readonly string[];
  readonly #fault: string | undefined;
  readonly #delayMilliseconds: number;
  readonly #microseconds: number;
  readonly #replay: string | undefined;
  readonly #callback: Exchange['callback'];

  /**
   * @param began when the journal began; milliseconds since 1970
   * @param maximumBodyLength longer bodies are cut: bytes, or UTF-16 units of a text
   */
  constructor(exchange: Exchange, began: number, maximumBodyLength: number, packer: FieldsPacker) {
    const { request, responseBody, problem } = exchange;
    const { rawBody } = request;
    this.number = exchange.number;
    this.#session = exchange.session;
    this.#since = exchange.at - began;
    this.#lasted = exchange.readyAt - exchange.at;
    this.#leftSince = exchange.leftAt === undefined ? undefined : exchange.leftAt - began;
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
    this.#stream = exchange.stream;
    this.#source = exchange.source;
    this.#problem = problem?.problem;
    this.#message = problem === undefined ? '' : flatten(problem.message);
    this.#violationCount = problem?.violations.length ?? 0;
    this.#deviations = exchange.deviations;
    this.#rules = exchange.rules;
    this.#fault = exchange.fault;
    this.#delayMilliseconds = exchange.delayMilliseconds;
    this.#microseconds = Math.round(exchange.milliseconds * MICROSECONDS);
    this.#replay = exchange.replay;
    this.#callback = exchange.callback;
    // Errs on the side of too much.
    this.bytes =
      CONSTANT_BYTES +
      this.#method.length +
      this.#target.length +
      this.#fields.length +
      (this.#body?.length ?? 0) +
      2 * this.#message.length +
      estimateTexts(exchange.deviations) +
      estimateFields(exchange.responseFields) +
      estimateBody(this.#responseBody) +
      ITEM_BYTES * (exchange.stream?.items.length ?? 0);
  }

  /** @param since milliseconds since the journal began */
  leave(since: number): void {
    this.#leftSince ??= since;
  }

  /** @param began the same as in the constructor */
  unpack(began: number): KeptExchange {
    return {
      number: this.number,
      session: this.#session,
      at: began + this.#since,
      readyAt: began + this.#since + this.#lasted,
      leftAt: this.#leftSince === undefined ? undefined : began + this.#leftSince,
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
      stream: this.#stream,
      source: this.#source,
      problem: this.#problem && new KeptProblem(this.#problem, this.#message, this.#violationCount),
      deviations: this.#deviations,
      rules: this.#rules,
      fault: this.#fault,
      delayMilliseconds: this.#delayMilliseconds,
      milliseconds: this.#microseconds / MICROSECONDS,
      replay: this.#replay,
      callback: this.#callback,
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

/**
 * Returns the same text as one object. V8 keeps a concatenated text as a tree of its parts until it
 * is read, and garbage collection copies each part.
 */
function flatten(text: string): string {
  // The result depends on the character, or the compiler would remove the read.
  return text.charCodeAt(text.length - 1) === 0 ? text.replaceAll(NOTHING, '') : text;
}

/** Matches nowhere. */
const NOTHING = /(?!)/g;
