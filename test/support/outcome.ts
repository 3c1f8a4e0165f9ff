import type { Fault } from '../../src/delivery/fault.ts';

/**
 * Faults that a client knows for what they are. The others give it an answer that is whole, as far
 * as it can see.
 */
export type SeenFault = Exclude<Fault, 'TRUNCATED_BODY' | 'INVALID_JSON' | 'WRONG_MEDIA_TYPE'>;

/** What a client sees of an exchange. */
export type Outcome = ReceivedAnswer | ReceivedFault;

interface ReceivedFault {
  readonly kind: 'fault';
  readonly fault: SeenFault;
  /** What came of the answer before it broke; undefined where its head did not. */
  readonly part: ReceivedAnswer | undefined;
}

export interface ReceivedAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** By lower-case name; repeated ones joined by `, `. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** How long the mock held it back, or took to send it. */
  readonly delayMilliseconds: number;
}

/** What a client sees by itself; how long it was held back only the clock knows. */
export type Seen = Omit<ReceivedAnswer, 'delayMilliseconds'> | SeenBreak;

interface SeenBreak {
  readonly kind: 'fault';
  readonly fault: SeenFault;
  readonly part: Omit<ReceivedAnswer, 'delayMilliseconds'> | undefined;
}
