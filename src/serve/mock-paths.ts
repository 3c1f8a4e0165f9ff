import { type Awaitable, afterWith } from '../base/awaitable.ts';
import type { Problem } from '../base/problem.ts';
import type { ControlPaths } from '../control/control-target.ts';
import type { ClientWatch } from '../delivery/client-watch.ts';
import type { SendingContext, WireResponse } from '../delivery/transmission.ts';
import { handle } from '../handle.ts';
import { corsFields, isPreflight, preflightFields } from '../http/cors.ts';
import type { WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import type { Delivered } from '../respond/deliver.ts';
import type { Pipeline } from '../respond/pipeline.ts';
import type { Call } from '../session/call.ts';
import type { SessionRequest } from '../session/session-id.ts';
import type { Sessions } from '../session/sessions.ts';
import { respondWithFrontPage, wantsFrontPage } from './front-page.ts';

/** The settings of the responses to paths of the documents. */
export interface MockSettings {
  readonly cors: boolean;
  readonly sessions: Sessions;
  /** The paths of the control API, which the app answers. */
  readonly controlPaths: ControlPaths;
  /** Returns the current pipeline: a reload replaces it between two requests. */
  readonly pipeline: () => Pipeline;
}

/** A response that is ready to be sent. */
export interface ReadyResponse {
  /** Undefined for a preflight and for the front page, which are no requests of a session. */
  readonly call: Call | undefined;
  readonly response: WireResponse;
}

/**
 * Returns the response to a request for a path of the documents, with CORS; never throws.
 *
 * @param refusal why the server refuses the request before any stage
 * @param client notices when the client leaves
 */
export function respondTo(
  named: SessionRequest,
  { cors, sessions, pipeline, controlPaths }: MockSettings,
  refusal?: Problem,
  client?: ClientWatch,
): Awaitable<ReadyResponse> {
  const { request } = named;
  if (cors && refusal === undefined && isPreflight(request.method, request.fields)) {
    return { call: undefined, response: answerPreflight(request, pipeline()) };
  }
  if (refusal === undefined && wantsFrontPage(request, pipeline())) {
    const hasControl = controlPaths.includes('/__admin/state');
    return { call: undefined, response: respondWithFrontPage(request, pipeline(), hasControl) };
  }
  const delivered = handle(pipeline(), sessions, named, refusal, client);
  return afterWith(delivered, { request, cors }, toReadyResponse);
}

const EXPOSED_FIELDS =
  'Mock-Source, Mock-Resource, Mock-Request-Id, Mock-Replay, WWW-Authenticate, Allow, Location, ETag';

function toReadyResponse(
  { request, cors }: { readonly request: WireRequest; readonly cors: boolean },
  delivered: Delivered,
): ReadyResponse {
  const { call, response } = delivered;
  const origin = cors ? request.fields.get('origin') : undefined;
  const fields = fieldsOf(delivered, request.prefix);
  if (origin !== undefined) {
    const exposed = [EXPOSED_FIELDS, ...Object.keys(response.fields)].join(', ');
    Object.assign(fields, corsFields(origin, exposed));
  }
  const { status, body, fault, pace } = response;
  return {
    call,
    response: { isHead: request.method === 'HEAD', status, fields, body, fault, pace },
  };
}

/**
 * Returns all fields of a response, in an object that the caller may change.
 *
 * @param prefix of the session; a path in `Location` without it gets it
 */
function fieldsOf({ call, response }: Delivered, prefix: string | undefined) {
  const { mediaType, fields, source } = response;
  const number = String(call.number);
  // A spread, here or of `fields`, would be an object that V8 and Node read slowly.
  const all: Record<string, string> =
    mediaType === undefined
      ? { 'mock-source': source, 'mock-request-id': number }
      : { 'content-type': mediaType, 'mock-source': source, 'mock-request-id': number };
  for (const name in fields) all[name] ??= fields[name] ?? '';
  const { location } = all;
  const isPath = location?.startsWith('/') && !location.startsWith(`${prefix}/`);
  if (prefix !== undefined && isPath) all['location'] = `${prefix}${location}`;
  return all;
}

/** For an unknown path, so that the page gets the 404 and not a failed preflight. */
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

function answerPreflight(request: WireRequest, { contract }: Pipeline): WireResponse {
  const path = readTarget(request.target)?.path ?? '/';
  const method = request.fields.get('access-control-request-method') ?? 'GET';
  const methods = contract.route(path, method)?.methods.keys() ?? ALL_METHODS;
  return {
    isHead: false,
    status: 204,
    fields: { ...preflightFields(request.fields, [...methods]) },
    body: null,
    fault: undefined,
    pace: undefined,
  };
}

/** Returns what sending a response of a call depends on. */
export function sendingContext({ call }: ReadyResponse, closing: AbortSignal): SendingContext {
  if (call === undefined) throw new TypeError('what is no request of a session is never slow');
  return { clock: call.session.clock, random: call.random, closing };
}
