import type { Fault } from '../delivery/transmission.ts';
import type {
  AnswerBody,
  ExampleOf,
  OperationTypes,
  StatusOf,
  UndeclaredStatusOf,
} from './api-types.ts';
import { type Duration, toDurationText } from './clock-control.ts';
import type { ControlChannel } from './control-channel.ts';
import type {
  Exchange,
  Expectation,
  JournalControl,
  RequestMatch,
  Waiting,
} from './journal-control.ts';

/** Selects the next requests. */
export interface Next {
  /** The number of requests. Defaults to 1. */
  readonly times?: number;
  /** Only matching requests; others are not counted. */
  readonly match?: RequestMatch;
}

/** Details of a response. */
interface AnswerDetails extends Next {
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly delay?: Duration;
}

/** Details of a failure that replace those from the document. */
export interface FailureDetails<Operation extends OperationTypes> extends AnswerDetails {
  /** The name of an example of the document. */
  readonly example?: ExampleOf<Operation>;
  readonly body?: unknown;
  /** True responds with the nearest declared error instead of an undeclared status. */
  readonly contractOnly?: boolean;
  /** True sends the response even if it breaks the contract. */
  readonly offContract?: boolean;
}

/** A response that conforms to the document. */
export interface PlannedAnswer<Operation extends OperationTypes, Status extends number>
  extends AnswerDetails {
  readonly status: Status;
  readonly example?: ExampleOf<Operation, Status>;
  readonly body?: AnswerBody<Operation, Status>;
}

/** A failure with a status that the operation does not declare. */
export interface UndeclaredAnswer<Operation extends OperationTypes>
  extends FailureDetails<Operation> {
  readonly status: UndeclaredStatusOf<Operation>;
}

/** A response that may break the contract. */
export interface OffContractAnswer extends AnswerDetails {
  readonly offContract: true;
  readonly status: number;
  readonly body?: unknown;
}

/** The rule that was added, and the responses that it gives. */
export interface Planned {
  readonly fixture: { readonly name: string };
  readonly answers: readonly {
    readonly operationId: string;
    readonly status?: number;
    /** True for a status that the operation does not declare. */
    readonly undeclared?: true;
    readonly mediaType?: string;
    readonly body?: unknown;
    readonly fault?: string;
    readonly delayMilliseconds?: number;
  }[];
}

/**
 * One operation of a session: plan its next responses, and inspect its calls.
 *
 * @example
 * await session.createPlant.failNext(503);
 * await session.createPlant.verify({ exactly: 2 });
 */
export class OperationControl<Operation extends OperationTypes> {
  readonly operationId: string;
  readonly #control: ControlChannel;
  readonly #journal: JournalControl;

  constructor(control: ControlChannel, journal: JournalControl, operationId: string) {
    this.#control = control;
    this.#journal = journal;
    this.operationId = operationId;
  }

  /**
   * Makes the next request fail with a status. The body comes from the response that the operation
   * declares for the status, its range or `default`; of another status, it looks like its errors.
   *
   * @throws {ControlError} for a body that the declared error does not allow
   *
   * @example
   * await session.createPlant.failNext(503, { times: 2 });
   */
  failNext(status: number, details: FailureDetails<Operation> = {}): Promise<Planned> {
    return this.#plan({ status, ...details });
  }

  /**
   * Sets the response of the next request.
   *
   * @throws {ControlError} when the response breaks the contract
   *
   * @example
   * await session.createPlant.answerNext({ status: 201, body: { id: 1, name: 'Fern' } });
   */
  answerNext<Status extends StatusOf<Operation>>(
    answer: PlannedAnswer<Operation, Status>,
  ): Promise<Planned>;
  /** Makes the next request fail with a status that is not declared, as a gateway does. */
  answerNext(answer: UndeclaredAnswer<Operation>): Promise<Planned>;
  /** Sets the response of the next request, even if it breaks the contract. */
  answerNext(answer: OffContractAnswer): Promise<Planned>;
  answerNext(answer: Plan): Promise<Planned> {
    return this.#plan(answer);
  }

  /** Delays the response to the next request. */
  delayNext(delay: Duration, next: Next = {}): Promise<Planned> {
    return this.#plan({ ...next, delay });
  }

  /** Breaks the connection or corrupts the response of the next request. */
  breakNext(fault: Fault, next: Next = {}): Promise<Planned> {
    return this.#plan({ fault, ...next });
  }

  /** Returns the calls of the operation, in order. */
  calls(match: RequestMatch = {}): Promise<readonly Exchange<Operation>[]> {
    return this.#journal.find<Operation>(this.#only(match));
  }

  /** Returns the number of calls. */
  count(match: RequestMatch = {}): Promise<number> {
    return this.#journal.count(this.#only(match));
  }

  /** Returns the last call; undefined when there is none. */
  async lastCall(match: RequestMatch = {}): Promise<Exchange<Operation> | undefined> {
    const found = await this.#journal.find<Operation>(this.#only(match), { limit: 1 });
    return found.at(-1);
  }

  /**
   * Waits for calls and returns them: for one call and at most 5 seconds, unless you pass `times`
   * and `within`.
   *
   * @throws {VerificationError} when they do not come in time
   */
  async waitFor(waiting: Waiting = {}): Promise<readonly Exchange<Operation>[]> {
    const { times, within, status, ...match } = waiting;
    await this.#journal.wait({ ...waiting, ...this.#only({}) });
    return this.#journal.find<Operation>(this.#only(match), { status });
  }

  /**
   * Verifies the number of calls: at least one by default.
   *
   * @throws {VerificationError} when it differs
   *
   * @example
   * await session.createPlant.verify({ exactly: 2, status: 503 });
   */
  verify(expectation: Expectation = {}): Promise<void> {
    return this.#journal.verify({ ...expectation, ...this.#only({}) });
  }

  #only(match: RequestMatch): RequestMatch {
    return { ...match, operationId: this.operationId };
  }

  #plan(plan: Plan): Promise<Planned> {
    const { delay, ...rest } = plan;
    const failure = { operationId: this.operationId, ...rest, delay: toDurationText(delay) };
    return this.#control.post<Planned>('/fail', failure);
  }
}

/** The body of `POST /__admin/fail`. */
interface Plan extends AnswerDetails {
  readonly status?: number;
  readonly fault?: Fault;
  readonly example?: unknown;
  readonly body?: unknown;
}
