import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Problem } from '../base/problem.ts';
import {
  type Delivered,
  type Delivery,
  type Pipeline,
  refuseEarly,
  refuseUnrouted,
} from '../handle.ts';
import { NO_BODY, readFields, type WireBody, type WireRequest } from '../http/message.ts';
import { isSessionId, readSession } from '../session/session-id.ts';
import { openOrDetached, type Sessions } from '../session/sessions.ts';
import { type AppEnvironment, fieldsOf, type Received } from './app.ts';
import { collectBody } from './collect-body.ts';
import { findFramingProblem } from './framing.ts';

/** A server that listens. */
export interface RunningServer {
  /** Where it is reached: `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
  /** Takes no more connections, lets requests under way be answered, then closes. */
  close(): Promise<void>;
}

export interface ServerSettings {
  readonly port: number;
  readonly host: string;
  readonly maximumBodyBytes: number;
  readonly pipeline: () => Pipeline;
  readonly sessions: Sessions;
  /** True for a path of the control API, which needs its body to answer. */
  readonly isControl: (target: string) => boolean;
  /**
   * How many connections may be open at once. What comes beyond them is closed; where nothing is
   * said, the system closes what it has no more files for, and tells nobody.
   */
  readonly maximumConnections?: number | undefined;
  /** Is told how many were closed for that, of a whole crowd at once. */
  readonly onCrowd?: (count: number) => void;
  /** The app: gives a response for a request and the connection that it came by. */
  readonly fetch: (request: Request, environment: AppEnvironment) => Response | Promise<Response>;
}

/** A request whose head came, half or whole, must be whole by then: slow senders are cut off. */
const HEAD_TIMEOUT_MILLISECONDS = 10_000;
const REQUEST_TIMEOUT_MILLISECONDS = 30_000;
const TIMEOUT_CHECK_MILLISECONDS = 2_000;
/** Longer than clients keep an idle connection, so that none is closed under a request. */
const KEEP_ALIVE_MILLISECONDS = 65_000;
/** How long a close waits for requests under way. */
const DRAIN_MILLISECONDS = 10_000;
const SWEEP_MILLISECONDS = 20;
const GRACE_MILLISECONDS = 300;
/**
 * Connections that may wait to be taken: with fewer, some of a thousand clients that begin at once
 * would be let wait a second or more, until their systems try again.
 */
const BACKLOG = 4096;

/**
 * Listens for requests on Hono's adapter for Node.
 *
 * @throws what the operating system says of the address, such as EADDRINUSE
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const server = createServer({
    headersTimeout: HEAD_TIMEOUT_MILLISECONDS,
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MILLISECONDS,
    keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    // Refused by the pipeline, which can say why.
    requireHostHeader: false,
  });
  // The limit on the head's bytes stands; one on its lines would drop the last of them unseen.
  server.maxHeadersCount = 0;
  watchCrowd(server, settings);
  const closing = new AbortController();
  // Whatever waits listens to it.
  setMaxListeners(0, closing.signal);
  attach(server, settings, closing.signal);
  const unused = trackUnused(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, BACKLOG, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: urlOf(settings.host, port), port, close: () => close(server, unused, closing) };
}

type Incoming = IncomingMessage & { received?: Received; rawBody?: Buffer };

function attach(server: Server, settings: ServerSettings, closing: AbortSignal): void {
  const listener = getRequestListener(
    (request, environment) => settings.fetch(request, environment as AppEnvironment),
    { overrideGlobalObjects: false, hostname: 'localhost' },
  );
  const pass = (incoming: Incoming, outgoing: ServerResponse, received: Received): void => {
    incoming.received = received;
    const { rawBody } = received.request;
    incoming.rawBody = rawBody === 'too-large' ? Buffer.alloc(0) : (rawBody as Buffer);
    makeReadable(incoming, received);
    if (rawBody === 'too-large' || received.answer !== undefined)
      outgoing.setHeader('connection', 'close');
    listener(incoming, outgoing);
  };
  const answer = ({ incoming, outgoing, body }: Arrival): void => {
    const request = toWireRequest(incoming, body);
    const problem = findFramingProblem(
      incoming.rawHeaders,
      incoming.headers.host,
      incoming.httpVersion,
    );
    if (problem === undefined) {
      pass(incoming, outgoing, { request, closing });
      return;
    }
    const refusal = openOrDetached(settings.sessions, findSession(request), (session) =>
      refuseUnrouted(settings.pipeline(), request, session, problem),
    );
    pass(incoming, outgoing, { request, closing, answer: refusal });
  };
  const enqueue = gather(answer);
  server.on('request', (incoming: Incoming, outgoing) => {
    collectBody(incoming, settings.maximumBodyBytes, (body) => {
      enqueue({ incoming, outgoing, body });
    });
  });
  server.on('checkContinue', (incoming: Incoming, outgoing) => {
    const request = toWireRequest(incoming, NO_BODY);
    const inside = readSession(request).request;
    const answer: Delivery | undefined = settings.isControl(inside.target)
      ? undefined
      : refuseEarly(settings.pipeline(), inside, (refuse) =>
          openOrDetached(settings.sessions, findSession(request), refuse),
        );
    if (answer !== undefined) return pass(incoming, outgoing, { request, closing, answer });
    // A body that is too large is refused before it comes.
    const isTooLarge = Number(incoming.headers['content-length']) > settings.maximumBodyBytes;
    if (!isTooLarge) outgoing.writeContinue();
    server.emit('request', incoming, outgoing);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    refuseUnreadable(error, socket, settings);
  });
}

/** What cannot be read is told in the session that it names, if that can be read. */
function findSession(request: WireRequest): string | undefined {
  const { id } = readSession(request);
  return id !== undefined && isSessionId(id) ? id : undefined;
}

