import type { ProblemName } from '../../base/problem.ts';
import { readPackedFields, type WireBody } from '../../http/message.ts';
import type { Exchange, KeptExchange } from '../exchange.ts';
import { flatten } from '../redact/flatten.ts';
import { estimateBytes } from './exchange-size.ts';
import type { FieldsPacker } from './fields-packer.ts';
import { keepBytes } from './keep-bytes.ts';
import { KeptProblem } from './kept-problem.ts';

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
