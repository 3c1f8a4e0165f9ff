import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { Problem, ReturnedRefusal, toProblem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import { corsFields, isPreflight, preflightFields } from '../http/cors.ts';
import { readMediaType } from '../http/media-type.ts';
import { Fields, type ResponseFields, type WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import { skipAuthentication } from '../request/authenticate.ts';
import { decode } from '../request/decode.ts';
import type { ValidRequest } from '../request/request.ts';
import { route } from '../request/route.ts';
import { validate } from '../request/validate.ts';
import { asProblemJson } from '../respond/refuse.ts';
import type { SessionRequest } from '../session/session-id.ts';
import { aboutOperations, checkHealth } from './about.ts';
import { agentOperations } from './agents.ts';
import { describeRefusedRule } from './body-rules.ts';
import {
  ControlCall,
  type ControlOperation,
  type ControlResponse,
  type ControlSettings,
} from './call.ts';
import { callbackOperations } from './callbacks.ts';
import { clockOperations } from './clock.ts';
import { isHealthPath } from './control-target.ts';
import { eventOperations } from './events.ts';
import { failOperations } from './fail.ts';
import { fixtureOperations, scenarioOperations } from './fixtures.ts';
import { isTrustedOrigin, refuseUntrusted, requireToken } from './guard.ts';
import { journalOperations } from './journal.ts';
import { operationOperations } from './operations.ts';
import { reportOperations } from './reports.ts';
import { sessionOperations, snapshotOperations } from './sessions.ts';
import { stateOperations } from './state/state.ts';
import { mappingOperations } from './wiremock/mappings.ts';
import { nearMissOperations } from './wiremock/near-misses.ts';
import { isWireMockPath, refuseAsWireMock } from './wiremock/refuse.ts';
import { requestOperations } from './wiremock/requests.ts';
import { serverOperations } from './wiremock/server.ts';

/**
 * Answers a request to the control API; it never rejects. It opens the session only of a request
 * that is not refused, so that pages from elsewhere create no sessions.
 *
 * @param client returns the signal of the client, for operations that wait
 */
export type Control = (received: SessionRequest, client: () => AbortSignal) => Promise<Response>;

/** Creates the control API, which validates requests against its own OpenAPI document. */
export function createControl(settings: ControlSettings): Control {
  return async (received, client) => {
    const { request } = received;
    const cors = findCors(request, settings);
    try {
      refuseUntrusted(request, settings);
      if (cors !== undefined && isPreflight(request.method, request.fields)) {
        const headers = preflightFields(request.fields, METHODS);
        return new Response(null, { status: 204, headers });
      }
      return toResponse(await answer(received, client, settings), cors);
    } catch (error) {
      return refuse(request, error, cors);
    }
  };
}

const READING = ['GET', 'HEAD'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

async function answer(
  { request, id: session }: SessionRequest,
  client: () => AbortSignal,
  settings: ControlSettings,
): Promise<ControlResponse> {
  const path = readTarget(request.target)?.path;
  // Health checks arrive every few seconds; they do not load the control API's document.
  if (path !== undefined && isHealthPath(path) && READING.includes(request.method)) {
    return checkHealth(path, settings);
  }
  requireToken(request.fields, settings);
  const valid = await readRequest(request, path, settings);
  const { id } = valid.operation;
  const operation = operations.get(id);
  if (operation === undefined) throw new Problem('INTERNAL', `no function implements ${id}`);
  // Repeated until no other client has changed the session meanwhile.
  for (let count = 0; count < MOST_ATTEMPTS; count++) {
    const journal = journalUses.get(id) ?? 'counts';
    const edited = await settings.sessions.edit(session, { journal });
    try {
      const call = new ControlCall(settings, edited, session, valid, client);
      const response = await operation(call);
      if (await call.finish()) return response;
      // The attempt is repeated, so this stream has no reader.
      const body = response.content?.body;
      if (body instanceof ReadableStream) await body.cancel();
    } finally {
      edited.release();
    }
  }
  throw new Problem('STATE_BUSY', 'other clients keep changing the session; try again');
}

const MOST_ATTEMPTS = 50;

/** Takes a request through the stages of every request: route, decode, validate. */
async function readRequest(
  request: WireRequest,
  path: string | undefined,
  { document, limits }: ControlSettings,
): Promise<ValidRequest> {
  const { contract } = await document();
  if (path !== undefined && contract.route(path, request.method) === undefined) {
    throw new Problem(
      'UNKNOWN_CONTROL_ROUTE',
      `the control API has no path ${quote(path, 200)}; ` +
        'GET /__admin/control-api.yaml lists its paths',
    );
  }
  const routed = route(contract, asJson(request));
  const valid = validate(decode(skipAuthentication(routed), limits));
  if (valid instanceof ReturnedRefusal) throw new Problem(valid.problem, valid.message, valid);
  return valid;
}

/** `curl -d` sends the first with any body, `fetch` the second with any text. */
const DEFAULT_TYPES: readonly (string | undefined)[] = [
  'application/x-www-form-urlencoded',
  'text/plain',
];

function asJson(request: WireRequest): WireRequest {
  const field = request.fields.get('content-type') ?? '';
  if (field !== '' && !DEFAULT_TYPES.includes(readMediaType(field))) return request;
  const fields = Object.fromEntries(request.fields.entries());
  return { ...request, fields: new Fields({ ...fields, 'content-type': 'application/json' }) };
}

/** Returns the fields that let a page read the response; undefined where it may not. */
function findCors(
  { fields }: WireRequest,
  { cors, hosts }: ControlSettings,
): ResponseFields | undefined {
  const origin = fields.get('origin');
  if (!cors || origin === undefined) return undefined;
  return isTrustedOrigin(origin, fields, hosts) ? corsFields(origin, '*') : undefined;
}

function toResponse(
  { status, fields, content }: ControlResponse,
  cors: ResponseFields | undefined,
): Response {
  const mediaType = content && { 'content-type': content.mediaType };
  return new Response(content?.body ?? null, {
    status,
    headers: { ...fields, ...cors, ...mediaType },
  });
}

/** Refuses with problem+json (RFC 9457), and on WireMock's routes as WireMock does. */
function refuse(
  { target }: WireRequest,
  error: unknown,
  cors: ResponseFields | undefined,
): Response {
  const problem = toProblem(error);
  if (isWireMockPath(readTarget(target)?.path ?? '')) {
    return toResponse(refuseAsWireMock(problem), cors);
  }
  const { status, fields, mediaType = '', body } = asProblemJson(problem);
  const all = { ...fields, ...cors, 'content-type': mediaType };
  const diagnostics = describeRefusedRule(problem);
  if (diagnostics === undefined) return new Response(body, { status, headers: all });
  const { type, title, message } = problem;
  const value: JsonValue = { type, title, status, detail: message, diagnostics };
  return new Response(stringifyJson(value), { status, headers: all });
}

/**
 * How operations use the journal, by operationId: `read` needs its exchanges, `follow` also those
 * that arrive later. All others need only its counts.
 */
const journalUses: ReadonlyMap<string, 'read' | 'follow'> = new Map([
  ...Object.keys({
    ...journalOperations,
    ...reportOperations,
    ...requestOperations,
    ...nearMissOperations,
  }).map((id) => [id, 'read'] as const),
  ['waitForExchanges', 'follow'],
]);

/** Every operation of `spec/control-api.openapi.yaml`, by operationId. */
export const operations: ReadonlyMap<string, ControlOperation> = new Map(
  Object.entries({
    ...aboutOperations,
    ...operationOperations,
    ...fixtureOperations,
    ...failOperations,
    ...scenarioOperations,
    ...sessionOperations,
    ...journalOperations,
    ...reportOperations,
    ...stateOperations,
    ...snapshotOperations,
    ...clockOperations,
    ...eventOperations,
    ...callbackOperations,
    ...agentOperations,
    ...mappingOperations,
    ...requestOperations,
    ...nearMissOperations,
    ...serverOperations,
  }),
);
