import { setMaxListeners } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { type Awaitable, after } from '../base/awaitable.ts';
import { systemClock, toHttpDate } from '../base/clock.ts';
import { Problem } from '../base/problem.ts';
import { CLIENT_ENDED } from '../delivery/client-watch.ts';
import type { WireResponse } from '../delivery/transmission.ts';
import { WholeWriter } from '../delivery/write-whole.ts';
import { Fields, NO_BODY, type WireRequest } from '../http/message.ts';
import { authenticate } from '../request/authenticate.ts';
import { findRoute } from '../request/route.ts';
import type { Pipeline } from '../respond/pipeline.ts';
import { readSession } from '../session/session-id.ts';
import { CollectedMessage, REQUEST_COMPLETE } from './incoming.ts';
import { type Address, closeAll, listenOn, portOf } from './listen.ts';
import { createListener, type ListenerSettings, toWireRequest } from './listener.ts';
import { type ReadyResponse, respondTo } from './mock-paths.ts';

export interface RunningServer {
  /** Where it is reached: `http://localhost:4010`. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets requests under way end, then closes. */
  close(): Promise<void>;
}

export interface ServerSettings extends ListenerSettings, Address {
  /**
   * How many connections may be open at once; further ones are closed. Without it, the system
   * closes connections when it has no more files, and reports nothing.
   */
  readonly maximumConnections?: number | undefined;
}

/** A request whose head came, half or whole, must be whole by then: slow senders are cut off. */
const HEAD_TIMEOUT_MILLISECONDS = 10_000;
const REQUEST_TIMEOUT_MILLISECONDS = 30_000;
const TIMEOUT_CHECK_MILLISECONDS = 2_000;
/** Longer than clients keep an idle connection, so that none is closed under a request. */
const KEEP_ALIVE_MILLISECONDS = 65_000;
/**
 * A client that reads nothing of its response for this long is disconnected. Linux reports room for
 * more only when a third of its buffer is free, which is up to 1.3 MB.
 */
const STALL_MILLISECONDS = 120_000;
/** How long a client that was refused may keep its side of the connection open. */
const LINGER_MILLISECONDS = 1_000;
/** How long a close waits for requests under way. */
const DRAIN_MILLISECONDS = 10_000;
const SWEEP_MILLISECONDS = 20;
const GRACE_MILLISECONDS = 300;
/**
 * Listens for requests on Hono's adapter for Node.
 *
 * @throws the error of the operating system for the address, such as EADDRINUSE
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const server = createServer({
    IncomingMessage: CollectedMessage,
    headersTimeout: HEAD_TIMEOUT_MILLISECONDS,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MILLISECONDS,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    // Refused by the pipeline, which can say why.
    requireHostHeader: false,
  });
  // The head's bytes are limited already. A limit on its lines would drop the last ones silently.
  server.maxHeadersCount = 0;
  watchCrowd(server, settings);
  const closing = new AbortController();
  // Whatever waits listens to it.
  setMaxListeners(0, closing.signal);
  attach(server, settings, closing.signal);
  const unused = trackUnused(server);
  const listening = await listenOn(server, settings);
  closeStalled(server, STALL_MILLISECONDS);
  const port = portOf(server);
  const end = (): Promise<void> => {
    closing.abort();
    return close(server, listening, unused);
  };
  return { url: urlOf(settings.host, port), port, close: end };
}

function attach(server: Server, settings: ServerSettings, closing: AbortSignal): void {
  const writer = new WholeWriter(systemClock, KEEP_ALIVE_MILLISECONDS / 1000);
  const { listen, refuseEarly, answerWaiting } = createListener(settings, closing, writer);
  const { controlPaths } = settings;
  server.on('request', listen);
  // A client that ends its side gets what it has asked for.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket) => {
    socket.prependListener('end', () => {
      answerWaiting();
      setImmediate(endBehindResponses, socket);
    });
  });
  server.on('checkContinue', (incoming: IncomingMessage, outgoing) => {
    const { request } = readSession(toWireRequest(incoming, NO_BODY));
    const isControl = controlPaths.includes(request.target);
    if (!isControl && isRefusedEarly(settings.pipeline(), request)) {
      refuseEarly({ incoming, outgoing, body: NO_BODY });
      return;
    }
    // A body that is too large is refused before it arrives.
    const isTooLarge = Number(incoming.headers['content-length']) > settings.maximumBodyBytes;
    if (!isTooLarge) outgoing.writeContinue();
    server.emit('request', incoming, outgoing);
  });
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing) => {
    const came = JSON.stringify(incoming.headers.expect?.slice(0, 80) ?? '');
    const detail = `Expect must be 100-continue, got ${came}`;
    refuseEarly({ incoming, outgoing, body: NO_BODY }, new Problem('EXPECTATION_FAILED', detail));
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    answerWaiting();
    const named = readSession(toWireRequest(incoming, NO_BODY));
    refuseOnSocket(respondTo(named, settings), socket);
  });
  const unreadable = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const refuse = (): void => {
      // More of it may arrive before the refusal is sent.
      if (unreadable.has(socket)) return;
      unreadable.add(socket);
      answerWaiting();
      refuseUnreadable(error, socket, settings);
    };
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') unlessArrived(socket, refuse);
    else refuse();
  });
}

/**
 * Returns whether a request is refused whatever its body is, so that a client that waits for
 * permission need not send it (RFC 9110 §10.1.1).
 */
