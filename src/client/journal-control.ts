import type { Violation } from '../base/problem.ts';
import type { AnyOperation, OperationTypes } from './api-types.ts';
import { type Duration, toDurationText } from './clock-control.ts';
import { type ControlChannel, type ControlProblem, toPath, toQuery } from './control-channel.ts';

/** The responses of the requests that count. */
interface Responses {
  /** Only requests whose response has this status. */
  readonly status?: number | undefined;
  /** Only requests whose stream ended so: whole, broken by a rule, or left by the client. */
  readonly stream?: 'complete' | 'broken' | 'left' | undefined;
}

/** The expected number of requests. Defaults to at least one. */
export interface Expectation extends RequestMatch, Responses {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Requests in this order. Other requests may come between them. */
export interface Sequence {
  readonly inOrder: readonly RequestMatch[];
}

/** The requests to wait for. */
export interface Waiting extends RequestMatch, Pick<Responses, 'status'> {
  /** The number of requests. Defaults to 1. */
  readonly times?: number;
  /** The longest time to wait, at most 60 seconds of system time. Defaults to 5 seconds. */
  readonly within?: Duration;
}

/** Filters of found requests. */
interface FindOptions extends Responses {
  /** Only the last of these, up to this number. */
  readonly limit?: number | undefined;
}

/** Filters of listed exchanges. */
interface ListOptions extends Omit<FindOptions, 'stream'> {
  readonly operationId?: string;
  /** Only what the mock sent as this callback or webhook. */
  readonly callback?: string;
  /** Only exchanges with a greater number. */
  readonly since?: number;
}

/** A refused request with its near misses. */
interface UnmatchedExchange {
  readonly exchange: Exchange;
  readonly nearMisses: readonly NearMiss[];
}

interface Exchanges<Operation extends OperationTypes = AnyOperation> {
  readonly exchanges: readonly Exchange<Operation>[];
}

/** A rule or a request that nearly matches. */
export interface NearMiss {
  /** The number of the request. */
  readonly number?: number;
  /** The name of the rule. */
  readonly fixture?: string;
  readonly operationId?: string;
  /** From 0, equal, to 1, nothing in common. */
  readonly distance: number;
  readonly reasons: readonly string[];
  readonly message: string;
}

/** The result of a verification. */
export interface Verification {
  readonly verified: boolean;
  /** The number of matching requests. */
  readonly count: number;
  /** The expectation, the requests that came, and the nearest of them. */
  readonly message: string;
  /** The numbers of the matching requests. */
  readonly exchanges?: readonly number[];
  readonly nearMisses?: readonly NearMiss[];
}

/** Thrown when the expected requests did not arrive. The message lists those that did. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly verification: Verification;

  constructor(verification: Verification) {
    super(verification.message);
    this.verification = verification;
  }
}

/** The journal of a session: its requests and responses, in the order of the requests. */
export class JournalControl {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** Returns the recorded exchanges that pass the filters. */
  async list(options: ListOptions = {}): Promise<readonly Exchange[]> {
    const query = toQuery({ limit: MOST, ...options });
    return inOrder(await this.#control.get<Exchanges>(`/journal${query}`));
  }

  /**
   * Returns one exchange.
   *
   * @throws {ControlError} when the journal does not have it
   */
  get(number: number): Promise<Exchange> {
    return this.#control.get<Exchange>(toPath('journal', String(number)));
  }

  /**
   * Returns the matching requests.
   *
   * @example
   * await session.journal.find({ method: 'POST', path: '/plants' });
   */
  async find<Operation extends OperationTypes = AnyOperation>(
    match: RequestMatch,
    { status, stream, limit = MOST }: FindOptions = {},
  ): Promise<readonly Exchange<Operation>[]> {
    const question = { match, status, stream, limit };
    return inOrder(await this.#control.post<Exchanges<Operation>>('/journal/find', question));
  }

  /** Returns the number of matching requests. */
  async count({ status, stream, ...match }: Expectation): Promise<number> {
    const body = { match, status, stream };
    const { count } = await this.#control.post<{ count: number }>('/journal/count', body);
    return count;
  }

  /**
   * Verifies that the expected requests came.
   *
   * @throws {VerificationError} when they did not
   *
   * @example
   * await session.journal.verify({ operationId: 'createPlant', exactly: 2 });
   */
  async verify(expectation: Expectation | Sequence): Promise<void> {
    const { exactly, atLeast, atMost, status, stream, ...match } = expectation as Expectation;
    const isSequence = Array.isArray(match['inOrder']);
    const question = isSequence ? expectation : { match, status, stream, exactly, atLeast, atMost };
    refuseUnverified(await this.#control.post<Verification>('/journal/verify', question));
  }

  /**
   * Waits for requests.
   *
   * @throws {VerificationError} when they do not come in time
   */
  async wait({ times, within, status, ...match }: Waiting): Promise<void> {
    const question = { match, status, times, within: toDurationText(within) };
    refuseUnverified(await this.#control.post<Verification>('/journal/wait', question));
  }

  /** Returns the refused requests, such as those that match no operation. */
  async unmatched(): Promise<readonly Exchange[]> {
    return inOrder(await this.#control.get<Exchanges>(`/journal/unmatched${toQuery(ALL)}`));
  }

  /** Returns the refused requests, each with its near misses. */
  async nearMisses(): Promise<readonly UnmatchedExchange[]> {
    const path = '/journal/unmatched/near-misses';
    const { unmatched } = await this.#control.get<{ unmatched: UnmatchedExchange[] }>(path);
    return unmatched;
  }

  /** Removes all exchanges. */
  clear(): Promise<void> {
    return this.#control.delete('/journal');
  }
}

/** The maximum that the control API returns at once. */
const MOST = 10_000;
const ALL = { limit: MOST };

/** Sorts exchanges, which the control API returns newest first. */
function inOrder<Operation extends OperationTypes>({
  exchanges,
}: Exchanges<Operation>): readonly Exchange<Operation>[] {
  return [...exchanges].sort((left, right) => left.number - right.number);
}

function refuseUnverified(verification: Verification): void {
  if (!verification.verified) throw new VerificationError(verification);
}

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
  /** When its response was ready, with delays, by the session's clock. */
  readonly readyAt: string;
  /** When the client closed the connection before it had the whole response. */
  readonly leftAt?: string;
  /** Missing when no operation matches the request; of a callback, the operation that declares it. */
  readonly operationId?: string;
  /** The name of the callback or webhook, for a request that the mock sent. */
  readonly callback?: string;
  /** The number of the request that caused the callback. */
  readonly cause?: number;
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
  readonly problem?: Omit<ControlProblem, 'violations'>;
  /** Sentences for what was accepted against the document or a standard. */
  readonly deviations?: readonly string[];
  /** The origin of the response, the same as `Mock-Source`. */
  readonly source: string;
  /** The response as sent; its status is 0 where a callback got none. */
  readonly answer: {
    readonly status: number;
    readonly mediaType?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyBase64?: string;
    /** The items of a stream that were sent, and how it ended. */
    readonly stream?: {
      /** Each with the time by the session's clock when it was sent, in RFC 3339. */
      readonly items: readonly { readonly at: string; readonly value?: unknown }[];
      /** How many items the whole stream has. */
      readonly total: number;
      /** Missing while it is sent. */
      readonly end?: 'complete' | 'broken' | 'left';
    };
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
  /** A callback or webhook that the mock sent, in place of requests that it received. */
  readonly callback?: string;
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
