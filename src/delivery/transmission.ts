import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';

/** Faults of the connection that leave no answer; the first four by WireMock's names. */
export const breakingFaults = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'RANDOM_DATA_THEN_CLOSE',
  'HANG',
] as const;

/** Faults that spoil an answer on its way: whatever it is, the client cannot read it whole. */
export const spoilingFaults = [
  'MALFORMED_RESPONSE_CHUNK',
  'TRUNCATED_BODY',
  'CLOSE_MID_BODY',
  'SLOW_CLOSE',
  'WRONG_CONTENT_LENGTH',
  'INVALID_JSON',
  'WRONG_MEDIA_TYPE',
] as const;

export const faults = [...breakingFaults, ...spoilingFaults] as const;

/**
 * `CONNECTION_RESET_BY_PEER`: the client's socket sees RST. `EMPTY_RESPONSE`: it sees the
 * connection closed without a byte. `RANDOM_DATA_THEN_CLOSE`: bytes that are not HTTP, then the
 * end. `HANG`: nothing until the client disconnects.
 */
export type BreakingFault = (typeof breakingFaults)[number];

/**
 * `MALFORMED_RESPONSE_CHUNK`: the response's status and fields, then bytes that are not a chunk.
 * `TRUNCATED_BODY`: the body ends early, and the connection with it, as if it were whole.
 * `CLOSE_MID_BODY`: half of the body, then RST. `SLOW_CLOSE`: the response is whole, and the
 * connection, announced to be closed, stays open. `WRONG_CONTENT_LENGTH`: more bytes are announced
 * than are sent. `INVALID_JSON`: half of the JSON with its correct length. `WRONG_MEDIA_TYPE`: an
 * HTML page as a proxy would send, with the status of the response.
 */
export type SpoilingFault = (typeof spoilingFaults)[number];

export type Fault = BreakingFault | SpoilingFault;

/** A response with everything that decides how it is sent. */
export interface WireResponse {
  /** True for the response to a HEAD, which has no body (RFC 9110 §9.3.2). */
  readonly isHead: boolean;
  readonly status: number;
  /** All fields except those that frame the body, which the sender adds; names in lower case. */
  readonly fields: Record<string, string>;
  readonly body: string | Uint8Array | null;
  readonly fault: Fault | undefined;
  readonly pace: Pace | undefined;
}

/** How a stream ended: as announced, by a rule, or because the client did not wait. */
export const streamEnds = ['complete', 'broken', 'left'] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** How far a stream has been sent. It changes while the journal has it already. */
export class StreamProgress {
  /** When each item was sent, by the session's clock; milliseconds since 1970. */
  readonly times: number[];
  #end: StreamEnd | undefined;
  #listener: (() => void) | undefined;

  constructor(times: readonly number[] = [], end?: StreamEnd) {
    this.times = [...times];
    this.#end = end;
  }

  /** Undefined while the stream is sent. */
  get end(): StreamEnd | undefined {
    return this.#end;
  }

  /** Ends the stream; nothing changes one that has ended. */
  finish(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#listener?.();
  }

  /** Calls the listener when the stream ends. */
  onEnd(listener: () => void): void {
    this.#listener = listener;
  }
}

/** Ends the progress of a stream. Other responses have none. */
export function finishStream({ pace }: WireResponse, ending: Ending['kind'] | 'left'): void {
  if (pace?.kind !== 'items') return;
  pace.progress.finish(ending === 'complete' || ending === 'left' ? ending : 'broken');
}

/** Returns whether a response is sent at once and whole. */
export function isPlain({ fault, pace }: WireResponse): boolean {
  return fault === undefined && pace === undefined;
}

const LARGE_CHARACTERS = 256 * 1024;

/** Returns whether a body is too large for each slow client to have a copy: it is sent in pieces. */
export function isLargeText(body: string | Uint8Array | null): body is string {
  return typeof body === 'string' && body.length > LARGE_CHARACTERS;
}

/** The clock and the limits of a broken or slow response. */
export interface SendingContext {
  /** The session's. */
  readonly clock: Clock;
  /** The call's: a replay sends the same noise. */
  readonly random: Random;
  /** Aborts when the server closes: a response that hangs ends then. */
  readonly closing: AbortSignal;
}

/** The bytes of a broken or slow response, for a socket and in process. */
export interface Transmission {
  /** Undefined where no whole head is sent. */
  readonly head: Head | undefined;
  /** The body; without a head, what comes in its place. */
  readonly bytes: Uint8Array;
  readonly ending: Ending;
}

export interface Head {
  readonly status: number;
  /** Names in lower case; those that frame the body are the sender's. */
  readonly fields: Readonly<Record<string, string>>;
  readonly framing: Framing;
}