function isRefusedEarly(pipeline: Pipeline, request: WireRequest): boolean {
  try {
    const routed = findRoute(pipeline.contract, request);
    if (routed === undefined) return true;
    if (routed.operation.fault === undefined) authenticate(routed, pipeline);
    return false;
  } catch {
    // Whatever the error is, the same stages find it again and report it.
    return true;
  }
}

/** How long further connections are counted before one warning reports them. */
const CROWD_MILLISECONDS = 1_000;

function watchCrowd(server: Server, { maximumConnections, log }: ServerSettings): void {
  if (maximumConnections === undefined) return;
  let open = 0;
  let count = 0;
  const report = (): void => {
    log.warn('connections-refused', { count });
    count = 0;
  };
  // Not `maxConnections`: connections of all addresses count together.
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => open--);
    if (open <= maximumConnections) return;
    socket.destroy();
    count++;
    if (count === 1) setTimeout(report, CROWD_MILLISECONDS).unref();
  });
}

/**
 * Refuses a late request unless all of it has arrived and waits to be read: after a turn of many
 * seconds, Node's timers act before it reads from connections.
 *
 * Node reports a late request once, and does not check its connection again before the request is
 * complete. So bytes that arrive do not suffice: a client can send one at a time.
 */
function unlessArrived(socket: Socket, refuse: () => void): void {
  const { bytesRead } = socket;
  let isComplete = false;
  socket.once(REQUEST_COMPLETE, () => {
    isComplete = true;
  });
  const refuseIncomplete = (): void => {
    if (!isComplete) refuse();
  };
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) refuseIncomplete();
    // What waits is read in parts. The turn before the timer can be a long one as well.
    else setTimeout(() => setImmediate(refuseIncomplete), TIMEOUT_CHECK_MILLISECONDS).unref();
  });
}

