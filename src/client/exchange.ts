import type { Violation } from '../base/problem.ts';
import type { AnyOperation, OperationTypes } from './api-types.ts';

/**
 * A request and what became of it, as the journal keeps it. Secrets are shown as `[redacted]`, and
 * what there is nothing to say of is left out.
 *
 * @typeParam Operation what the document says of it; a request that was refused may have anything
 */
export interface Exchange<Operation extends OperationTypes = AnyOperation> {
  /** Its number in the session, as `Mock-Request-Id` told it. */
  readonly number: number;
  /** The id of its session. */
  readonly session: string;
  /** By the session's clock, RFC 3339. */
  readonly at: string;
  readonly operationId?: string;
  /** As it was sent. */
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Of what is no text. */
    readonly bodyBase64?: string;
  };
  /** Decoded, by place and name. */
  readonly parameters: Operation['parameters'];
  /** Decoded. */
  readonly body?: Operation['body'];
  /** What was wrong with the request. */
  readonly violations?: readonly Violation[];
  /** Why it was refused. */
  readonly problem?: {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly detail: string;
  };
  /** Who made the answer, as `Mock-Source` tells it. */
  readonly source: string;
  readonly answer: {
    readonly status: number;
    readonly mediaType?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  /** The names of the fixture rules that acted. */
  readonly rules: readonly string[];
  /** What broke or spoilt the answer. */
  readonly fault?: string;
  /** How long the answer was held back. */
  readonly delayMilliseconds: number;
  /** From the request's arrival until its answer was ready. */
  readonly milliseconds: number;
  /** What brings the same answer again, as `Mock-Replay` tells it. */
  readonly replay?: string;
}

/** Which requests are meant: the `match` of a fixture rule, see docs/reference/rules.md. */
export interface RequestMatch {
  readonly operationId?: string | readonly string[];
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Part of the body: what is said must be there. */
  readonly body?: unknown;
  readonly [matcher: string]: unknown;
}
