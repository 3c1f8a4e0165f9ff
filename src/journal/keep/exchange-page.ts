import { readPackedFields, type WireBody } from '../../http/message.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../exchange.ts';
import { type HeldBodies, holdRequest, holdResponse } from './held-bodies.ts';
import type { PackedExchange } from './packed-exchange.ts';
import { fieldsOf, type SharedPart } from './shared-part.ts';

/** The columns of a row of numbers. */
const NUMBER = 0;
const AT = 1;
const READY_AT = 2;
/** Not a number where the client did not leave. */
const LEFT_AT = 3;
const STATUS = 4;
const DELAY = 5;
const MILLISECONDS = 6;
const VIOLATIONS = 7;
const BYTES = 8;
/** The lengths of the bodies before they were cut. */
const REQUEST_LENGTH = 9;
const RESPONSE_LENGTH = 10;
/** Where the request's body begins, and how many bytes it has; the texts follow it. */
const START = 11;
const BODY = 12;
/** Bytes for each unit of the texts: 1 for Latin-1, 2 for UTF-16. */
const UNIT = 13;
/** Where the texts end. */
const END = 14;
/** The places of the exchanges before and behind it in its list. */
const PREVIOUS = 15;
const NEXT = 16;
/** The lengths of the texts in UTF-16 units, in the order of `textsOf`. */
const TEXTS = 17;
const TEXT_COUNT = 5;
const COLUMNS = TEXTS + TEXT_COUNT;

const ROW_BYTES = COLUMNS * Float64Array.BYTES_PER_ELEMENT;

/** In place of the place of an exchange: there is none. */
export const NOWHERE = -1;

/** In place of a length: the fields are the shared ones, the body is an object or null. */
const ELSEWHERE = -1;
/** Longer bodies stay objects: there are few of them in the memory that they take. */
const LONGEST_COPIED = 512;

const LAST_OF_LATIN_1 = 0xff;
/** In a millisecond; smaller parts are noise. */
const MICROSECONDS = 1000;

type ResponseBody = Exchange['responseBody'];

/** A list of exchanges, by the places of its ends. */
export interface ExchangeList {
  first: number;
  last: number;
}

/** Returns how many bytes an exchange takes at most in the memory of a page. */
export function roomOf(packed: PackedExchange): number {
  const { requestBody } = packed;
  let room = ROW_BYTES + (isCopied(requestBody) ? requestBody.length : 0);
  for (const text of textsOf(packed)) room += 2 * (text?.length ?? 0);
  return room;
}

/** Returns the texts that a page copies; undefined for those that are elsewhere. */
function textsOf({ exchange, message, fields, responseFields, responseBody }: PackedExchange) {
  const response = isCopiedText(responseBody) ? responseBody : undefined;
  return [exchange.request.target, message, fields, responseFields, response];
}

function isCopied(body: WireBody): body is Uint8Array {
  return body !== 'too-large' && body.length <= LONGEST_COPIED;
}

function isCopiedText(body: ResponseBody): body is string {
  return typeof body === 'string' && body.length <= LONGEST_COPIED;
}

/**
 * Some exchanges of a log, in memory that garbage collection neither reads nor moves: bodies and
 * texts from its beginning on, and a row of numbers for each exchange from its end on.
 */
export class ExchangePage {
  readonly #memory: Buffer;
  readonly #numbers: Float64Array;
  /** What each exchange shares, and its list; undefined for one that was removed. */
  #shared: (SharedPart | undefined)[] = [];
  #lists: (ExchangeList | undefined)[] = [];
  /** By the index of their exchange; undefined where there were none yet. */
  #held: Map<number, HeldBodies> | undefined;
  #textEnd = 0;
  /** The bytes of the exchanges that were not removed. */
  used = 0;

  /** @param size bytes at least */
  constructor(size: number) {
    const word = Float64Array.BYTES_PER_ELEMENT;
    const memory = new ArrayBuffer(word * Math.ceil(size / word));
    this.#memory = Buffer.from(memory);
    this.#numbers = new Float64Array(memory);
  }

  get size(): number {
    return this.#memory.length;
  }

  /** Whether all exchanges were removed. */
  get isEmpty(): boolean {
    return this.used === 0;
  }

  /** Returns whether there is room for an exchange that takes so many bytes. */
  hasRoom(bytes: number): boolean {
    return this.#textEnd + bytes <= this.size - this.#shared.length * ROW_BYTES;
  }

