import type { Fault } from '../../src/delivery/transmission.ts';

/**
 * Faults that a client knows for what they are. The others give it an answer that is whole, as far
 * as it can see.
 */
export type SeenFault = Exclude<Fault, 'TRUNCATED_BODY' | 'INVALID_JSON' | 'WRONG_MEDIA_TYPE'>;

/** An exchange as a client sees it. */
export type Outcome = ReceivedAnswer | ReceivedFault;

interface ReceivedFault {
  readonly kind: 'fault';
  readonly fault: SeenFault;
  /** The part of the response before it broke; undefined without a complete head. */
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

/** The outcome as a client sees it, without the delay, which only the clock knows. */
export type Seen = Omit<ReceivedAnswer, 'delayMilliseconds'> | SeenBreak;

interface SeenBreak {
  readonly kind: 'fault';
  readonly fault: SeenFault;
  readonly part: Omit<ReceivedAnswer, 'delayMilliseconds'> | undefined;
}

/** How long a client waits for the head of an answer, and then for the rest; in turns. */
export interface Patience {
  readonly head: number;
  readonly body: number;
}

const TURN_MILLISECONDS = 10;
/** Longer than the slowest that a case waits for, a server that gives up on half a request. */
const LONG = 3_000;
const SHORT = 30;

/** Brief where silence is what the case expects. */
export function patienceFor(fault: SeenFault | undefined): Patience {
  return { head: fault === 'HANG' ? SHORT : LONG, body: fault === 'SLOW_CLOSE' ? SHORT : LONG };
}

/**
 * Measures silence in turns of the event loop, in each of which the mock gets on as well: on a
 * busy machine time alone says nothing.
 *
 * @param most how many turns of silence are too many
 * @param giveUp is called then, once
 */
export function measureSilence(
  most: () => number,
  giveUp: () => void,
): { readonly heard: () => void; readonly stop: () => void } {
  let turns = 0;
  const timer = setInterval(() => {
    turns++;
    if (turns < most()) return;
    clearInterval(timer);
    giveUp();
  }, TURN_MILLISECONDS);
  return {
    heard: () => {
      turns = 0;
    },
    stop: () => clearInterval(timer),
  };
}
