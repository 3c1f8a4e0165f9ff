import { type Awaitable, after } from './base/awaitable.ts';
import { Problem, toProblem } from './base/problem.ts';
import type { CallBack } from './callbacks/callbacks.ts';
import type { Contract } from './contract/contract.ts';
import { DiagnosticError } from './document/diagnostic.ts';
import { isFieldValue, NO_FIELDS, type WireRequest } from './http/message.ts';
import type { Exchange } from './journal/exchange.ts';
import { authenticate } from './request/authenticate.ts';
import { createRequestView, type LazyRequestView } from './request/create-view.ts';
import { decode } from './request/decode.ts';
import type { RoutedRequest, ValidRequest } from './request/request.ts';
import { route } from './request/route.ts';
import { validate } from './request/validate.ts';
import { respondToOutage } from './respond/by-rule.ts';
import type { ErrorBodies } from './respond/error-body.ts';
import { asProblemJson, type Refuse } from './respond/refuse.ts';
import { respond } from './respond/respond.ts';
import type { MockResponse, ResponseSource } from './respond/response.ts';
import type { FixtureSet } from './rules/fixture-set.ts';
import { Call } from './session/call.ts';
import { readReplay, writeReplay } from './session/replay.ts';
import type { Session } from './session/session.ts';

/** All that a request meets on its way; exchanged as a whole when the document is reloaded. */
export interface Pipeline {
  readonly contract: Contract;
  readonly fixtures: FixtureSet;
  readonly sources: readonly ResponseSource[];
  readonly errorBodies: ErrorBodies;
  readonly refuse: Refuse;
  /** Is told of every exchange, besides the journal of its session. */
  readonly listen: (exchange: Exchange) => void;
  /** Is told why an exchange could not be kept in the journal. */
  readonly listenToFailure: (error: unknown) => void;
  readonly callBack: CallBack;
  /** Tokens and keys that are accepted; none accepts all. */
  readonly tokens: ReadonlySet<string>;
  readonly maximumBodyBytes: number;
  readonly brotli: boolean;
  /** Aborted when all is closed: nobody waits any more. */
  readonly closed: AbortSignal;
}