  /** Adds an exchange for which there is room as the last one of a list, and returns its index. */
  add(packed: PackedExchange, list: ExchangeList): number {
    const { exchange, requestBody, responseBody } = packed;
    const index = this.#begin(packed.shared, list);
    const numbers = this.#numbers;
    const row = this.#row(index);
    numbers[row + NUMBER] = exchange.number;
    numbers[row + AT] = exchange.at;
    numbers[row + READY_AT] = exchange.readyAt;
    numbers[row + LEFT_AT] = exchange.leftAt ?? Number.NaN;
    numbers[row + STATUS] = exchange.status;
    numbers[row + DELAY] = exchange.delayMilliseconds;
    numbers[row + MILLISECONDS] = Math.round(exchange.milliseconds * MICROSECONDS) / MICROSECONDS;
    numbers[row + VIOLATIONS] = exchange.problem?.violations.length ?? 0;
    numbers[row + BYTES] = packed.bytes;
    numbers[row + REQUEST_LENGTH] = exchange.request.rawBody.length;
    numbers[row + RESPONSE_LENGTH] = exchange.responseBody?.length ?? 0;
    numbers[row + PREVIOUS] = list.last;
    numbers[row + NEXT] = NOWHERE;
    numbers[row + START] = this.#textEnd;
    numbers[row + BODY] = isCopied(requestBody) ? this.#writeBytes(requestBody) : ELSEWHERE;
    const texts = textsOf(packed);
    for (let text = 0; text < TEXT_COUNT; text++) {
      numbers[row + TEXTS + text] = texts[text]?.length ?? ELSEWHERE;
    }
    numbers[row + UNIT] = this.#writeTexts(texts);
    numbers[row + END] = this.#textEnd;
    const request = isCopied(requestBody) ? undefined : holdRequest(requestBody);
    const response = isCopiedText(responseBody) ? null : holdResponse(responseBody);
    if (request !== undefined || response !== null) this.#hold(index, { request, response });
    this.used += this.roomOf(index);
    return index;
  }

  /** Adds an exchange of another page, for which there is room, and returns its index. */
  take(page: ExchangePage, index: number): number {
    const start = page.#read(index, START);
    const end = page.#read(index, END);
    const added = this.#begin(page.#part(index), page.listOf(index));
    page.#memory.copy(this.#memory, this.#textEnd, start, end);
    const row = page.#row(index);
    this.#numbers.set(page.#numbers.subarray(row, row + COLUMNS), this.#row(added));
    this.#numbers[this.#row(added) + START] = this.#textEnd;
    this.#textEnd += end - start;
    this.#numbers[this.#row(added) + END] = this.#textEnd;
    const held = page.#held?.get(index);
    if (held !== undefined) this.#hold(added, held);
    this.used += this.roomOf(added);
    return added;
  }

