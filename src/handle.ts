import type { CallBack } from './callbacks/callbacks.ts';
import type { Contract } from './contract/contract.ts';
import type { Match, OperationRequest } from './contract/operation-request.ts';
import { DiagnosticError } from './document/diagnostic.ts';
import type { FixtureSet } from './fixtures/fixture-set.ts';
import type { WireRequest } from './http/message.ts';
import type { Exchange, Journal } from './journal.ts';
import { NO_FIELDS, Problem, toProblem } from './problem.ts';
import { authenticate } from './request/authenticate.ts';
import { decode } from './request/decode.ts';
import { route } from './request/route.ts';
import { validate } from './request/validate.ts';
import type { MockResponse, ResponseSource } from './respond/answer.ts';
import { meetOutage } from './respond/by-fixture.ts';
import type { ErrorBodies } from './respond/error-body.ts';
import type { Refuse } from './respond/refuse.ts';
import { respond } from './respond/respond.ts';
import type { Session } from './session.ts';

/** All that a request meets on its way; exchanged as a whole when the document is reloaded. */
export interface Serving {
  readonly contract: Contract;
  readonly fixtures: FixtureSet;
  readonly sources: readonly ResponseSource[];
  readonly errorBodies: ErrorBodies;
  readonly refuse: Refuse;
  readonly session: Session;
  readonly journal: Journal;
  readonly callBack: CallBack;
  /** Tokens and keys that are accepted; none accepts all. */
  readonly tokens: ReadonlySet<string>;
  readonly maximumBodyBytes: number;
  readonly brotli: boolean;
}

/** The answer to a request, or in its place the fault that breaks its connection. */
export interface Delivered {
  /** The number of the request in its session. */
  readonly id: number;
  readonly response: MockResponse;
}

/** What becomes of a request; a promise only where it must be waited for. */
export type Delivery = Delivered | Promise<Delivered>;

/**
 * The way of a request, whole. It never throws: what goes wrong is answered.
 *
 * An answer that can be given at once is given at once; a promise is only for one that must be
 * generated or waits.
 */
export function handle(serving: Serving, request: WireRequest): Delivery {
  const exchange = new OpenExchange(serving, request);
  try {
    const match = exchange.matched(route(serving.contract, request));
    if (match.operation.fault !== undefined) return exchange.refuse(match.operation.fault);
    const outage = meetOutage(match, serving.fixtures, serving.session, serving.errorBodies);
    if (outage !== undefined) exchange.delay(outage.delayMilliseconds);
    if (outage?.response !== undefined) return exchange.deliver(outage.response);
    const caller = authenticate(match, serving.tokens);
    const decoded = decode(caller, serving);
    const valid = validate(decoded);
    if (valid instanceof Problem) return exchange.refuse(valid);
    exchange.validated(valid);
    const answer = respond(valid, serving.sources);
    if (!(answer instanceof Promise)) return exchange.deliver(answer);
    return answer.then(
      (late) => exchange.deliver(late),
      (error: unknown) => exchange.refuse(error),
    );
  } catch (error) {
    return exchange.refuse(error);
  }
}

/**
 * The first part of the way, for a client that waits for leave to send its body
 * (RFC 9110 §10.1.1).
 *
 * @returns the refusal that it would get whatever the body; undefined bids it go on
 */
export function refuseEarly(serving: Serving, request: WireRequest): Delivery | undefined {
  const exchange = new OpenExchange(serving, request);
  try {
    const match = exchange.matched(route(serving.contract, request));
    if (match.operation.fault === undefined) authenticate(match, serving.tokens);
    return undefined;
  } catch (error) {
    return exchange.refuse(error);
  }
}

/** @returns the answer to a request that no operation can be named for */
export function refuseUnrouted(serving: Serving, request: WireRequest, problem: Problem): Delivery {
  return new OpenExchange(serving, request).refuse(problem);
}

/** Whoever listens to the journal cannot spoil the answer. */
function tell(journal: Journal, exchange: Exchange): void {
  try {
    journal(exchange);
  } catch {
    // There is no one left to tell.
  }
}

/** A fault of the document that shows only when a schema is first used is told as such. */
function explain(error: unknown): Problem {
  if (!(error instanceof DiagnosticError)) return toProblem(error);
  return new Problem('NOT_SERVED', error.message, { cause: error });
}

/** A request on its way; ends with its delivery, which the journal is told of. */
class OpenExchange {
  readonly #serving: Serving;
  readonly #request: WireRequest;
  readonly #started: number;
  #delayMilliseconds = 0;
  #match: Match | undefined;
  #valid: OperationRequest | undefined;

  constructor(serving: Serving, request: WireRequest) {
    this.#serving = serving;
    this.#request = request;
    this.#started = serving.session.clock.monotonic();
  }

  matched(match: Match): Match {
    this.#match = match;
    return match;
  }

  validated(valid: OperationRequest): void {
    this.#valid = valid;
  }

  /** Lets the answer wait, whatever it will be. */
  delay(milliseconds: number): void {
    this.#delayMilliseconds += milliseconds;
  }

  deliver(response: MockResponse, problem?: Problem): Delivery {
    const milliseconds = this.#delayMilliseconds + response.delayMilliseconds;
    if (milliseconds === 0) return this.#finish(response, problem);
    return this.#serving.session.clock
      .sleep(milliseconds)
      .then(() => this.#finish(response, problem));
  }

  refuse(error: unknown): Delivery {
    const problem = explain(error);
    // What cannot be read cannot say how it is refused.
    const declaring = this.#match?.operation.fault === undefined ? this.#match : undefined;
    return this.deliver(this.#serving.refuse(problem, declaring), problem);
  }

  #finish(response: MockResponse, problem: Problem | undefined): Delivered {
    const { session, journal } = this.#serving;
    const id = session.nextRequest();
    tell(journal, {
      id,
      method: this.#request.method,
      target: this.#request.target,
      operationId: this.#match?.operation.id,
      status: response.status,
      source: response.source,
      problem,
      fault: response.fault,
      milliseconds: session.clock.monotonic() - this.#started,
    });
    if (this.#valid !== undefined) this.#serving.callBack(this.#valid, response);
    return { id, response: this.#warn(response) };
  }

  /** Whatever a deprecated operation answers says that it is; what the answer says itself stays. */
  #warn(response: MockResponse): MockResponse {
    const operation = this.#match?.operation;
    const warning = operation?.fault === undefined ? operation?.deprecation : undefined;
    if (warning === undefined || warning === NO_FIELDS) return response;
    return { ...response, headers: { ...warning, ...response.headers } };
  }
}
