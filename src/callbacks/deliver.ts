import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { createRandom } from '../base/random.ts';
import type { OutgoingOperation } from '../contract/callbacks.ts';
import type { Operation } from '../contract/contract.ts';
import type { Log } from '../events/log.ts';
import { Fields, NO_BODY, type WireRequest } from '../http/message.ts';
import type { Exchange, SentCallback } from '../journal/exchange.ts';
import type { Redaction } from '../journal/redact/redaction.ts';
import { redactUris } from '../journal/redact/show-fields.ts';
import { LazyRequestView } from '../request/create-view.ts';
import type { BodyLimits } from '../request/decode.ts';
import type { Described, DrawChance, DrawValue } from '../respond/generated.ts';
import { decide, Effects, type RecordedEffects } from '../rules/decide.ts';
import type { Session } from '../session/session.ts';
import {
  addOwnFields,
  changeRequest,
  composeRequest,
  type GivenPayload,
  type OutgoingRequest,
} from './outgoing.ts';
import type { IncomingResponse, Sender } from './sender.ts';
import type { ShowInPayload } from './show-changed.ts';

interface DeliverMaterial {
  readonly draw: DrawValue;
  readonly sender: Sender;
  readonly log: Log;
  readonly redaction: Redaction;
  /** Receives every exchange, in addition to the journal of its session. */
  readonly publish: (exchange: Exchange) => void;
  readonly limits: BodyLimits;
  /** Aborted when the mock is closed: delays end then. */
  readonly closed: AbortSignal;
}

/** A callback or webhook to send. */
export interface Parcel {
  readonly callback: SentCallback;
  readonly outgoing: OutgoingOperation;
  readonly session: Session;
  /** The operation that declares the callback; undefined for a webhook. */
  readonly caller: Operation | undefined;
  readonly number: Awaitable<number>;
  /** Of its values, and of what rules draw. */
  readonly chance: DrawChance;
  readonly findUrl: () => URL;
  readonly hosts: readonly string[];
  /** Shows in its body what it is about. */
  readonly show?: ShowInPayload;
  /** In place of the body that the document describes. */
  readonly body?: GivenPayload | undefined;
}

/** A callback or webhook that was sent, and the response of its receiver. */
export interface WebhookExchange {
  readonly request: OutgoingRequest;
  readonly response: IncomingResponse;
  /** The number of the exchange in the journal. */
  readonly number: number;
}

/**
 * Sends a callback or webhook, and writes it to the journal and the log.
 *
 * @throws {Problem} CALLBACK_NOT_SENT, or INVALID_REQUEST for a body that the document does not allow
 */
export type Deliver = (parcel: Parcel) => Promise<WebhookExchange>;

export function createDeliver(material: DeliverMaterial): Deliver {
  const { closed, limits } = material;
  return async (parcel) => {
    const { outgoing, session, chance, hosts, show, body } = parcel;
    const draw = (described: Described) => material.draw(described, chance, 'given');
    const { name, method } = outgoing;
    const number = await parcel.number;
    let request: OutgoingRequest = { name, method, url: '', headers: {}, body: null };
    let effects: RecordedEffects = new Effects().recorded;
    try {
      const url = parcel.findUrl();
      request = { ...request, url: url.href };
      refuseHost(url, hosts);
      request = await composeRequest(outgoing, url.href, { draw, show, body });
      request = addOwnFields(request, session.id);
      effects = await applyRules(request, parcel, limits);
      request = changeRequest(request, outgoing, effects.sending);
      const { delayMilliseconds = 0, sending, acted } = effects;
      if (delayMilliseconds > 0) await session.clock.sleep(delayMilliseconds, closed);
      if (sending?.deliveries === 0) throw notSent(`the rule ${acted.join(', ')} drops it`);
    } catch (error) {
      const problem = toProblem(error, material.redaction);
      await settle({ parcel, effects, number, request, problem }, material);
      throw problem;
    }
    const first = sendOnce({ parcel, effects, number, request }, material);
    for (let count = 1; count < (effects.sending?.deliveries ?? 1); count++) {
      await first.catch(() => undefined);
      const again = { parcel, effects, request, number: await session.takeNumber() };
      await sendOnce(again, material).catch(() => undefined);
    }
    return first;
  };
}

