import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { Fault } from './fault.ts';
import type { Pace } from './pace.ts';

/** An answer that does not simply go out: it is spoiled, or takes its time. */
export interface SpecialAnswer {
  /** True for the answer to a HEAD, whose body is only spoken of (RFC 9110 §9.3.2). */
  readonly isHead: boolean;
  readonly status: number;
  /** All fields but those that frame the body; names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly fault: Fault | undefined;
  readonly pace: Pace | undefined;
}

/** What the sending of an answer goes by. */
export interface Surroundings {
  /** The session's. */
  readonly clock: Clock;
  /** The call's own: what is noise now is the same noise in a replay. */
  readonly random: Random;
  /** Aborts when the server closes: what would stay open for ever ends then. */
  readonly closing: AbortSignal;
}
