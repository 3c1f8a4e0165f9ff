import { type Fields, readFields, type WireRequest } from '../http/message.ts';
import { Problem } from '../problem.ts';
import { decode } from '../request/decode.ts';
import { route } from '../request/route.ts';
import { validate } from '../request/validate.ts';
import type { Session } from '../session.ts';
import { ControlCall, type ControlSettings } from './call.ts';

/** A request that keeps the control API's document, and the operation that it is for. */
export interface ReadCall {
  readonly operationId: string;
  readonly call: ControlCall;
}

/**
 * Takes a request to the control API the way that every request goes: route, decode, validate.
 *
 * @throws {Problem} by its cause
 */
export async function readCall(
  request: WireRequest,
  session: Session,
  signal: AbortSignal,
  settings: ControlSettings,
): Promise<ReadCall> {
  const { contract } = await settings.document();
  const match = findRoute(() => route(contract, asJson(request)));
  const { maximumBodyBytes } = settings;
  const decoded = decode({ match, isAuthenticated: true }, { maximumBodyBytes, brotli: false });
  const valid = validate(decoded);
  if (valid instanceof Problem) throw valid;
  const call = new ControlCall(settings, session, valid, signal);
  return { operationId: match.operation.id, call };
}

/** Says of a path that is not there where to look for those that are. */
function findRoute<Found>(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'PATH_NOT_FOUND') throw error;
    throw new Problem(
      'UNKNOWN_CONTROL_ROUTE',
      `${error.message.replace('the document', 'the control API')}; ` +
        'GET /__admin/openapi.yaml describes those that there are',
    );
  }
}

/** Clients that say nothing of their JSON, and what `curl -d` says of all that it sends. */
const UNSAID = [undefined, '', 'application/x-www-form-urlencoded'];

function asJson(request: WireRequest): WireRequest {
  if (!UNSAID.includes(request.fields.get('content-type'))) return request;
  return { ...request, fields: withJson(request.fields) };
}

function withJson(fields: Fields): Fields {
  const entries = fields.entries().filter(([name]) => name !== 'content-type');
  return readFields({ ...Object.fromEntries(entries), 'content-type': 'application/json' });
}