/** How long connections of one crowd are counted before they are told of. */
const CROWD_MILLISECONDS = 1_000;

function watchCrowd(server: Server, { maximumConnections, onCrowd }: ServerSettings): void {
  if (maximumConnections === undefined) return;
  server.maxConnections = maximumConnections;
  let count = 0;
  const tell = (): void => {
    onCrowd?.(count);
    count = 0;
  };
  server.on('drop', () => {
    count++;
    if (count === 1) setTimeout(tell, CROWD_MILLISECONDS).unref();
  });
}

/** A request that is whole and waits for its turn. */
interface Arrival {
  readonly incoming: Incoming;
  readonly outgoing: ServerResponse;
  readonly body: WireBody;
}

/**
 * Requests that became whole in one turn of the event loop are answered one right after the other
 * when the turn ends. The code of the pipeline and that of Node's streams then displace each other
 * from the processor's caches once a turn and not once a request, which is worth more than all
 * that could be saved in the pipeline itself.
 */
function gather(answer: (arrival: Arrival) => void): (arrival: Arrival) => void {
  let waiting: Arrival[] = [];
  const answerAll = (): void => {
    const arrivals = waiting;
    waiting = [];
    for (const arrival of arrivals) answer(arrival);
  };
  return (arrival) => {
    waiting.push(arrival);
    if (waiting.length === 1) setImmediate(answerAll);
  };
}

function toWireRequest(incoming: IncomingMessage, rawBody: WireBody): WireRequest {
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    fields: readFields(incoming.headers),
    rawBody,
  };
}

/**
 * The adapter makes a URL of target and Host, and refuses what makes none. The pipeline reads the
 * target as it came; the adapter gets one that it can read.
 */
function makeReadable(incoming: Incoming, { answer }: Received): void {
  const target = incoming.url ?? '';
  if (answer !== undefined || !/^\/[!-[\]-~]*$/.test(target) || target.startsWith('//')) {
    incoming.url = '/';
  }
  if (answer !== undefined || !isUsableHost(incoming.headers.host)) {
    incoming.headers.host = 'localhost';
  }
}

function isUsableHost(host: string | undefined): boolean {
  return host !== undefined && /^[A-Za-z0-9.-]+(?::\d+)?$|^\[[0-9a-fA-F:]+\](?::\d+)?$/.test(host);
}

/** What never became a request: too large, too slow, or no HTTP at all. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  settings: ServerSettings,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const request = { method: '-', target: '-', fields: readFields({}), rawBody: NO_BODY };
  const delivery = openOrDetached(settings.sessions, undefined, (session) =>
    refuseUnrouted(settings.pipeline(), request, session, toReadingProblem(error)),
  );
  const send = (delivered: Delivered): void => {
    socket.end(serialize(delivered));
  };
  // Refusals have no delay, so mostly it is there at once.
  if (delivery instanceof Promise) void delivery.then(send);
  else send(delivery);
}

function toReadingProblem(error: NodeJS.ErrnoException): Problem {
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
      return new Problem('MALFORMED_REQUEST', error.message);
  }
}

function serialize(delivered: Delivered): string {
  const { status, body } = delivered.response;
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
  const fields = Object.entries({
    ...fieldsOf(delivered, ''),
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} Refused\r\n${lines}\r\n${text}`;
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

async function close(
  server: Server,
  unused: ReadonlySet<Socket>,
  closing: AbortController,
): Promise<void> {
  closing.abort();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // What is on its way on a new connection when the signal comes is still let in.
  const grace = setTimeout(() => {
    for (const socket of unused) socket.destroy();
  }, GRACE_MILLISECONDS);
  // A connection that was busy at first is kept alive once its answer is given.
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
