import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Fault } from './fault.ts';
import type { Pace } from './pace.ts';

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

/** Returns whether a response is sent at once and whole. */
export function isPlain({ fault, pace }: WireResponse): boolean {
  return fault === undefined && pace === undefined;
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
  /** RST. */
  | { readonly kind: 'reset' }
  /** Wrong bytes, and then the connection is closed. */
  | { readonly kind: 'noise'; readonly bytes: Uint8Array }
  /** Nothing more is sent, and the connection stays open until the client disconnects. */
  | { readonly kind: 'open' };
