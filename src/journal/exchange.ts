import {
  type ProblemName,
  problems,
  type ToldProblem,
  typeOf,
  type Violation,
} from '../base/problem.ts';
import type { WireRequest } from '../http/message.ts';

/**
 * One request and what became of it, as the pipeline hands it over: by reference, nothing worked
 * out that nobody may ever ask for.
 */
export interface Exchange {
  /** The number of the request in its session, as `Mock-Request-Id` tells it; from 1. */
  readonly number: number;
  /** The id of the session. */
  readonly session: string;
  /** When the request came, by the session's clock; milliseconds since 1970. */
  readonly at: number;
  readonly request: WireRequest;
  /** Undefined when no operation matched. */
  readonly operationId: string | undefined;
  readonly status: number;
  /** Undefined where there is no body. */
  readonly mediaType: string | undefined;
  /** Fields of the answer besides `Content-Type`; names in lower case. */
  readonly responseFields: Readonly<Record<string, string>>;
  readonly responseBody: string | Uint8Array | null;
  /** As `Mock-Source` tells it. */
  readonly source: string;
  readonly problem: ToldProblem | undefined;
  /** The names of the fixtures that acted. */
  readonly rules: readonly string[];
  readonly fault: string | undefined;
  /** How long the answer was held back. */
  readonly delayMilliseconds: number;
  /** From the request's arrival until its answer was ready, delays included. */
  readonly milliseconds: number;
  /** What brings the same answer again, as `Mock-Replay` tells it. */
  readonly replay: string | undefined;
}

/** An exchange as it is kept: bodies that are too long are cut. */
export interface KeptExchange extends Exchange {
  /** What the body had before it was cut; bytes. Undefined where it is whole. */
  readonly requestBodyLength?: number | undefined;
  /** What the body had before it was cut; bytes, or UTF-16 units of a text. */
  readonly responseBodyLength?: number | undefined;
}

const NONE: readonly Violation[] = [];

/**
 * A refusal as it is kept. Its violations hold many small texts, which are not: they are found again
 * from the request when somebody asks for them.
 */
export class KeptProblem implements ToldProblem {
  readonly problem: ProblemName;
  /** Says each of the violations. */
  readonly message: string;
  /** How many violations there were. */
  readonly violationCount: number;

  constructor(problem: ProblemName, message: string, violationCount: number) {
    this.problem = problem;
    this.message = message;
    this.violationCount = violationCount;
  }

  get type(): string {
    return typeOf(this.problem);
  }

  get title(): string {
    return problems[this.problem].title;
  }

  get status(): number {
    return problems[this.problem].status;
  }

  /** Not kept: a journal finds them. */
  get violations(): readonly Violation[] {
    return NONE;
  }
}
