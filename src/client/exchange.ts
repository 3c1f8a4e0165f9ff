import type { Violation } from '../base/problem.ts';
import type { AnyOperation, OperationTypes } from './api-types.ts';

/**
 * A request with its response, as recorded in the journal. Secrets are replaced by `[redacted]`.
 *
 * @typeParam Operation the types of the operation. A refused request may have other values.
 */
export interface Exchange<Operation extends OperationTypes = AnyOperation> {
  /** The number of the request in its session, the same as `Mock-Request-Id`. */
  readonly number: number;
  /** The id of the session. */
  readonly session: string;
  /** The time by the session's clock, in RFC 3339. */
  readonly at: string;
  /** Missing when no operation matches the request. */
  readonly operationId?: string;
  /** The request as received. */
  readonly request: {
    readonly method: string;
    /** The path with the query. */
    readonly target: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The body when it is text. */
    readonly body?: string;
    /** The body when it is binary. */
    readonly bodyBase64?: string;
  };
  /** The decoded parameters, by location and name. */
  readonly parameters: Operation['parameters'];
  /** The decoded body. */
  readonly body?: Operation['body'];
  /** The violations of an invalid request. */
  readonly violations?: readonly Violation[];
  /** The problem, when the mock refused the request. */
  readonly problem?: {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly detail: string;
  };
  /** The origin of the response, the same as `Mock-Source`. */
  readonly source: string;
  /** The response as sent. */
  readonly answer: {
    readonly status: number;
    readonly mediaType?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBase64?: string;
  };
  /** The names of the rules that acted on the request. */
  readonly rules: readonly string[];
  /** The fault that broke the response. */
  readonly fault?: string;
  /** The delay of the response. */
  readonly delayMilliseconds: number;
  /** The time from the arrival of the request until its response was ready. */
  readonly milliseconds: number;
  /** Repeats the random decisions of the response, the same as `Mock-Replay`. */
  readonly replay?: string;
}

/**
 * Selects requests, like the `match` of a rule: see docs/reference/rules.md.
 *
 * @example
 * { operationId: 'createPlant', body: { name: 'Fern' } }
 */
export interface RequestMatch {
  /** One of these operations. */
  readonly operationId?: string | readonly string[];
  readonly method?: string;
  /** A path template of the document. */
  readonly path?: string;
  /** Matchers by the name of a header field. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Matchers by the name of a query parameter. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Part of the body: the request has at least these members and values. */
  readonly body?: unknown;
  readonly [matcher: string]: unknown;
}