/** The answer to a request, or in its place the fault that breaks its connection. */
export interface Delivered {
  readonly call: Call;
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
export function handle(pipeline: Pipeline, request: WireRequest, session: Session): Delivery {
  const exchange = new OpenExchange(pipeline, request, session);
  try {
    const match = exchange.matched(route(pipeline.contract, request));
    if (match.operation.fault !== undefined) return exchange.refuse(match.operation.fault);
    const met = meetFirst(pipeline, match, exchange.call);
    if (!(met instanceof Promise)) return proceed(pipeline, met, exchange);
    return met.then(
      (late) => proceed(pipeline, late, exchange),
      (error: unknown) => exchange.refuse(error),
    );
  } catch (error) {
    return exchange.refuse(error);
  }
}

/** The way of a request from where it is known that there is no outage. */
function proceed(
  pipeline: Pipeline,
  { match, view, outage }: Met,
  exchange: OpenExchange,
): Delivery {
  try {
    if (outage !== undefined) return exchange.deliver(outage);
    const caller = authenticate(match, pipeline.tokens);
    const decoded = decode(caller, pipeline);
    const valid = validate(decoded);
    if (valid instanceof Problem) return exchange.refuse(valid);
    exchange.validated(valid);
    view.take(valid);
    const answer = respond(valid, pipeline.sources, exchange.call, view);
    if (!(answer instanceof Promise)) return exchange.deliver(answer);
    return answer.then(
      (late) => exchange.deliver(late),
      (error: unknown) => exchange.refuse(error),
    );
  } catch (error) {
    return exchange.refuse(error);
  }
}

/** What a request meets before anybody looks at its credential. */
interface Met {
  readonly match: RoutedRequest;
  readonly view: LazyRequestView;
  readonly outage: MockResponse | undefined;
}

function meetFirst(pipeline: Pipeline, match: RoutedRequest, call: Call): Awaitable<Met> {
  return after(repeat(call, match), () => {
    const view = createRequestView(match, call.session.id, pipeline);
    const outage = respondToOutage(match, call, view, pipeline.errorBodies);
    return after(outage, (met) => ({ match, view, outage: met }));
  });
}

/**
 * The first part of the way, for a client that waits for leave to send its body
 * (RFC 9110 §10.1.1).
 *
 * @param open gives the session to refuse it in
 * @returns the refusal that it would get whatever the body; undefined bids it go on
 */
export function refuseEarly(
  pipeline: Pipeline,
  request: WireRequest,
  open: (refuse: (session: Session) => Delivery) => Delivery,
): Delivery | undefined {
  try {
    const match = route(pipeline.contract, request);
    if (match.operation.fault === undefined) authenticate(match, pipeline.tokens);
    return undefined;
  } catch {
    // Found again on the whole way, where it is numbered and told.
    return open((session) => handle(pipeline, request, session));
  }
}

/**
 * Refuses a request whose session cannot be reached: as its operation can say it, if it is for
 * one.
 */
export function refuseUnreached(
  pipeline: Pipeline,
  request: WireRequest,
  session: Session,
  problem: Problem,
): Delivery {
  const exchange = new OpenExchange(pipeline, request, session);
  try {
    exchange.matched(route(pipeline.contract, request));
  } catch {
    // What it asks for is not there: that comes second.
  }
  return exchange.refuse(problem);
}

/** @returns the answer to a request that no operation can be named for */
export function refuseUnrouted(
  pipeline: Pipeline,
  request: WireRequest,
  session: Session,
  problem: Problem,
): Delivery {
  return new OpenExchange(pipeline, request, session).refuse(problem);
}

/** A request may make an earlier one again, and the mock may have been started to do so. */
function repeat(call: Call, { fields, operation }: RoutedRequest): Awaitable<void> {
  return after(call.session.claimReplay(operation.id), (awaited) => {
    const field = fields.get('mock-replay');
    const replay = field === undefined ? awaited : readReplay(field);
    if (replay !== undefined) call.repeat(replay);
    else if (field !== undefined) {
      throw new Problem(
        'INVALID_REPLAY',
        'Mock-Replay must be what an earlier answer said in it, such as seed="coldframe", call=17',
      );
    }
  });
}

/** Whoever listens cannot spoil the answer. */
function tell(listen: (exchange: Exchange) => void, exchange: Exchange): void {
  try {
    listen(exchange);
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
  readonly call: Call;
  readonly #pipeline: Pipeline;
  readonly #request: WireRequest;
  readonly #at: number;
  readonly #started: number;
  #match: RoutedRequest | undefined;
  #valid: ValidRequest | undefined;

  constructor(pipeline: Pipeline, request: WireRequest, session: Session) {
    this.#pipeline = pipeline;
    this.#request = request;
    this.call = new Call(session);
    this.#at = session.clock.now();
    this.#started = session.clock.monotonic();
  }

  matched(match: RoutedRequest): RoutedRequest {
    this.#match = match;
    return match;
  }

  validated(valid: ValidRequest): void {
    this.#valid = valid;
  }

  /** The answer, with what the fixtures do to it, whoever gives it. */
  deliver(response: MockResponse, problem?: Problem): Delivery {
    const { effects, session } = this.call;
    if (!isSendable(response)) return this.refuse(unsendable(response));
    if (effects.isIdle) return this.#finish(response, problem);
    const affected = this.#affect(response);
    if (affected.delayMilliseconds === 0) return this.#finish(affected, problem);
    return session.clock.sleep(affected.delayMilliseconds, this.#pipeline.closed).then(
      () => this.#finish(affected, problem),
      // A clock that fails has made nobody wait.
      (error: unknown) => this.#finish(this.#pipeline.refuse(explain(error), undefined), problem),
    );
  }

  refuse(error: unknown): Delivery {
    const problem = explain(error);
    // What cannot be read cannot say how it is refused.
    const declaring = this.#match?.operation.fault === undefined ? this.#match : undefined;
    const refusal = this.#pipeline.refuse(problem, declaring);
    if (isSendable(refusal)) return this.deliver(refusal, problem);
    return this.deliver({ ...asProblemJson(problem), fields: NO_FIELDS }, problem);
  }

  #affect(response: MockResponse): MockResponse {
    const { effects } = this.call;
    return {
      ...response,
      fields: { ...response.fields, ...effects.fields },
      delayMilliseconds: effects.delayMilliseconds,
      pace: effects.pace,
      fault: response.fault ?? effects.spoiling,
    };
  }

  #finish(response: MockResponse, problem: Problem | undefined): Delivery {
    const { call } = this;
    const { effects, session } = call;
    const operationId = this.#match?.operation.id;
    const replay = effects.acted.length === 0 ? undefined : writeReplay(call.describe(operationId));
    const exchange = {
      number: call.number,
      session: session.id,
      at: this.#at,
      request: this.#request,
      operationId,
      status: response.status,
      mediaType: response.mediaType,
      responseFields: response.fields,
      responseBody: response.body,
      source: response.source,
      problem,
      rules: effects.acted,
      fault: response.fault,
      delayMilliseconds: response.delayMilliseconds,
      milliseconds: session.clock.monotonic() - this.#started,
      replay,
    };
    const recorded = session.record(exchange);
    if (!(recorded instanceof Promise)) return this.#tell(exchange, response);
    // What is answered is so, whether it could be written down or not.
    return recorded.then(
      () => this.#tell(exchange, response),
      (error: unknown) => {
        this.#pipeline.listenToFailure(error);
        return this.#tell(exchange, response);
      },
    );
  }

  #tell(exchange: Exchange, response: MockResponse): Delivered {
    const { listen, callBack } = this.#pipeline;
    tell(listen, exchange);
    if (this.#valid !== undefined) callBack(this.#valid, response, this.call);
    return { call: this.call, response: this.#warn(withReplay(response, exchange.replay)) };
  }

  /** Whatever a deprecated operation answers says that it is; what the answer says itself stays. */
  #warn(response: MockResponse): MockResponse {
    const operation = this.#match?.operation;
    const warning = operation?.fault === undefined ? operation?.deprecation : undefined;
    if (warning === undefined || warning === NO_FIELDS) return response;
    return { ...response, fields: { ...warning, ...response.fields } };
  }
}

/** Node does not write what no field can have, and finds that only when nobody can answer any more. */
function isSendable({ mediaType, fields }: MockResponse): boolean {
  if (mediaType !== undefined && !isFieldValue(mediaType)) return false;
  return fields === NO_FIELDS || Object.values(fields).every(isFieldValue);
}

function unsendable({ mediaType = '', fields, source }: MockResponse): Problem {
  const all = Object.entries({ ...fields, 'content-type': mediaType });
  const names = all.filter(([, value]) => !isFieldValue(value)).map(([name]) => name);
  return new Problem(
    'NOT_CONFORMING',
    `the answer of ${source} would have characters that no field can have (RFC 9110 §5.5) ` +
      `in ${names.join(', ')}`,
  );
}

function withReplay(response: MockResponse, replay: string | undefined): MockResponse {
  if (replay === undefined) return response;
  return { ...response, fields: { ...response.fields, 'mock-replay': replay } };
}