/** Refuses what is not a request: too large, too slow, or not HTTP. */
function refuseUnreadable(error: ParserError, socket: Socket, settings: ServerSettings) {
  // A client that is late because it does not read would not read the refusal.
  const isStalled = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.writableLength > 0;
  // A client that ends its side within a body has cancelled its request (RFC 9112 §8).
  const isCancelled =
    error.code === 'HPE_INVALID_EOF_STATE' && responseOn(socket)?.req.complete === false;
  if (!socket.writable || isStalled || isCancelled || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const request = { method: '-', target: '-', fields: new Fields({}), rawBody: NO_BODY };
  refuseOnSocket(respondTo({ id: undefined, request }, settings, toReadingProblem(error)), socket);
}

/**
 * Returns the response that is next on a connection; undefined for none. Node has no public member
 * for it, and after an error of its parser no event has it.
 */
function responseOn(socket: Socket & { readonly _httpMessage?: ServerResponse | null }) {
  return socket._httpMessage ?? undefined;
}

/**
 * Ends a connection behind the responses that are on their way, or at once where the next one takes
 * time on purpose.
 */
function endBehindResponses(socket: Socket): void {
  const next = responseOn(socket);
  if (next === undefined) socket.end();
  else if (!next.emit(CLIENT_ENDED)) {
    next.once('close', () => setImmediate(endBehindResponses, socket));
  }
}

/**
 * Sends a response where Node has none, and closes the connection: first the side that sends, so
 * that the client can read the response, soon after that the whole (RFC 9112 §9.6). The responses to
 * earlier requests on the connection come first (§9.3.2).
 */
function refuseOnSocket(refusal: Awaitable<ReadyResponse>, socket: Socket): void {
  // A client that resets the connection needs no response.
  socket.on('error', () => socket.destroy());
  const closeSoon = (): void => {
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  };
  const send = (ready: ReadyResponse): void => {
    const earlier = responseOn(socket);
    if (earlier?.req.complete) earlier.once('close', () => setImmediate(send, ready));
    else socket.end(serialize(ready.response), closeSoon);
  };
  void after(refusal, send);
}

function toReadingProblem(error: ParserError): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('FIELDS_TOO_LARGE', 'target and header fields must fit in 16 KiB');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(
        'REQUEST_TIMEOUT',
        `a request must arrive within ${REQUEST_TIMEOUT_MILLISECONDS / 1000} s, ` +
          `its head within ${HEAD_TIMEOUT_MILLISECONDS / 1000} s`,
      );
    default:
      return new Problem('MALFORMED_REQUEST', describeSyntax(error));
  }
}

/** The first byte of a connection by TLS: a handshake record (RFC 8446 §5.1). */
const TLS_HANDSHAKE = 0x16;

function describeSyntax({ code, message, rawPacket }: ParserError): string {
  if (rawPacket?.[0] === TLS_HANDSHAKE) {
    return 'this is TLS, but the mock speaks HTTP: use a URL that begins with http://';
  }
  if (code === 'HPE_PAUSED_H2_UPGRADE') {
    return 'this is HTTP/2, but the mock speaks HTTP/1.1: let the client use HTTP/1.1';
  }
  const reason = message.replace(/^Parse Error:? ?/, '') || 'it ends too early';
  const remedy =
    code === 'HPE_INVALID_METHOD' ? '; is the Content-Length of the request before it right?' : '';
  return `the request is not HTTP/1.1: ${reason}${remedy}`;
}

/** The error of Node's parser, with the bytes that it could not read. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array;
}

function serialize({ status, body, fields }: WireResponse): string {
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
  const own = {
    'content-length': String(Buffer.byteLength(text)),
    date: toHttpDate(systemClock.now()),
    connection: 'close',
  };
  const lines = Object.entries({ ...fields, ...own }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', text].join('\r\n');
}

/** Connections that never had a request: Node does not count them as idle. */
function trackUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/**
 * Disconnects clients that do not read: those whose connection holds bytes back of which the system
 * takes none for that time. One that reads slowly is not affected, nor one that waits.
 */
export function closeStalled(server: Server, milliseconds: number): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  // Looks at all of them from time to time, which costs requests nothing.
  const sweep = setInterval(() => {
    for (const socket of connections) {
      const isTimed = socket.timeout === milliseconds;
      // Node's timer counts any byte that leaves as activity.
      if (socket.writableLength > 0 && !isTimed) socket.setTimeout(milliseconds);
      if (socket.writableLength === 0 && isTimed) socket.setTimeout(0);
    }
  }, milliseconds / 6);
  server.once('close', () => clearInterval(sweep));
}

/** @param listening all servers whose connections are the server's */
async function close(
  server: Server,
  listening: readonly NetServer[],
  unused: ReadonlySet<Socket>,
): Promise<void> {
  const closed = closeAll(listening);
  server.closeIdleConnections();
  // A request that is on its way on a new connection is still accepted.
  const grace = setTimeout(() => {
    for (const socket of unused) socket.destroy();
  }, GRACE_MILLISECONDS);
  // A connection that was busy at first is kept alive once its response is sent.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MILLISECONDS);
  await closed;
  clearTimeout(grace);
  clearInterval(sweep);
  clearTimeout(deadline);
}

function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