/**
 * Refuses a URL whose host is not in the list: clients decide where a callback goes, and must not
 * reach what only the mock's machine can (CWE-918).
 *
 * @param hosts `localhost`, `[::1]`, `receiver:8080` for one port only, or `*` for all
 */
function refuseHost({ hostname, port, protocol }: URL, hosts: readonly string[]): void {
  const withPort = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  const isAllowed = hosts.some((host) => {
    const allowed = host.toLowerCase();
    return allowed === '*' || allowed === hostname || allowed === withPort;
  });
  if (isAllowed) return;
  const remedy = `allow it with --callback-host ${hostname}`;
  throw new Error(`callbacks may not go to ${hostname}: ${remedy}`);
}

async function sendOnce(attempt: Attempt, material: DeliverMaterial): Promise<WebhookExchange> {
  const { request, number } = attempt;
  try {
    const response = await material.sender.send(request);
    await settle({ ...attempt, response }, material);
    return { request, response, number };
  } catch (error) {
    const problem = toProblem(error, material.redaction);
    await settle({ ...attempt, problem }, material);
    throw problem;
  }
}

function applyRules(request: OutgoingRequest, parcel: Parcel, limits: BodyLimits) {
  const { session, caller, chance, callback } = parcel;
  const rules = session.fixtures
    .rulesForCallbacks()
    .filter(({ pattern }) => pattern.callback === callback.name);
  const view = new LazyRequestView(toWireRequest(request), session, limits, caller);
  const effects = new Effects();
  const question = {
    phase: 'callback',
    rules,
    operation: undefined,
    view,
    effects,
    now: session.clock.now(),
    randomFor: (purpose: string) => createRandom(`${chance.seed}\n${purpose}`),
    requested: [],
    isExclusive: false,
  } as const;
  return after(decide(question, session), () => effects.recorded);
}

async function settle(attempt: Attempt, material: DeliverMaterial): Promise<void> {
  const { request, response, problem } = attempt;
  const { log, redaction } = material;
  const { name: callback, method } = request;
  const url = redactUris(request.url, redaction);
  const details = { callback, method, ...(url !== '' && { url }) };
  if (response === undefined) {
    log.warn('callback not sent', { ...details, message: problem?.message });
  } else {
    const { status, milliseconds } = response;
    log.info('callback', { ...details, status, milliseconds: Number(milliseconds.toFixed(2)) });
  }
  await record(toExchange(attempt), attempt.parcel, material);
}

/** A failure never spoils the delivery. */
async function record(exchange: Exchange, { session }: Parcel, { publish, log }: DeliverMaterial) {
  try {
    await session.record(exchange);
    publish(exchange);
  } catch (error) {
    log.error('not in the journal', error);
  }
}

interface Attempt {
  readonly parcel: Parcel;
  readonly effects: RecordedEffects;
  readonly number: number;
  readonly request: OutgoingRequest;
  readonly response?: IncomingResponse;
  readonly problem?: Problem;
}

function toExchange({ parcel, effects, number, request, response, problem }: Attempt): Exchange {
  const { session, callback, caller } = parcel;
  const { 'content-type': mediaType, ...responseFields } = response?.headers ?? {};
  return {
    number,
    session: session.id,
    at: session.clock.now(),
    readyAt: session.clock.now(),
    request: toWireRequest(request),
    operationId: caller?.id,
    status: response?.status ?? 0,
    mediaType,
    responseFields,
    responseBody: response?.body || null,
    source: 'callback',
    problem,
    deviations: [],
    rules: effects.acted,
    fault: undefined,
    delayMilliseconds: effects.delayMilliseconds ?? 0,
    milliseconds: response?.milliseconds ?? 0,
    replay: undefined,
    callback,
  };
}

function toWireRequest({ method, url, headers, body }: OutgoingRequest): WireRequest {
  const rawBody = typeof body === 'string' ? Buffer.from(body) : (body ?? NO_BODY);
  return { method, target: url, fields: new Fields({ ...headers }), rawBody };
}

function toProblem(error: unknown, redaction: Redaction): Problem {
  if (error instanceof Problem) return error;
  return notSent(redactUris(reasonOf(error), redaction));
}

function notSent(reason: string): Problem {
  return new Problem('CALLBACK_NOT_SENT', reason);
}

/** The platform's fetch gives its reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