/** How the client finds the end of the body (RFC 9112 §6.3). */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunks' }
  /** By the end of the connection. */
  | { readonly kind: 'close' }
  /** There can be no body; the connection ends nevertheless. */
  | { readonly kind: 'none' };

export type Ending =
  /** As announced; the connection is kept alive if possible. */
  | { readonly kind: 'complete' }
  /** The connection is closed properly: FIN. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'reset' }
  /** Wrong bytes, and then the connection is closed. */
  | { readonly kind: 'noise'; readonly bytes: Uint8Array }
  /** Nothing more is sent, and the connection stays open until the client disconnects. */
  | { readonly kind: 'open' };

/** How slowly a body is sent. */
export type Pace =
  /** In pieces of equal size, spread evenly over the time. */
  | { readonly kind: 'dribble'; readonly pieces: number; readonly milliseconds: number }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  | ItemPace;

/** The pace of a stream, which is sent item by item. */
export interface ItemPace {
  readonly kind: 'items';
  readonly items: readonly PacedItem[];
  /** How the connection ends; undefined for the end of a complete body. */
  readonly ending?: Ending['kind'];
  readonly progress: StreamProgress;
}

/** An item of a stream, or a comment between two. */
interface PacedItem {
  /** Where it ends in the body, in bytes. */
  readonly end: number;
  /** When it is due; milliseconds since the head was sent. */
  readonly due: number;
  readonly isComment?: boolean;
}

type Dribble = Extract<Pace, { kind: 'dribble' }>;

interface Piece {
  readonly bytes: Uint8Array;
  /** When it is due; milliseconds since the head was sent. */
  readonly due: number;
  readonly isItem?: boolean;
}

/** Bytes are sent at most this many times a second if the bandwidth is limited. */
const PIECES_A_SECOND = 20;

/** Yields the pieces of a body when they are due. Ends early when the signal aborts. */
export async function* sendByPace(
  body: Uint8Array,
  pace: Pace | undefined,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void> {
  const elapsed = startStopwatch(clock);
  for (const { bytes, due, isItem } of cutByPace(body, pace)) {
    const early = due - elapsed();
    if (early > 0) await clock.sleep(early, signal);
    if (signal.aborted) return;
    if (isItem && pace?.kind === 'items') pace.progress.times.push(clock.now());
    yield bytes;
  }
}

/** Cuts a body into pieces, none of them empty; without a pace there is one piece. */
export function cutByPace(body: Uint8Array, pace: Pace | undefined): Iterable<Piece> {
  if (body.length === 0) return [];
  switch (pace?.kind) {
    case undefined:
      return [{ bytes: body, due: 0 }];
    case 'dribble':
      return cutEvenly(body, pace);
    case 'bandwidth':
      return cutByBandwidth(body, pace.bytesPerSecond);
    case 'items':
      return cutByItems(body, pace.items);
  }
}

/** Sends a body of fewer bytes than pieces byte by byte; each piece is sent after its wait. */
function* cutEvenly(body: Uint8Array, pace: Dribble): Generator<Piece, void> {
  const { length } = body;
  const count = Math.min(pace.pieces, length);
  for (let piece = 1; piece <= count; piece++) {
    const from = Math.floor((length * (piece - 1)) / count);
    const to = Math.floor((length * piece) / count);
    yield { bytes: body.subarray(from, to), due: Math.round((pace.milliseconds * piece) / count) };
  }
}

function* cutByBandwidth(body: Uint8Array, bytesPerSecond: number): Generator<Piece, void> {
  const { length } = body;
  const size = Math.max(1, Math.floor(bytesPerSecond / PIECES_A_SECOND));
  for (let from = 0; from < length; from += size) {
    const to = Math.min(from + size, length);
    yield { bytes: body.subarray(from, to), due: Math.round((to * 1000) / bytesPerSecond) };
  }
}

/** A body that is cut short has fewer items. */
function* cutByItems(body: Uint8Array, items: readonly PacedItem[]): Generator<Piece, void> {
  let from = 0;
  for (const { end, due, isComment } of items) {
    const isItem = !isComment;
    if (from < body.length && end > from) yield { bytes: body.subarray(from, end), due, isItem };
    from = end;
  }
}

/**
 * Starts to measure time. Moving the clock forward counts; a frozen clock does not stop the time.
 *
 * @returns a function that returns the milliseconds since the start
 */
function startStopwatch(clock: Clock): () => number {
  const shown = clock.now();
  const began = clock.monotonic();
  return () => Math.max(clock.monotonic() - began, clock.now() - shown);
}
