import type { Awaitable } from '../base/awaitable.ts';
import { tryParseJson } from '../base/json/parse.ts';
import type { JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { type Callback, readCallbacks } from '../contract/callbacks.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Log } from '../events/log.ts';
import { readQuery } from '../http/query.ts';
import type { ValidRequest } from '../request/request.ts';
import { type DrawChance, type DrawValue, drawSeed } from '../respond/generated.ts';
import type { CallBack } from '../respond/pipeline.ts';
import type { MockResponse } from '../respond/response.ts';
import type { Call } from '../session/call.ts';
import type { Deliver, Parcel } from './deliver.ts';
import { composeRequest, type OutgoingRequest } from './outgoing.ts';
import { type ExpressionExchange, fillExpressions } from './runtime-expression.ts';
import type { Sender } from './sender.ts';
import type { ShowChanged } from './show-changed.ts';

interface CallbackMaterial {
  readonly contract: Contract;
  readonly draw: DrawValue;
  readonly sender: Sender;
  readonly deliver: Deliver;
  readonly showChanged: ShowChanged;
  readonly log: Log;
  /** The hosts that callbacks may go to. */
  readonly hosts: readonly string[];
}

/** Returns the function that is called after every exchange with a valid request. */
export function createCallBack(material: CallbackMaterial): CallBack {
  const { contract, sender, showChanged } = material;
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
      const chance = { seed: drawSeed(call.random), now: call.now() };
      const number = call.session.takeNumber();
      const planned = { callback, exchange, chance, show, number, call, caller: request.operation };
      sender.start(() => sendCallback(planned, material));
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

/** A callback to send after the response. */
interface PlannedCallback {
  readonly callback: Callback;
  readonly exchange: ExpressionExchange;
  readonly chance: DrawChance;
  readonly show: ReturnType<ShowChanged>;
  readonly number: Awaitable<number>;
  readonly call: Call;
  /** The operation that declares it. */
  readonly caller: Operation;
}

async function sendCallback(planned: PlannedCallback, material: CallbackMaterial): Promise<void> {
  const { callback, exchange, chance, show, number, call, caller } = planned;
  // The answer goes first.
  await new Promise(setImmediate);
  const parcel: Parcel = {
    callback: { name: callback.name, cause: call.number },
    outgoing: callback,
    session: call.session,
    caller,
    number,
    seed: chance.seed,
  };
  const findUrl = (): URL => readUrl(fillExpressions(callback.expression, exchange));
  const compose = async (url: URL): Promise<OutgoingRequest> => {
    refuseHost(url, material.hosts);
    return composeRequest(callback, url.href, {
      draw: (described) => material.draw(described, chance, 'given'),
      show,
    });
  };
  // What failed is in the journal and in the log.
  await material.deliver(parcel, findUrl, compose).catch(() => undefined);
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
  if (typeof body !== 'string') return undefined;
  const value = tryParseJson(body);
  return value === undefined ? body : value;
}

/**
 * Refuses a URL whose host is not in the list: clients decide where a callback goes, and must not
 * reach what only the mock's machine can (CWE-918).
 *
 * @param hosts `localhost`, `[::1]`, `receiver:8080` for one port only, or `*` for all
 */
export function refuseHost({ hostname, port, protocol }: URL, hosts: readonly string[]): void {
  const withPort = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  const isAllowed = hosts.some((host) => {
    const allowed = host.toLowerCase();
    return allowed === '*' || allowed === hostname || allowed === withPort;
  });
  if (isAllowed) return;
  const remedy = `allow it with --callback-host ${hostname}`;
  throw new Error(`callbacks may not go to ${hostname}: ${remedy}`);
}
