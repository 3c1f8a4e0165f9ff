import type { Refusal } from '../base/problem.ts';
import type { Contract } from '../contract/contract.ts';
import type { ClientWatch } from '../delivery/client-watch.ts';
import type { Log } from '../events/log.ts';
import type { WireRequest } from '../http/message.ts';
import type { Attribution, Exchange } from '../journal/exchange.ts';
import { redactProblem } from '../journal/redact/redact-problem.ts';
import type { Redaction } from '../journal/redact/redaction.ts';
import type { AcceptedCredentials } from '../request/authenticate.ts';
import { LazyRequestView } from '../request/create-view.ts';
import type { ReadyRequests } from '../request/ready-request.ts';
import type { RoutedRequest, ValidRequest } from '../request/request.ts';
import type { ValidationLevel } from '../request/validate.ts';
import type { FixtureSet } from '../rules/fixture-set.ts';
import { Call } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { FailingMaterial } from './by-rule.ts';
import type { Refuse } from './refuse.ts';
import type { MockResponse, ResponseSource } from './response.ts';
import type { ToStream } from './stream/to-stream.ts';

/** Everything that the stages need; replaced as a whole when the documents are read again. */
export interface Pipeline extends FailingMaterial, AcceptedCredentials {
  readonly contract: Contract;
  readonly fixtures: FixtureSet;
  readonly sources: readonly ResponseSource[];
  readonly toStream: ToStream;
  readonly refuse: Refuse;
  /** Removes secrets from refusals, the journal, the log and events. */
  readonly redaction: Redaction;
  /** Receives every exchange, in addition to the journal of its session. */
  readonly listen: (exchange: Exchange) => void;
  readonly cover: (exchange: PendingExchange, response: MockResponse) => void;
  readonly log: Pick<Log, 'error'>;
  readonly callBack: CallBack;
  /** Returns requests to try operations with; they are made when they are first asked for. */
  readonly ready: () => ReadyRequests;
  readonly validate: ValidationLevel;
  readonly maximumBodyBytes: number;
  readonly brotli: boolean;
  /** Aborts when the mock is closed: delays end then. */
  readonly closed: AbortSignal;
}

/** Sends the callbacks of an operation; never delays its response. */
export type CallBack = (request: ValidRequest, response: MockResponse, call: Call) => void;

/** A request on its way through the stages, with what they have found so far. */
export class PendingExchange {
  readonly pipeline: Pipeline;
  readonly call: Call;
  readonly request: WireRequest;
  /** When the request arrived by the session's clock; milliseconds since 1970. */
  readonly at: number;
  /** The same, in milliseconds of the monotonic clock. */
  readonly started: number;
  /** Undefined where nobody knows when the client leaves. */
  readonly client: ClientWatch | undefined;
  /** When the client left during the delay, by the session's clock. */
  leftAt: number | undefined;
  routed: RoutedRequest | undefined;
  valid: ValidRequest | undefined;
  problem: Refusal | undefined;
  attribution: Attribution | undefined;
  /** Sentences about what is accepted although the document or a standard does not allow it. */
  readonly deviations: string[] = [];
  /** The violations that the validation level tolerates, for a field. */
  tolerated: string | undefined;
  #view: LazyRequestView | undefined;

  /** Begins the exchange of a request that arrives now; it gets the next call number. */
  constructor(
    pipeline: Pipeline,
    request: WireRequest,
    session: Session,
    client: ClientWatch | undefined,
  ) {
    this.pipeline = pipeline;
    this.call = new Call(session);
    this.request = request;
    this.client = client;
    this.at = session.clock.now();
    this.started = session.clock.monotonic();
  }

  /** The request as rules read it, with the operation once that is found. */
  get view(): LazyRequestView {
    const { pipeline, call, request, routed = request } = this;
    if (this.#view?.request !== routed) {
      this.#view = new LazyRequestView(routed, call.session, pipeline);
    }
    return this.#view;
  }

  /** Returns a problem that quotes no secret of the request. */
  redact(problem: Refusal): Refusal {
    return redactProblem(problem, this.view, this.pipeline.redaction);
  }
}
