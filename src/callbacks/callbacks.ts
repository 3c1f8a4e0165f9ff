import type { Awaitable } from '../base/awaitable.ts';
import { tryParseJson } from '../base/json/parse.ts';
import type { JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Log } from '../events/log.ts';
import { readQuery } from '../http/query.ts';
import type { Redaction } from '../journal/redact/redaction.ts';
import { redactUris } from '../journal/redact/show-fields.ts';
import type { ValidRequest } from '../request/request.ts';
import { type DrawChance, type DrawValue, drawSeed } from '../respond/generated.ts';
import type { CallBack } from '../respond/pipeline.ts';
import type { MockResponse } from '../respond/response.ts';
import {
  type Callback,
  composeRequest,
  type OutgoingRequest,
  readCallbacks,
  readWebhooks,
} from './outgoing.ts';
import { type ExpressionExchange, fillExpressions } from './runtime-expression.ts';
import type { IncomingResponse, Sender } from './sender.ts';

interface CallbackMaterial {
  readonly contract: Contract;
  readonly draw: DrawValue;
  readonly sender: Sender;
  readonly log: Log;
  readonly redaction: Redaction;
  /** The hosts that callbacks may go to. */
  readonly hosts: readonly string[];
}

/** Returns the function that is called after every exchange with a valid request. */
export function createCallBack(material: CallbackMaterial): CallBack {
  const { contract, sender } = material;
  const known = new Map<Operation, readonly Callback[]>();
  const callbacksOf = (operation: Operation): readonly Callback[] =>
    remember(known, operation, () => readSafely(contract, operation, material.log));
  return (request, response, call) => {
    const { status, fault } = response;
    if (fault !== undefined || status < 200 || status > 299) return;
    const callbacks = callbacksOf(request.operation);
    if (callbacks.length === 0) return;
    const exchange = toExpressionExchange(request, response);
    for (const callback of callbacks) {
      // Drawn at once, so that chance does not depend on how fast receivers are.
      const chance = { seed: drawSeed(call.random), now: call.now() };
      sender.start(() => sendCallback(callback, exchange, chance, material));
    }
  };
}

/** A malformed callback must not fail its operation. */
function readSafely(contract: Contract, operation: Operation, log: Log): readonly Callback[] {
  try {
    return readCallbacks(contract, operation.pointer);
  } catch (error) {
    log.error(`the callbacks of ${operation.id} are not sent`, error);
    return [];
  }
}

async function sendCallback(
  callback: Callback,
  exchange: ExpressionExchange,
  chance: DrawChance,
  { draw, sender, log, hosts, redaction }: CallbackMaterial,
): Promise<void> {
  // The answer goes first.
  await new Promise(setImmediate);
  const details: Record<string, unknown> = { callback: callback.name, method: callback.method };
  try {
    const url = readUrl(fillExpressions(callback.expression, exchange));
    details['url'] = redactUris(url.href, redaction);
    if (!isAllowedHost(url, hosts)) {
      const remedy = `allow it with --callback-host ${url.hostname}`;
      throw new Error(`callbacks may not go to ${url.hostname}: ${remedy}`);
    }
    const request = await composeRequest(callback, url.href, (described) =>
      draw(described, chance, 'given'),
    );
    const { status, milliseconds } = await sender.send(request);
    log.info('callback', { ...details, status, milliseconds: Number(milliseconds.toFixed(2)) });
  } catch (error) {
    const message = redactUris(reasonOf(error), redaction);
    log.warn('callback not sent', { ...details, message });
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new Error(`${JSON.stringify(text.slice(0, 200))} is no http URL`);
}

/** The platform's fetch gives its reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function toExpressionExchange(request: ValidRequest, response: MockResponse): ExpressionExchange {
  const { fields, method, target } = request;
  const origin = `http://${fields.get('host') ?? 'localhost'}`;
  return {
    url: target.startsWith('/') ? origin + target : target,
    method,
    status: response.status,
    request: {
      header: (name) => fields.get(name),
      query: (name) => readQuery(request.query).find(([key]) => key === name)?.[1],
      path: (name) => request.pathParameters.get(name),
      body: request.body?.value,
    },
    response: { header: (name) => response.fields[name], body: readBody(response) },
  };
}

function readBody({ body }: MockResponse): JsonValue | undefined {
  if (typeof body !== 'string') return undefined;
  const value = tryParseJson(body);
  return value === undefined ? body : value;
}

/**
 * Returns whether the host of a URL is in the list: clients decide where a callback goes, and
 * must not reach what only the mock's machine can (CWE-918).
 *
 * @param hosts `localhost`, `[::1]`, `receiver:8080` for one port only, or `*` for all
 */
function isAllowedHost({ hostname, port, protocol }: URL, hosts: readonly string[]): boolean {
  const withPort = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  return hosts.some((host) => {
    const allowed = host.toLowerCase();
    return allowed === '*' || allowed === hostname || allowed === withPort;
  });
}

/** A webhook that was sent, and what came back. */
export interface WebhookExchange {
  readonly request: OutgoingRequest;
  readonly response: IncomingResponse;
}

/** Sends one webhook of the document. */
export type FireWebhook = (name: string, url: string | URL) => Promise<WebhookExchange>;

export interface WebhookMaterial extends Pick<CallbackMaterial, 'contract' | 'draw' | 'sender'> {
  /** Returns the random seed and the time of the next webhook. */
  readonly nextChance: () => Awaitable<DrawChance>;
}

/**
 * Returns a function that sends a webhook to a URL of the caller. It throws for a name that the
 * document does not have, and the error of `fetch`.
 */
export function createFireWebhook(material: WebhookMaterial): FireWebhook {
  const { contract, draw, nextChance, sender } = material;
  return async (name, url) => {
    const webhooks = readWebhooks(contract);
    const webhook = webhooks.find((one) => one.name === name);
    if (webhook === undefined) {
      const names = [...new Set(webhooks.map((one) => one.name))].join(', ') || 'none';
      throw new Error(`the document has no webhook ${JSON.stringify(name)}, it has ${names}`);
    }
    const chance = await nextChance();
    const request = await composeRequest(webhook, new URL(url).href, (described) =>
      draw(described, chance, 'given'),
    );
    return { request, response: await sender.send(request) };
  };
}