  /** Returns the indexes of the exchanges that were not removed. */
  indexes(): readonly number[] {
    return [...this.#lists.keys()].filter((index) => this.#lists[index] !== undefined);
  }

  listOf(index: number): ExchangeList {
    const list = this.#lists[index];
    if (list === undefined) throw new RangeError(`the page has no exchange ${index}`);
    return list;
  }

  previous(index: number): number {
    return this.#read(index, PREVIOUS);
  }

  next(index: number): number {
    return this.#read(index, NEXT);
  }

  setPrevious(index: number, place: number): void {
    this.#numbers[this.#row(index) + PREVIOUS] = place;
  }

  setNext(index: number, place: number): void {
    this.#numbers[this.#row(index) + NEXT] = place;
  }

  /** Returns how many bytes an exchange takes in any page. */
  roomOf(index: number): number {
    return ROW_BYTES + this.#read(index, END) - this.#read(index, START);
  }

  /** Returns a copy of an exchange of a session. */
  read(index: number, session: string): KeptExchange {
    const { method, problem, fields, responseFields, ...same } = this.#part(index);
    const held = this.#held?.get(index);
    const texts = this.#texts(index);
    const leftAt = this.#read(index, LEFT_AT);
    const rawBody = held?.request ?? this.#body(index);
    const responseBody = texts.response ?? held?.response ?? null;
    const keptLength = rawBody === 'too-large' ? Number.POSITIVE_INFINITY : rawBody.length;
    return {
      ...same,
      session,
      number: this.#read(index, NUMBER),
      at: this.#read(index, AT),
      readyAt: this.#read(index, READY_AT),
      leftAt: Number.isNaN(leftAt) ? undefined : leftAt,
      request: {
        method,
        target: texts.target,
        fields:
          texts.fields === undefined ? fieldsOf(fields, session) : readPackedFields(texts.fields),
        rawBody,
      },
      status: this.#read(index, STATUS),
      responseFields:
        texts.responseFields === undefined
          ? responseFields
          : Object.fromEntries(readPackedFields(texts.responseFields).entries()),
      responseBody,
      problem: problem && new KeptProblem(problem, texts.message, this.#read(index, VIOLATIONS)),
      delayMilliseconds: this.#read(index, DELAY),
      milliseconds: this.#read(index, MILLISECONDS),
      requestBodyLength: lengthIfCut(keptLength, this.#read(index, REQUEST_LENGTH)),
      responseBodyLength: lengthIfCut(
        responseBody?.length ?? 0,
        this.#read(index, RESPONSE_LENGTH),
      ),
    };
  }

  numberOf(index: number): number {
    return this.#read(index, NUMBER);
  }

  /** Returns the estimated memory of an exchange. */
  bytesOf(index: number): number {
    return this.#read(index, BYTES);
  }

  /** Notes when the client left. */
  leave(index: number, at: number): void {
    if (Number.isNaN(this.#read(index, LEFT_AT))) this.#numbers[this.#row(index) + LEFT_AT] = at;
  }

  /** Removes an exchange; its place in the page stays taken. */
  remove(index: number): void {
    this.used -= this.roomOf(index);
    this.#shared[index] = undefined;
    this.#lists[index] = undefined;
    this.#held?.delete(index);
  }

  /** Removes all exchanges. */
  clear(): void {
    this.#shared = [];
    this.#lists = [];
    this.#held = undefined;
    this.#textEnd = 0;
    this.used = 0;
  }

  #begin(part: SharedPart, list: ExchangeList): number {
    this.#lists.push(list);
    return this.#shared.push(part) - 1;
  }

  /** Writes the bytes, and returns how many there are. */
  #writeBytes(bytes: Uint8Array): number {
    this.#memory.set(bytes, this.#textEnd);
    this.#textEnd += bytes.length;
    return bytes.length;
  }

  /**
   * Writes the texts, and returns how many bytes each unit takes. Most texts are so short that a
   * call of Node's `Buffer.write` takes longer than this loop.
   */
  #writeTexts(texts: readonly (string | undefined)[]): number {
    const memory = this.#memory;
    let end = this.#textEnd;
    for (const text of texts) {
      if (text === undefined) continue;
      for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (unit > LAST_OF_LATIN_1) return this.#writeWide(texts);
        memory[end++] = unit;
      }
    }
    this.#textEnd = end;
    return 1;
  }

  #writeWide(texts: readonly (string | undefined)[]): number {
    for (const text of texts) {
      this.#textEnd += this.#memory.write(text ?? '', this.#textEnd, 'utf16le');
    }
    return 2;
  }

  #hold(index: number, bodies: HeldBodies): void {
    this.#held ??= new Map();
    this.#held.set(index, bodies);
  }

  #part(index: number): SharedPart {
    const part = this.#shared[index];
    if (part === undefined) throw new RangeError(`the page has no exchange ${index}`);
    return part;
  }

  #body(index: number): Uint8Array {
    const start = this.#read(index, START);
    // A copy, as the page is used again.
    return Buffer.from(this.#memory.subarray(start, start + this.#read(index, BODY)));
  }

  #texts(index: number) {
    const unit = this.#read(index, UNIT);
    let end = this.#read(index, START) + Math.max(this.#read(index, BODY), 0);
    const texts = Array.from({ length: TEXT_COUNT }, (_, text) => {
      const length = this.#read(index, TEXTS + text);
      if (length === ELSEWHERE) return undefined;
      const start = end;
      end += unit * length;
      return this.#memory.toString(unit === 1 ? 'latin1' : 'utf16le', start, end);
    });
    const [target = '', message = '', fields, responseFields, response] = texts;
    return { target, message, fields, responseFields, response };
  }

  #read(index: number, column: number): number {
    return this.#numbers[this.#row(index) + column] ?? Number.NaN;
  }

  /** Returns where the numbers of an exchange begin. */
  #row(index: number): number {
    return this.#numbers.length - (index + 1) * COLUMNS;
  }
}

function lengthIfCut(kept: number, whole: number): number | undefined {
  return whole > kept ? whole : undefined;
}
