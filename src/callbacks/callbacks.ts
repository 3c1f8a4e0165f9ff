import { parseJsonOrText } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { type Callback, readCallbacks } from '../contract/callbacks.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { valueAt } from '../document/source-document.ts';
import type { Log } from '../events/log.ts';
import { encodePercent, readQuery } from '../http/query.ts';
import type { ValidRequest } from '../request/request.ts';
import { drawSeed } from '../respond/generated.ts';
import type { CallBack } from '../respond/pipeline.ts';
import type { MockResponse } from '../respond/response.ts';
import type { Deliver, Parcel } from './deliver.ts';
import type { Sender } from './sender.ts';
import type { ShowChanged } from './show-changed.ts';

interface CallbackMaterial {
  readonly contract: Contract;
  readonly sender: Sender;
  readonly deliver: Deliver;
  readonly showChanged: ShowChanged;
  readonly log: Log;
  readonly hosts: readonly string[];
}

/** Returns the function that is called after every exchange with a valid request. */
export function createCallBack(material: CallbackMaterial): CallBack {
  const { contract, sender, deliver, showChanged, hosts } = material;
  const known = new Map<Operation, readonly Callback[]>();
  const callbacksOf = (operation: Operation): readonly Callback[] =>
    remember(known, operation, () => readSafely(contract, operation, material.log));
  return (request, response, call) => {
    const { status, fault } = response;
    if (fault !== undefined || status < 200 || status > 299) return;
    const callbacks = callbacksOf(request.operation);
    if (callbacks.length === 0) return;
    const exchange = toExpressionExchange(request, response);
    const show = showChanged(request, exchange.response.body, call);
    for (const callback of callbacks) {
      // Drawn and numbered at once, so that neither depends on how fast receivers are.
      const parcel: Parcel = {
        callback: { name: callback.name, cause: call.number },
        outgoing: callback,
        session: call.session,
        caller: request.operation,
        number: call.session.takeNumber(),
        chance: { seed: drawSeed(call.random), now: call.now() },
        findUrl: () => readUrl(fillExpressions(callback.expression, exchange)),
        hosts,
        show,
      };
      sender.start(async () => {
        // The answer goes first.
        await new Promise(setImmediate);
        // The journal and the log have the failure.
        await deliver(parcel).catch(() => undefined);
      });
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

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new Error(`${JSON.stringify(text.slice(0, 200))} is no http URL`);
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
  return typeof body === 'string' ? parseJsonOrText(body) : undefined;
}

/** The parts of a message that a runtime expression can read. */
export interface ExpressionMessage {
  readonly header: (name: string) => string | undefined;
  /** A response has neither query nor path. */
  readonly query?: (name: string) => string | undefined;
  readonly path?: (name: string) => string | undefined;
  readonly body: JsonValue | undefined;
}

export interface ExpressionExchange {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly request: ExpressionMessage;
  readonly response: ExpressionMessage;
}

/**
 * Fills a text with what its runtime expressions give (OAS 3.1 §4.8.20.4):
 * `{$request.body#/callbackUrl}?id={$response.body#/id}`, or one expression without braces.
 * Values after a `?` are percent-encoded, so that each stays one value.
 *
 * @throws {Error} for an expression that is none, and for one that finds nothing
 */
export function fillExpressions(text: string, exchange: ExpressionExchange): string {
  if (text.startsWith('$')) return evaluate(text, exchange);
  let filled = '';
  let end = 0;
  for (const match of text.matchAll(/\{(\$[^{}]*)\}/g)) {
    filled = append(filled, text.slice(end, match.index));
    const value = evaluate(match[1] ?? '', exchange);
    filled += filled.includes('?') ? encodePercent(value) : value;
    end = match.index + match[0].length;
  }
  return append(filled, text.slice(end));
}

/** A URL has one query: what comes after a second `?` continues the first (RFC 3986 §3.4). */
function append(filled: string, text: string): string {
  return filled + (filled.includes('?') ? text.replace('?', '&') : text);
}

function evaluate(expression: string, exchange: ExpressionExchange): string {
  const value = find(expression, exchange);
  if (value === undefined) throw new Error(`${expression} finds nothing`);
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && (value === null || Array.isArray(value))) {
    throw new Error(`${expression} finds ${stringifyJson(value)}, which is no text`);
  }
  return stringifyJson(value);
}

const FIELD_EXPRESSION = /^\$(request|response)\.(header|query|path)\.(.+)$/;
const BODY_EXPRESSION = /^\$(request|response)\.body(?:#(\/.*)?)?$/;

function find(expression: string, exchange: ExpressionExchange): JsonValue | undefined {
  switch (expression) {
    case '$url':
      return exchange.url;
    case '$method':
      return exchange.method;
    case '$statusCode':
      return exchange.status;
  }
  const [, side, source, name = ''] = FIELD_EXPRESSION.exec(expression) ?? [];
  if (side === 'request' || side === 'response') {
    const message = exchange[side];
    if (source === 'header') return message.header(name.toLowerCase());
    return source === 'query' ? message.query?.(name) : message.path?.(name);
  }
  const [, sideOfBody, pointer = ''] = BODY_EXPRESSION.exec(expression) ?? [];
  if (sideOfBody !== 'request' && sideOfBody !== 'response') {
    throw new Error(`${expression} is no runtime expression (OAS 3.1 §4.8.20.4)`);
  }
  const { body } = exchange[sideOfBody];
  return body === undefined ? undefined : valueAt(body, pointer);
}
