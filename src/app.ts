import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, Hono } from 'hono';
import { type ControlSettings, createControl } from './control/control.ts';
import type { Fault } from './fixtures/fault.ts';
import { type Delivered, type Delivery, handle, type Serving } from './handle.ts';
import { corsFields, isPreflight, preflightFields } from './http/cors.ts';
import type { WireRequest } from './http/message.ts';
import { readRequest } from './http/read-request.ts';
import { readTarget } from './http/target.ts';
import { NO_FIELDS } from './problem.ts';

/** A request as the socket gave it, its body collected, before the framework sees it. */
export interface Received {
  readonly request: WireRequest;
  /** Set when the server itself has refused the request already. */
  readonly answer?: Delivery;
}

/** What the app is called with: by the server's socket, or in process. */
export interface AppEnvironment {
  readonly incoming?: IncomingMessage & { readonly received?: Received };
  readonly outgoing?: ServerResponse;
  /** In process there is no connection to break: the fault is left here. */
  fault?: Fault;
}

export interface AppSettings {
  readonly cors: boolean;
  readonly maximumBodyBytes: number;
  /** What is served now: a reload exchanges it between two requests. */
  readonly serving: () => Serving;
  readonly control: ControlSettings;
  /** Makes responses; the server has a lighter one than the platform's. */
  readonly createResponse: (
    body: string | Uint8Array | null,
    init: ResponseInit,
    environment: AppEnvironment,
  ) => Response;
  /** Breaks the connection of a request that came by socket. */
  readonly breakConnection: (environment: AppEnvironment, fault: Fault) => Response;
}

/** What makes responses where nothing better is known. */
export function createPlatformResponse(
  body: string | Uint8Array | null,
  init: ResponseInit,
): Response {
  return new Response(body, init);
}

type AppContext = Context<{ Bindings: AppEnvironment }>;

const EXPOSED_FIELDS = 'Mock-Source, Mock-Request-Id, WWW-Authenticate, Allow, Location, ETag';

/** The Hono app: the control API under its root, every other path by the document. */
export function createApp(settings: AppSettings): Hono<{ Bindings: AppEnvironment }> {
  const app = new Hono<{ Bindings: AppEnvironment }>();
  app.route('/', createControl(settings.control));
  app.all('*', (context) => answer(context, settings));
  return app;
}

/** Synchronous wherever it can be: that is worth a fifth of the throughput. */
function answer(context: AppContext, settings: AppSettings): Response | Promise<Response> {
  const received = context.env?.incoming?.received;
  if (received !== undefined) return answerReceived(received, context, settings);
  return readRequest(context.req.raw, settings.maximumBodyBytes).then((request) =>
    answerReceived({ request }, context, settings),
  );
}

function answerReceived(
  received: Received,
  context: AppContext,
  settings: AppSettings,
): Response | Promise<Response> {
  const { request } = received;
  if (settings.cors && isPreflight(request.method, request.fields)) {
    return answerPreflight(request, settings, context.env);
  }
  const delivery = received.answer ?? handle(settings.serving(), request);
  return delivery instanceof Promise
    ? delivery.then((delivered) => toResponse(delivered, request, context, settings))
    : toResponse(delivery, request, context, settings);
}

function toResponse(
  delivered: Delivered,
  request: WireRequest,
  context: AppContext,
  settings: AppSettings,
): Response {
  const { status, body, fault } = delivered.response;
  if (fault !== undefined) return settings.breakConnection(context.env, fault);
  const origin = settings.cors ? request.fields.get('origin') : undefined;
  const fields = fieldsOf(delivered);
  const headers =
    origin === undefined ? fields : { ...fields, ...corsFields(origin, exposed(delivered)) };
  return settings.createResponse(body, { status, headers }, context.env);
}

/** A page may read what every answer has, and what this one has besides. */
function exposed({ response }: Delivered): string {
  return [EXPOSED_FIELDS, ...Object.keys(response.headers)].join(', ');
}

/** All fields of an answer, set at once where the response is made: later ones cost dearly. */
export function fieldsOf({ id, response }: Delivered): Record<string, string> {
  const { mediaType, headers, source } = response;
  const number = String(id);
  if (mediaType !== undefined && headers === NO_FIELDS) {
    return { 'content-type': mediaType, 'mock-source': source, 'mock-request-id': number };
  }
  return {
    ...headers,
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
  const match = settings.serving().contract.route(path, wanted);
  const methods = match === undefined ? ALL_METHODS : [...match.methods.keys()];
  const headers = preflightFields(request.fields, methods);
  return settings.createResponse(null, { status: 204, headers }, environment);
}

/** For a path that is not there the page is to see the 404, not a failed preflight. */
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
