import type { Clock } from '../base/clock.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { thereIs } from '../base/nearest-name.ts';
import { Problem, type ProblemName } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import type { SendByHand } from '../callbacks/send-by-hand.ts';
import type { MockSession } from '../client/session.ts';
import type { Contract } from '../contract/contract.ts';
import type { EventHub } from '../events/event-hub.ts';
import { originOf } from '../http/host.ts';
import type { ResponseFields, WireRequest } from '../http/message.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { Redaction } from '../journal/redact/redaction.ts';
import type { CoverageRecorder } from '../report/coverage/recorder.ts';
import type { Summary } from '../report/summary.ts';
import type { BodyLimits } from '../request/decode.ts';
import type { ReadyRequests } from '../request/ready-request.ts';
import type { ValidRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Resources } from '../resources/meaning.ts';
import type { World } from '../resources/seed/world.ts';
import type { ShowSingleton, ShowStored } from '../respond/state/show-stored.ts';
import type { EditableSession } from '../session/session.ts';
import type { EventName, MockEvent, Sessions } from '../session/sessions.ts';
import type { GuardSettings } from './guard.ts';
import { toNumber } from './members.ts';

/** The contract that the mock serves now; a reload replaces it. */
export interface ControlPipeline {
  readonly contract: Contract;
  readonly resources: Resources;
  readonly showStored: ShowStored;
  readonly showSingleton: ShowSingleton;
  readonly coverage: CoverageRecorder;
  readonly sendByHand: SendByHand;
  readonly ready: () => ReadyRequests;
  /** The resources before the first write; undefined where reads show none. */
  readonly world: World | undefined;
  readonly redaction: Redaction;
}

export interface ControlDocument {
  readonly contract: Contract;
  readonly text: string;
}

/** The mock as the control API sees it. */
export interface ControlSettings extends GuardSettings {
  /** False lets no page of a browser read the responses. */
  readonly cors: boolean;
  readonly limits: BodyLimits;
  readonly version: string;
  readonly callbackHosts: readonly string[];
  /** Every setting by its name, secrets redacted. */
  readonly settings: JsonObject;
  readonly pipeline: () => ControlPipeline;
  readonly sessions: Sessions;
  /** Opens a session of the typed client, in process. */
  readonly openSession: (id: string) => MockSession;
  /** Returns the request of an exchange as matches see it. */
  readonly view: (exchange: Exchange) => RequestView;
  readonly events: EventHub;
  /** Loads the document on first use. */
  readonly document: () => Promise<ControlDocument>;
  readonly fixtureSchema: (contract: Contract) => Promise<JsonObject>;
  /** Returns the port of the documents' paths; undefined while the mock does not listen. */
  readonly port: () => string | undefined;
  readonly summarize: () => Summary;
  /** The system's clock, not a session's. */
  readonly clock: Clock;
  /** Aborted when the server starts to close. */
  readonly closing: AbortSignal;
}

/** A valid request to the control API, with the session that it works on. */
export class ControlCall {
  readonly settings: ControlSettings;
  readonly session: EditableSession;
  /** The session as the request names it; undefined where it names none. */
  readonly named: string | undefined;
  readonly #client: () => AbortSignal;
  readonly #request: ValidRequest;
  readonly #events: MockEvent[] = [];

  constructor(
    settings: ControlSettings,
    session: EditableSession,
    named: string | undefined,
    request: ValidRequest,
    client: () => AbortSignal,
  ) {
    this.settings = settings;
    this.session = session;
    this.named = named;
    this.#request = request;
    this.#client = client;
  }

  get request(): WireRequest {
    return this.#request;
  }

  /** Aborted when the client disconnects or the server closes; for operations that wait. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.settings.closing, this.#client()]);
  }

  /** Where the mock serves the document to this session, as the client reaches it. */
  get mockUrl(): string {
    return this.mockOrigin + (this.#request.prefix ?? '');
  }

  /** The mock as the client reaches it, without a session. */
  get mockOrigin(): string {
    const { settings, port } = this.settings;
    const { fields } = this.#request;
    return originOf({ fields }, settings['adminPort'] == null ? undefined : port());
  }

  get pipeline(): ControlPipeline {
    return this.settings.pipeline();
  }

  /** Publishes an event once the change is saved; returns the response to the change. */
  publish(
    name: Exclude<EventName, 'exchange' | 'callback'>,
    data: JsonObject,
    response: ControlResponse = NO_CONTENT,
  ): ControlResponse {
    this.#events.push({ name, session: this.session.id, data: () => data });
    return response;
  }

  /** Saves the session and publishes its events; returns false when the call must be repeated. */
  async finish(): Promise<boolean> {
    if (!(await this.session.save())) return false;
    for (const event of this.#events) this.settings.events.publish(event);
    return true;
  }

  path(name: string): string {
    return this.#request.pathParameters.get(name) ?? '';
  }

  parameter(name: string): JsonValue | undefined {
    return this.#request.parameters.find((one) => one.name === name)?.value;
  }

  text(name: string): string | undefined {
    const value = this.parameter(name);
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    return toNumber(this.parameter(name));
  }

  flag(name: string): boolean {
    return this.parameter(name) === true;
  }

  get body(): JsonValue | undefined {
    return this.#request.body?.value;
  }

  get members(): JsonObject {
    return isJsonObject(this.body) ? this.body : {};
  }
}

export type ControlOperation = (call: ControlCall) => ControlResponse | Promise<ControlResponse>;

export type ControlOperations = Readonly<Record<string, ControlOperation>>;

/** Returns the problem for an unknown name, which lists the known ones. */
export function unknownName(
  problem: ProblemName,
  kind: string,
  name: string,
  known: Iterable<string>,
): Problem {
  return new Problem(problem, `there is no ${kind} ${quote(name)}, ${thereIs(name, known)}`);
}

export interface ControlResponse {
  readonly status: number;
  readonly fields?: ResponseFields;
  readonly content?: {
    readonly body: string | ReadableStream<Uint8Array>;
    readonly mediaType: string;
  };
}

export const NO_CONTENT: ControlResponse = Object.freeze({ status: 204 });

export function jsonResponse(
  value: JsonValue,
  status = 200,
  mediaType = 'application/json',
): ControlResponse {
  return { ...textResponse(stringifyJson(value), mediaType), status };
}

export function textResponse(
  body: string | ReadableStream<Uint8Array>,
  mediaType: string,
): ControlResponse {
  return { status: 200, content: { body, mediaType } };
}
