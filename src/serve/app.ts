import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono } from 'hono';
import { type Problem, toProblem } from '../base/problem.ts';
import { respondInProcess } from '../delivery/respond-in-process.ts';
import { isLargeText } from '../delivery/send-large-text.ts';
import { sendOverSocket } from '../delivery/send-over-socket.ts';
import type { SpecialAnswer } from '../delivery/special-answer.ts';
import {
  type Delivered,
  type Delivery,
  handle,
  type Pipeline,
  refuseUnreached,
  refuseUnrouted,
} from '../handle.ts';
import { corsFields, isPreflight, preflightFields } from '../http/cors.ts';
import { NO_FIELDS, type WireRequest } from '../http/message.ts';
import { isFramed } from '../http/status.ts';
import { readTarget } from '../http/target.ts';
import type { Call } from '../session/call.ts';
import { readSession } from '../session/session-id.ts';
import { openOrDetached, type Sessions } from '../session/sessions.ts';
import { readRequest } from './read-request.ts';

/** A request as the socket gave it, its body collected, before the framework sees it. */
export interface Received {
  readonly request: WireRequest;
  /** Set when the server itself has refused the request already. */
  readonly answer?: Delivery;
  /** Aborted when the server closes that it came by. */
  readonly closing: AbortSignal;
}

/** What the app is called with: by the server's socket, or in process. */
export interface AppEnvironment {
  readonly incoming?: IncomingMessage & { readonly received?: Received };
  readonly outgoing?: ServerResponse;
  /** In process: aborted when the mock closes. */
  readonly closing?: AbortSignal;
  /** In process: gives what is spoiled or takes its time; it may fail as a fetch does. */
  special?: () => Promise<Response>;
}

/**
 * Answers a request to the control API; it never throws.
 *
 * @param session the id that the request names: opened only for one that is not refused, so that
 *   nobody from elsewhere makes sessions
 */
export type Control = (
  request: WireRequest,
  session: string | undefined,
  signal: AbortSignal,
) => Response | Promise<Response>;

export interface AppSettings {
  readonly cors: boolean;
  readonly maximumBodyBytes: number;
  readonly sessions: Sessions;
  /** What is served now: a reload exchanges it between two requests. */
  readonly pipeline: () => Pipeline;
  /** Which paths are the control API's, and who answers them. */
  readonly control: { readonly answers: (path: string) => boolean; readonly answer: Control };
  /** Makes responses; the server has a lighter one than the platform's. */
  readonly createResponse: (
    body: string | Uint8Array | null,
    init: ResponseInit,
    environment: AppEnvironment,
  ) => Response;
}

/** What makes responses where nothing better is known. */
export function createPlatformResponse(
  body: string | Uint8Array | null,
  init: ResponseInit,
): Response {
  return new Response(body, init);
}

type AppContext = Context<{ Bindings: AppEnvironment }>;

const EXPOSED_FIELDS =
  'Mock-Source, Mock-Request-Id, Mock-Replay, WWW-Authenticate, Allow, Location, ETag';

/** The Hono app: the control API under its root, every other path by the document. */
export function createApp(settings: AppSettings): Hono<{ Bindings: AppEnvironment }> {
  const app = new Hono<{ Bindings: AppEnvironment }>();
  app.all('*', (context) => answer(context, settings));
  return app;
}

/** Synchronous wherever it can be: that is worth a fifth of the throughput. */
function answer(context: AppContext, settings: AppSettings): Response | Promise<Response> {
  const received = context.env?.incoming?.received;
  if (received !== undefined) return answerReceived(received, context, settings);
  return readRequest(context.req.raw, settings.maximumBodyBytes).then((request) =>
    answerReceived({ request, closing: NEVER }, context, settings),
  );
}

/** A request in its session. */
interface Arrived {
  readonly request: WireRequest;
  /** What the path said of the session: `/__session/a1`, mostly nothing. */
  readonly prefix: string;
}

function answerReceived(
  received: Received,
  context: AppContext,
  settings: AppSettings,
): Response | Promise<Response> {
  const { id, request, prefix } = readSession(received.request);
  if (received.answer === undefined && settings.control.answers(request.target)) {
    return settings.control.answer(request, id, context.req.raw.signal);
  }
  if (settings.cors && isPreflight(request.method, request.fields)) {
    return answerPreflight(request, settings, context.env);
  }
  const delivery = received.answer ?? deliver(id, request, settings);
  const arrived = { request, prefix };
  return delivery instanceof Promise
    ? delivery.then((delivered) => toResponse(delivered, arrived, context, settings))
    : toResponse(delivery, arrived, context, settings);
}

