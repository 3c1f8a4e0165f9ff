import type { AnyOperation, OperationTypes } from './api-types.ts';
import { type ControlChannel, toPath, toQuery } from './control-channel.ts';
import { type Duration, toDurationText } from './duration.ts';
import type { Exchange, RequestMatch } from './exchange.ts';
import { type NearMiss, type Verification, VerificationError } from './verification-error.ts';

/** How often requests of a kind are expected: at least once, unless it is said. */
export interface Expectation extends RequestMatch {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Only requests that were answered so. */
  readonly status?: number;
}

/** Requests one after the other, others between them or not. */
export interface Sequence {
  readonly inOrder: readonly RequestMatch[];
}

/** What is waited for, and how long. */
export interface Waiting extends RequestMatch {
  /** At least so many; 1 unless it is said. */
  readonly times?: number;
  /** At most 60 seconds; 5 seconds unless it is said. By the machine's time. */
  readonly within?: Duration;
  /** Only requests that were answered so. */
  readonly status?: number;
}

/** Narrows what is found. */
export interface FindOptions {
  /** Only requests that were answered so. */
  readonly status?: number | undefined;
  /** The last so many of those that match. */
  readonly limit?: number | undefined;
}

/** Which exchanges are listed. */
export interface ListOptions extends FindOptions {
  readonly operationId?: string;
  /** Only those with a greater number. */
  readonly since?: number;
}

/** A request for which there was no operation, or that was refused, and what it nearly matched. */
export interface UnmatchedExchange {
  readonly exchange: Exchange;
  readonly nearMisses: readonly NearMiss[];
}

interface Exchanges<Operation extends OperationTypes = AnyOperation> {
  readonly exchanges: readonly Exchange<Operation>[];
}

/** What was asked in a session, and what became of it. Exchanges come in the order of the calls. */
export class JournalControl {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** @returns every exchange that is still kept, or those that the options leave */
  async list(options: ListOptions = {}): Promise<readonly Exchange[]> {
    const query = toQuery({ limit: MOST, ...options });
    return inOrder(await this.#control.get<Exchanges>(`/journal${query}`));
  }

  /** @returns one exchange. @throws {ControlError} when it is not kept */
  get(number: number): Promise<Exchange> {
    return this.#control.get<Exchange>(toPath('journal', String(number)));
  }

  /** @returns the requests that match */
  async find<Operation extends OperationTypes = AnyOperation>(
    match: RequestMatch,
    { status, limit = MOST }: FindOptions = {},
  ): Promise<readonly Exchange<Operation>[]> {
    const question = { match, status, limit };
    return inOrder(await this.#control.post<Exchanges<Operation>>('/journal/find', question));
  }

  /** @returns how many requests match */
  async count({ status, ...match }: Expectation): Promise<number> {
    const question = { match, status };
    const { count } = await this.#control.post<{ readonly count: number }>(
      '/journal/count',
      question,
    );
    return count;
  }

  /** @throws {VerificationError} when what is expected has not been asked */
  async verify(expectation: Expectation | Sequence): Promise<void> {
    const question = isSequence(expectation) ? expectation : splitExpectation(expectation);
    refuseUnverified(await this.#control.post<Verification>('/journal/verify', question));
  }

  /**
   * Waits until requests have come.
   *
   * @throws {VerificationError} when they have not, at the end of the time
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

  /** @returns the requests for which there was no operation, or that were refused */
  async unmatched(): Promise<readonly Exchange[]> {
    return inOrder(await this.#control.get<Exchanges>(`/journal/unmatched${toQuery(ALL)}`));
  }

  /** @returns the same, each with what it nearly matched, and why it did not */
  async nearMisses(): Promise<readonly UnmatchedExchange[]> {
    const path = '/journal/unmatched/near-misses';
    const { unmatched } = await this.#control.get<{
      readonly unmatched: readonly UnmatchedExchange[];
    }>(path);
    return unmatched;
  }

  /** Forgets what was asked. */
  clear(): Promise<void> {
    return this.#control.delete('/journal');
  }
}

/** The control API gives no more at once. */
const MOST = 10_000;
const ALL = { limit: MOST };

/** It is told with the last one first. */
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
