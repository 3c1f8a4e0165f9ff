import type { Fault } from '../delivery/fault.ts';
import type { AnswerBody, ExampleOf, OperationTypes, StatusOf } from './api-types.ts';
import type { ControlChannel } from './control-channel.ts';
import { type Duration, toDurationText } from './duration.ts';
import type { Exchange, RequestMatch } from './exchange.ts';
import type { Expectation, JournalControl, Waiting } from './journal-control.ts';

/** Which of the next requests are meant. */
export interface Next {
  /** How many of them; 1 unless it is said. */
  readonly times?: number;
  /** Only those that match besides; the others are no part of the count. */
  readonly match?: RequestMatch;
}

/** How a failure is told, where the document's own words are not enough. */
export interface FailureDetails<Operation extends OperationTypes> extends Next {
  readonly example?: ExampleOf<Operation>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Duration;
}

/** An answer that the document allows. */
export interface PlannedAnswer<Operation extends OperationTypes, Status extends number>
  extends Next {
  readonly status: Status;
  readonly example?: ExampleOf<Operation, Status>;
  readonly body?: AnswerBody<Operation, Status>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Duration;
}

/** An answer that the document need not allow. */
export interface OffContractAnswer extends Next {
  readonly offContract: true;
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Duration;
}

/** The rule that was made, and what it lets the operation answer. */
export interface Planned {
  readonly fixture: { readonly name: string };
  readonly answers: readonly {
    readonly operationId: string;
    readonly status?: number;
    readonly mediaType?: string;
    readonly body?: unknown;
    readonly fault?: string;
    readonly delayMilliseconds?: number;
  }[];
}

/** What a test says to one operation of a session, and asks of it. */
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
   * Lets the next requests fail, in the words of the document: the response that is declared for
   * the status, else for its range, else `default`.
   *
   * @throws {ControlError} when the document cannot say it
   */
  failNext(status: number, details: FailureDetails<Operation> = {}): Promise<Planned> {
    return this.#plan({ status, ...details });
  }

  /**
   * Answers the next requests so.
   *
   * @throws {ControlError} when the document does not allow the answer
   */
  answerNext<Status extends StatusOf<Operation>>(
    answer: PlannedAnswer<Operation, Status>,
  ): Promise<Planned>;
  /** Answers the next requests so, whatever the document allows. */
  answerNext(answer: OffContractAnswer): Promise<Planned>;
  answerNext(answer: Plan): Promise<Planned> {
    return this.#plan(answer);
  }

  /** Lets the answers to the next requests wait. */
  delayNext(delay: Duration, next: Next = {}): Promise<Planned> {
    return this.#plan({ ...next, delay });
  }

  /** Breaks or spoils the answers to the next requests, as a bad connection does. */
  breakNext(fault: Fault, next: Next = {}): Promise<Planned> {
    return this.#plan({ fault, ...next });
  }

  /** @returns the calls so far, in their order */
  calls(match: RequestMatch = {}): Promise<readonly Exchange<Operation>[]> {
    return this.#journal.find<Operation>(this.#only(match));
  }

  /** @returns how often it was called */
  count(match: RequestMatch = {}): Promise<number> {
    return this.#journal.count(this.#only(match));
  }

  /** @returns the last call; undefined when there was none */
  async lastCall(match: RequestMatch = {}): Promise<Exchange<Operation> | undefined> {
    const found = await this.#journal.find<Operation>(this.#only(match), { limit: 1 });
    return found.at(-1);
  }

  /**
   * Waits until it was called: once, or `times` times, `within` 5 seconds or what is said.
   *
   * @returns the calls
   * @throws {VerificationError} when it was not
   */
  async waitFor(waiting: Waiting = {}): Promise<readonly Exchange<Operation>[]> {
    const { times, within, status, ...match } = waiting;
    await this.#journal.wait({ ...waiting, ...this.#only({}) });
    return this.#journal.find<Operation>(this.#only(match), { status });
  }

  /** @throws {VerificationError} when it was not called as is expected: at least once */
  verify(expectation: Expectation = {}): Promise<void> {
    return this.#journal.verify({ ...expectation, ...this.#only({}) });
  }

  #only(match: RequestMatch): RequestMatch {
    return { ...match, operationId: this.operationId };
  }

  #plan(plan: Plan): Promise<Planned> {
    const { delay, ...said } = plan;
    return this.#control.post<Planned>('/fail', {
      operationId: this.operationId,
      ...said,
      ...(delay !== undefined && { delay: toDurationText(delay) }),
    });
  }
}

/** What the next requests get. */
interface Plan extends Next {
  readonly status?: number;
  readonly fault?: Fault;
  readonly example?: unknown;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay?: Duration;
}
