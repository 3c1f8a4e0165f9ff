import type { AnyOperation, OperationTypes } from './api-types.ts';
import { type Duration, toDurationText } from './clock-control.ts';
import { type ControlChannel, toPath, toQuery } from './control-channel.ts';
import type { Exchange, RequestMatch } from './exchange.ts';

/** The expected number of requests. Defaults to at least one. */
export interface Expectation extends RequestMatch {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Counts only requests whose response has this status. */
  readonly status?: number;
}

/** Requests in this order. Other requests may come between them. */
export interface Sequence {
  readonly inOrder: readonly RequestMatch[];
}

/** The requests to wait for. */
export interface Waiting extends RequestMatch {
  /** The number of requests. Defaults to 1. */
  readonly times?: number;
  /** The longest time to wait, at most 60 seconds of system time. Defaults to 5 seconds. */
  readonly within?: Duration;
  /** Counts only requests whose response has this status. */
  readonly status?: number;
}

/** Filters of found requests. */
export interface FindOptions {
  /** Only requests whose response has this status. */
  readonly status?: number | undefined;
  /** Only the last of these, up to this number. */
  readonly limit?: number | undefined;
}

/** Filters of listed exchanges. */
export interface ListOptions extends FindOptions {
  readonly operationId?: string;
  /** Only exchanges with a greater number. */
  readonly since?: number;
}

/** A refused request with its near misses. */
export interface UnmatchedExchange {
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
    { status, limit = MOST }: FindOptions = {},
  ): Promise<readonly Exchange<Operation>[]> {
    const question = { match, status, limit };
    return inOrder(await this.#control.post<Exchanges<Operation>>('/journal/find', question));
  }

  /** Returns the number of matching requests. */
  async count({ status, ...match }: Expectation): Promise<number> {
    const question = { match, status };
    const { count } = await this.#control.post<{ readonly count: number }>(
      '/journal/count',
      question,
    );
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
    const question = isSequence(expectation) ? expectation : splitExpectation(expectation);
    refuseUnverified(await this.#control.post<Verification>('/journal/verify', question));
  }

  /**
   * Waits for requests.
   *
   * @throws {VerificationError} when they do not come in time
   */
  async wait({ times, within, status, ...match }: Waiting): Promise<void> {
    const question = {
      match,
      status,
      times,
      ...(within !== undefined && { within: toDurationText(within) }),
    };
    refuseUnverified(await this.#control.post<Verification>('/journal/wait', question));
  }

  /** Returns the refused requests, such as those that match no operation. */
  async unmatched(): Promise<readonly Exchange[]> {
    return inOrder(await this.#control.get<Exchanges>(`/journal/unmatched${toQuery(ALL)}`));
  }

  /** Returns the refused requests, each with its near misses. */
  async nearMisses(): Promise<readonly UnmatchedExchange[]> {
    const path = '/journal/unmatched/near-misses';
    const { unmatched } = await this.#control.get<{
      readonly unmatched: readonly UnmatchedExchange[];
    }>(path);
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

function isSequence(expectation: Expectation | Sequence): expectation is Sequence {
  return Array.isArray(expectation['inOrder']);
}

function splitExpectation({ exactly, atLeast, atMost, status, ...match }: Expectation): object {
  return { match, status, exactly, atLeast, atMost };
}

function refuseUnverified(verification: Verification): void {
  if (!verification.verified) throw new VerificationError(verification);
}
