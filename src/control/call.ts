import type { Clock } from '../base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import type { Contract } from '../contract/contract.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { WireRequest } from '../http/message.ts';
import type { Exchange } from '../journal/exchange.ts';
import type { Redaction } from '../journal/redact/redaction.ts';
import type { ValidRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Resources } from '../resources/meaning.ts';
import type { EventName, MockEvent } from '../session/mock-event.ts';
import type { EditableSession } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { GuardSettings } from './guard.ts';
import { toNumber } from './members.ts';

/** What is served now. */
export interface ControlServing {
  readonly contract: Contract;
  readonly resources: Resources;
  /** What of the journal is not shown. */
  readonly redaction: Redaction;
}

/** The control API's own document, and its text. */
export interface ControlDocument {
  readonly contract: Contract;
  readonly text: string;
}

/** What the control API works on. */
export interface ControlSettings extends GuardSettings {
  /** False lets no page read the answers. */
  readonly cors: boolean;
  readonly maximumBodyBytes: number;
  readonly version: string;
  /** Every setting by its name, secrets taken out. */
  readonly settings: JsonObject;
  readonly serving: () => ControlServing;
  readonly sessions: Sessions;
  /** @returns the request of an exchange as patterns see it */
  readonly view: (exchange: Exchange) => RequestView;
  readonly events: EventHub;
  /** Read when it is first needed: most mocks are never asked. */
  readonly document: () => Promise<ControlDocument>;
  /** The JSON Schema of fixture files for a contract. */
  readonly fixtureSchema: (contract: Contract) => Promise<JsonObject>;
  /** The machine's. */
  readonly clock: Clock;
  /** Aborted when the server begins to close. */
  readonly closing: AbortSignal;
}

/** A request to the control API that keeps its document. */
export class ControlCall {
  readonly settings: ControlSettings;
  readonly session: EditableSession;
  readonly #client: AbortSignal | undefined;
  readonly #request: ValidRequest;
  readonly #events: MockEvent[] = [];

  constructor(
    settings: ControlSettings,
    session: EditableSession,
    request: ValidRequest,
    client: AbortSignal | undefined,
  ) {
    this.settings = settings;
    this.session = session;
    this.#request = request;
    this.#client = client;
  }

  get request(): WireRequest {
    return this.#request;
  }

  /** Aborted when the client goes away, or the server closes; for what takes its time. */
  get signal(): AbortSignal {
    const { closing } = this.settings;
    return this.#client === undefined ? closing : AbortSignal.any([closing, this.#client]);
  }

  get serving(): ControlServing {
    return this.settings.serving();
  }

  /** Tells those who listen what this call has changed, once that is kept. */
  publish(name: Exclude<EventName, 'exchange'>, data: () => JsonObject = () => ({})): void {
    this.#events.push({ name, session: this.session.id, data });
  }

  /** Keeps what the call has changed. @returns false when it must be done again */
  async finish(): Promise<boolean> {
    if (!(await this.session.save())) return false;
    for (const event of this.#events) this.settings.events.publish(event);
    return true;
  }

  /** A parameter of the path; empty where the path has none so called. */
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

  /** The decoded body; undefined when none came. */
  get body(): JsonValue | undefined {
    return this.#request.body?.value;
  }

  /** The body as an object; an empty one where none came. */
  get members(): JsonObject {
    return isJsonObject(this.body) ? this.body : {};
  }
}

/** What an operation answers. */
export interface ControlAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: ControlContent;
}

type ControlContent =
  | { readonly kind: 'json'; readonly value: JsonValue; readonly mediaType?: string }
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string }
  | {
      readonly kind: 'stream';
      readonly stream: ReadableStream<Uint8Array>;
      readonly mediaType: string;
    };

/** Does what one operation of the control API's document says. */
export type ControlOperation = (call: ControlCall) => ControlAnswer | Promise<ControlAnswer>;

/** Operations by their operationIds. */
export type ControlOperations = Readonly<Record<string, ControlOperation>>;

/** It is done, and there is nothing to say. */
export const DONE: ControlAnswer = Object.freeze({ status: 204 });

/** @returns the answer with a value as its body */
export function answerJson(value: JsonValue, status = 200): ControlAnswer {
  return { status, content: { kind: 'json', value } };
}