function deliver(id: string | undefined, request: WireRequest, settings: AppSettings): Delivery {
  const { sessions, pipeline } = settings;
  try {
    const session = sessions.open(id);
    if (!(session instanceof Promise)) return handle(pipeline(), request, session);
    return session.then(
      (opened) => handle(pipeline(), request, opened),
      (error: unknown) => refuseSession(request, toProblem(error), settings),
    );
  } catch (error) {
    return refuseSession(request, toProblem(error), settings);
  }
}

/** A session that has no name is refused in the default one, if that can be reached. */
function refuseSession(
  request: WireRequest,
  problem: Problem,
  { sessions, pipeline }: AppSettings,
): Delivery {
  if (problem.problem !== 'INVALID_SESSION') {
    return refuseUnreached(pipeline(), request, sessions.detached, problem);
  }
  return openOrDetached(sessions, undefined, (session) =>
    refuseUnrouted(pipeline(), request, session, problem),
  );
}

function toResponse(
  delivered: Delivered,
  { request, prefix }: Arrived,
  context: AppContext,
  settings: AppSettings,
): Response | Promise<Response> {
  const { status, body, fault, pace } = delivered.response;
  const fields = fieldsOf(delivered, prefix);
  const origin = settings.cors ? request.fields.get('origin') : undefined;
  const headers =
    origin === undefined ? fields : { ...fields, ...corsFields(origin, exposed(delivered)) };
  const isPlain = fault === undefined && pace === undefined;
  const isHead = request.method === 'HEAD';
  if (isPlain && body === null && !isHead && isFramed(status)) {
    // Otherwise it would go out in chunks, none of them.
    const framed = { ...headers, 'content-length': '0' };
    return settings.createResponse(null, { status, headers: framed }, context.env);
  }
  if (isPlain && (context.env.outgoing === undefined || !isLargeText(body))) {
    return settings.createResponse(body, { status, headers }, context.env);
  }
  const special = { isHead, status, fields: headers, body, fault, pace };
  return sendSpecially(special, delivered.call, context, settings);
}

/** What is spoiled or takes its time goes past the framework, which would mend it. */
function sendSpecially(
  special: SpecialAnswer,
  { session, random }: Call,
  { env, req }: AppContext,
  settings: AppSettings,
): Response | Promise<Response> {
  const closing = env.incoming?.received?.closing ?? env.closing ?? NEVER;
  const surroundings = { clock: session.clock, random, closing };
  if (env.outgoing !== undefined) return sendOverSocket(special, surroundings, env.outgoing);
  env.special = () => respondInProcess(special, surroundings, req.raw);
  return settings.createResponse(null, { status: 200 }, env);
}

const NEVER = new AbortController().signal;

/** A page may read what every answer has, and what this one has besides. */
function exposed({ response }: Delivered): string {
  return [EXPOSED_FIELDS, ...Object.keys(response.fields)].join(', ');
}

/**
 * All fields of an answer, set at once where the response is made: later ones cost dearly.
 *
 * @param prefix what leads into the session: a path that the answer names leads there too
 */
export function fieldsOf({ call, response }: Delivered, prefix: string): Record<string, string> {
  const { mediaType, fields, source } = response;
  const number = String(call.number);
  if (mediaType !== undefined && fields === NO_FIELDS) {
    return { 'content-type': mediaType, 'mock-source': source, 'mock-request-id': number };
  }
  const location = prefix === '' ? undefined : fields['location'];
  return {
    ...fields,
    ...(location?.startsWith('/') === true && { location: prefix + location }),
    ...(mediaType !== undefined && { 'content-type': mediaType }),
    'mock-source': source,
    'mock-request-id': number,
  };
}

function answerPreflight(
  request: WireRequest,
  settings: AppSettings,
  environment: AppEnvironment,
): Response {
  const path = readTarget(request.target)?.path ?? '/';
  const wanted = request.fields.get('access-control-request-method') ?? 'GET';
  const match = settings.pipeline().contract.route(path, wanted);
  const methods = match === undefined ? ALL_METHODS : [...match.methods.keys()];
  const headers = preflightFields(request.fields, methods);
  return settings.createResponse(null, { status: 204, headers }, environment);
}

/** For a path that is not there the page is to see the 404, not a failed preflight. */
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
