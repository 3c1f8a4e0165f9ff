import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Awaitable, afterWith } from '../base/awaitable.ts';
import type { Problem } from '../base/problem.ts';
import { once } from '../base/remember.ts';
import { leaveAtEnd, SocketWatch } from '../delivery/client-watch.ts';
import { sendPlain, sendPlanned } from '../delivery/send-over-socket.ts';
import { isPlain } from '../delivery/transmission.ts';
import type { WholeWriter } from '../delivery/write-whole.ts';
import type { Log } from '../events/log.ts';
import { isJsonMediaType, readMediaType } from '../http/media-type.ts';
import { Fields, NO_BODY, type WireBody, type WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import { readSession, type SessionRequest } from '../session/session-id.ts';
import type { App } from './app.ts';
import { collectBody, findFramingProblem } from './incoming.ts';
import { type MockSettings, type ReadyResponse, respondTo, sendingContext } from './mock-paths.ts';
import { RequestOrder } from './request-order.ts';

export interface ListenerSettings extends MockSettings {
  readonly maximumBodyBytes: number;
  readonly app: App;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

type Incoming = IncomingMessage & {
  rawBody?: Buffer;
  /** The body that a body parser of Connect or Express has read. */
  readonly body?: unknown;
  /** The target before Connect or Express removed the path below which the mock is mounted. */
  readonly originalUrl?: string;
};

/**
 * Answers a request of `node:http`, as a request listener or as middleware of Connect and Express.
 *
 * @param next called for a path that the mock does not have; without it, the mock responds with 404
 */
export type Handler = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Returns the functions that answer and refuse the requests of a server.
 *
 * @param writer undefined for a server that is not ours
 */
export function createListener(
  settings: ListenerSettings,
  closing: AbortSignal,
  writer?: WholeWriter,
) {
  const passToApp = createAppListener(settings);
  const respond = createResponder(settings, closing, writer);
  const { controlPaths } = settings;
  const refuse = (arrival: Arrival, refusal?: Problem): void => {
    const { incoming, outgoing, body } = arrival;
    order.close(arrival);
    outgoing.setHeader('connection', 'close');
    respond(readSession(toWireRequest(incoming, body)), outgoing, refusal);
  };
  const handle = (arrival: Arrival): void => {
    const { incoming, outgoing, body } = arrival;
    const refusal = findFramingProblem(incoming);
    if (refusal !== undefined) {
      refuse(arrival, refusal);
      return;
    }
    if (body === 'too-large') {
      order.close(arrival);
      outgoing.setHeader('connection', 'close');
    }
    const named = readSession(toWireRequest(incoming, body));
    if (!controlPaths.includes(named.request.target)) respond(named, outgoing);
    else void order.waitFor(arrival, passToApp(incoming, outgoing, named));
  };
  const order = new RequestOrder(handle);
  const answer = (arrival: Arrival): void => {
    if (order.admits(arrival)) handle(arrival);
  };
  const { enqueue, answerWaiting } = gather(answer, writer);
  const listen = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    collectBody(incoming, settings.maximumBodyBytes, (body) => {
      enqueue({ incoming, outgoing, body });
    });
  };
  const refuseEarly = (arrival: Arrival, refusal?: Problem): void => {
    answerWaiting();
    refuse(arrival, refusal);
  };
  return { listen, answer, refuseEarly, answerWaiting };
}

/** Returns the mock as middleware: a listener that passes on requests for paths of others. */
export function createHandler(settings: ListenerSettings, closing: AbortSignal): Handler {
  const { listen, answer } = createListener(settings, closing);
  return (incoming, outgoing, next) => {
    if (next === undefined) {
      listen(incoming, outgoing);
      return;
    }
    if (!isServed(incoming, settings)) {
      next();
      return;
    }
    try {
      if (incoming.readableEnded) answer({ incoming, outgoing, body: readParsed(incoming) });
      else listen(incoming, outgoing);
    } catch (error) {
      next(error);
    }
  };
}

function isServed(incoming: Incoming, { controlPaths, pipeline }: ListenerSettings): boolean {
  const { target, method } = readSession(toWireRequest(incoming, NO_BODY)).request;
  if (controlPaths.includes(target)) return true;
  const path = readTarget(target)?.path;
  return path !== undefined && pipeline().contract.route(path, method) !== undefined;
}

/**
 * Returns a body that other middleware has read.
 *
 * @throws {Error} for a parsed body that is not JSON, whose bytes are lost
 */
function readParsed({ headers, rawBody, body }: Incoming): WireBody {
  if (rawBody !== undefined) return rawBody;
  if (body === undefined) return NO_BODY;
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return Buffer.from(body);
  if (isJsonMediaType(readMediaType(headers['content-type'] ?? '') ?? '')) {
    return Buffer.from(JSON.stringify(body));
  }
  throw new Error('the body was read before the mock; use mock.handler before body parsers');
}

/** Responds past Hono and its adapter, which cost more than a tenth of the throughput. */
function createResponder(
  settings: ListenerSettings,
  closing: AbortSignal,
  writer: WholeWriter | undefined,
) {
  const fail = (outgoing: ServerResponse, error: unknown): void => {
    settings.log.error('response not sent', error);
    outgoing.destroy();
  };
  const send = (client: SocketWatch, ready: ReadyResponse): Awaitable<void> => {
    const { response } = ready;
    try {
      return isPlain(response)
        ? sendPlain(response, client.outgoing, writer)
        : sendPlanned(response, sendingContext(ready, closing), client.outgoing);
    } finally {
      client.responded();
    }
  };
  const failLater = (outgoing: ServerResponse, sent: Promise<void>): void => {
    sent.catch((error: unknown) => fail(outgoing, error));
  };
  return (named: SessionRequest, outgoing: ServerResponse, refusal?: Problem): void => {
    try {
      const client = new SocketWatch(outgoing, writer);
      const ready = respondTo(named, settings, refusal, client);
      const sent = afterWith(ready, client, send);
      if (sent instanceof Promise) failLater(outgoing, sent);
    } catch (error) {
      fail(outgoing, error);
    }
  };
}

/** Returns a listener that passes a request to the Hono app, with its body. */
function createAppListener({ app }: ListenerSettings) {
  // Loading it takes a tenth of the start, with the `Request` that it extends.
  const loadAdapter = once(() => import('@hono/node-server'));
  return async (incoming: Incoming, outgoing: ServerResponse, received: SessionRequest) => {
    const { getRequestListener } = await loadAdapter();
    const { rawBody } = received.request;
    incoming.rawBody = rawBody === 'too-large' ? Buffer.alloc(0) : Buffer.from(rawBody);
    makeReadable(incoming);
    // A call that is repeated because of other clients waits again.
    const delay = once(() => leaveAtEnd(outgoing));
    const answer = getRequestListener((request) => app(request, received, delay), {
      overrideGlobalObjects: false,
      hostname: 'localhost',
      // The body has been collected, so nothing of it is left to read.
      autoCleanupIncoming: false,
    });
    await answer(incoming, outgoing);
  };
}

/** A request that is whole and waits for its turn. */
interface Arrival {
  readonly incoming: Incoming;
  readonly outgoing: ServerResponse;
  readonly body: WireBody;
}

/** A response does not wait for more than these. */
const MOST_TOGETHER = 32;

/**
 * Requests that became complete in one turn of the event loop are handled one right after the other
 * when the turn ends, and their responses are written after that. The code of the pipeline, that of
 * Node's streams and that of the system then displace each other from the processor's caches once a
 * turn and not once a request, which saves more than any change to the pipeline itself.
 *
 * @param writer undefined for a server that is not ours: there, each request is handled at once, as
 *   nothing says when its connection ends
 */
function gather(answer: (arrival: Arrival) => void, writer: WholeWriter | undefined) {
  let waiting: Arrival[] = [];
  const answerWaiting = (): void => {
    const arrivals = waiting;
    waiting = [];
    for (let from = 0; from < arrivals.length; from += MOST_TOGETHER) {
      const some = arrivals.slice(from, from + MOST_TOGETHER);
      writer?.together(some.length, () => some.forEach(answer));
    }
  };
  const wait = (arrival: Arrival): void => {
    waiting.push(arrival);
    if (waiting.length === 1) setImmediate(answerWaiting);
  };
  return { enqueue: writer === undefined ? answer : wait, answerWaiting };
}

export function toWireRequest(incoming: Incoming, rawBody: WireBody): WireRequest {
  const { method = 'GET', url: target = '/', originalUrl } = incoming;
  const request = { method, target, fields: new Fields(incoming.headers), rawBody };
  return originalUrl?.endsWith(target) === true
    ? { ...request, prefix: originalUrl.slice(0, -target.length) }
    : request;
}

/**
 * The adapter makes a URL from target and Host, and refuses others, so it gets these. The app reads
 * both as they were sent, which is why the fields are copied and not changed.
 */
function makeReadable(incoming: Incoming): void {
  incoming.url = '/';
  incoming.headers = { ...incoming.headers, host: 'localhost' };
}
