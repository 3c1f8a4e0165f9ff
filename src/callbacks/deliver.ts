import type { Awaitable } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import type { OutgoingOperation } from '../contract/callbacks.ts';
import type { Operation } from '../contract/contract.ts';
import type { Log } from '../events/log.ts';
import { Fields, NO_BODY, type WireRequest } from '../http/message.ts';
import type { Exchange, SentCallback } from '../journal/exchange.ts';
import type { Redaction } from '../journal/redact/redaction.ts';
import { redactUris } from '../journal/redact/show-fields.ts';
import type { Session } from '../session/session.ts';
import { addOwnFields, type OutgoingRequest } from './outgoing.ts';
import type { IncomingResponse, Sender } from './sender.ts';

interface DeliverMaterial {
  readonly sender: Sender;
  readonly log: Log;
  readonly redaction: Redaction;
  /** Receives every exchange, in addition to the journal of its session. */
  readonly publish: (exchange: Exchange) => void;
}

/** A callback or webhook, and what causes it. */
export interface Parcel {
  readonly callback: SentCallback;
  readonly outgoing: OutgoingOperation;
  readonly session: Session;
  /** The operation that declares the callback; undefined for a webhook. */
  readonly caller: Operation | undefined;
  /** Of its exchange. */
  readonly number: Awaitable<number>;
  /** The random seed of what rules draw. */
  readonly seed: string;
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
 * @param findUrl returns where it goes
 * @param compose returns its request
 * @throws {Problem} CALLBACK_NOT_SENT, or the problem of these functions
 */
export type Deliver = (
  parcel: Parcel,
  findUrl: () => URL,
  compose: (url: URL) => Promise<OutgoingRequest>,
) => Promise<WebhookExchange>;

/** Returns the function that sends callbacks and webhooks. */
export function createDeliver(material: DeliverMaterial): Deliver {
  const { sender, log, redaction } = material;
  return async (parcel, findUrl, compose) => {
    const { name } = parcel.callback;
    const { method } = parcel.outgoing;
    const number = await parcel.number;
    let request: OutgoingRequest = { name, method, url: '', headers: {}, body: null };
    let response: IncomingResponse | undefined;
    let problem: Problem | undefined;
    try {
      const url = findUrl();
      request = { ...request, url: url.href };
      request = addOwnFields(await compose(url), parcel.session.id);
      response = await sender.send(request);
      return { request, response, number };
    } catch (error) {
      problem = toProblem(error, redaction);
      throw problem;
    } finally {
      const url = redactUris(request.url, redaction);
      const details = { callback: name, method, ...(url !== '' && { url }) };
      if (response === undefined) {
        log.warn('callback not sent', { ...details, message: problem?.message });
      } else {
        const { status, milliseconds } = response;
        log.info('callback', { ...details, status, milliseconds: Number(milliseconds.toFixed(2)) });
      }
      await record(toExchange({ parcel, number, request, response, problem }), parcel, material);
    }
  };
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

interface Sent {
  readonly parcel: Parcel;
  readonly number: number;
  readonly request: OutgoingRequest;
  readonly response: IncomingResponse | undefined;
  readonly problem: Problem | undefined;
}

function toExchange({ parcel, number, request, response, problem }: Sent): Exchange {
  const { session, callback, caller } = parcel;
  const { 'content-type': mediaType, ...responseFields } = response?.headers ?? {};
  return {
    number,
    session: session.id,
    at: session.clock.now(),
    request: toWireRequest(request),
    operationId: caller?.id,
    status: response?.status ?? 0,
    mediaType,
    responseFields,
    responseBody: response?.body || null,
    source: 'callback',
    problem,
    deviations: [],
    rules: [],
    fault: undefined,
    delayMilliseconds: 0,
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
  return new Problem('CALLBACK_NOT_SENT', redactUris(reasonOf(error), redaction));
}

/** The platform's fetch gives its reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
