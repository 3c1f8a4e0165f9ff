import type { Culprit, ProblemName, ToldProblem, Violation } from '../base/problem.ts';
import type { ItemPace } from '../delivery/transmission.ts';
import type { WireRequest } from '../http/message.ts';

/** A request with its response, by reference: nothing is computed before it is needed. */
export interface Exchange {
  /** The number of the request in its session, from 1: the value of `Mock-Request-Id`. */
  readonly number: number;
  readonly session: string;
  /** When the request arrived, by the session's clock; milliseconds since 1970. */
  readonly at: number;
  /** When its response was ready, with delays, by the session's clock; milliseconds since 1970. */
  readonly readyAt: number;
  /** When the client closed the connection before it had the whole response; by the same clock. */
  readonly leftAt?: number | undefined;
  readonly request: WireRequest;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly mediaType: string | undefined;
  /** Fields of the response besides `Content-Type`; names in lower case. */
  readonly responseFields: Readonly<Record<string, string>>;
  readonly responseBody: string | Uint8Array | null;
  /** The items of a stream, and how far they were sent; a shared journal learns that at its end. */
  readonly stream?: ItemPace | undefined;
  /** The value of `Mock-Source`. */
  readonly source: string;
  readonly problem: ToldProblem | undefined;
  /** Whose fault a refusal is, and why, for the log; the journal does not keep it. */
  readonly attribution?: Attribution | undefined;
  /** Sentences for what was accepted against the document or a standard. */
  readonly deviations: readonly string[];
  readonly rules: readonly string[];
  readonly fault: string | undefined;
  readonly delayMilliseconds: number;
  /** From the arrival of the request until its response was ready, with delays. */
  readonly milliseconds: number;
  /** The value of `Mock-Replay`, which repeats the response. */
  readonly replay: string | undefined;
  /** Undefined for a request that the mock received. */
  readonly callback?: SentCallback | undefined;
}

/** Who has to change for a request to be accepted, and why. */
export interface Attribution {
  readonly culprit: Culprit;
  readonly confidence: 'high' | 'low';
  readonly reason: string;
}

/** Says that the mock sent the request; the status is 0 where no response came. */
export interface SentCallback {
  /** Of the callback or webhook. */
  readonly name: string;
  /** The number of the request that caused it; undefined for one that was sent by hand. */
  readonly cause: number | undefined;
}

/** An exchange in a journal, which cuts long bodies. */
export interface KeptExchange extends Exchange {
  /** The length of a body that was cut; bytes. Undefined where it is whole. */
  readonly requestBodyLength?: number | undefined;
  /** The length of a body that was cut; bytes, or UTF-16 units of a text. */
  readonly responseBodyLength?: number | undefined;
}

/** A refusal in a journal, which finds the many violations again from the request. */
export class KeptProblem implements ToldProblem {
  readonly problem: ProblemName;
  readonly message: string;
  readonly violationCount: number;

  constructor(problem: ProblemName, message: string, violationCount: number) {
    this.problem = problem;
    this.message = message;
    this.violationCount = violationCount;
  }

  get violations(): readonly Violation[] {
    return [];
  }
}
