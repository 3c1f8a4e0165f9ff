import { Problem } from '../base/problem.ts';
import { readMediaType } from '../http/media-type.ts';
import { type Fields, readFields, type WireRequest } from '../http/message.ts';
import { skipAuthentication } from '../request/authenticate.ts';
import { decode } from '../request/decode.ts';
import type { ValidRequest } from '../request/request.ts';
import { route } from '../request/route.ts';
import { validate } from '../request/validate.ts';
import type { ControlSettings } from './call.ts';

/**
 * Takes a request to the control API the way that every request goes: route, decode, validate.
 *
 * @throws {Problem} by its cause
 */
export async function readCall(
  request: WireRequest,
  { document, maximumBodyBytes }: ControlSettings,
): Promise<ValidRequest> {
  const { contract } = await document();
  const routed = findRoute(() => route(contract, asJson(request)));
  const decoded = decode(skipAuthentication(routed), { maximumBodyBytes, brotli: false });
  const valid = validate(decoded);
  if (valid instanceof Problem) throw valid;
  return valid;
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

/** What says nothing of JSON: `curl -d` says the one of all that it sends, `fetch` the other. */
const UNSAID: readonly (string | undefined)[] = ['application/x-www-form-urlencoded', 'text/plain'];

function asJson(request: WireRequest): WireRequest {
  const field = request.fields.get('content-type') ?? '';
  if (field !== '' && !UNSAID.includes(readMediaType(field))) return request;
  return { ...request, fields: withJson(request.fields) };
}

function withJson(fields: Fields): Fields {
  const entries = fields.entries().filter(([name]) => name !== 'content-type');
  return readFields({ ...Object.fromEntries(entries), 'content-type': 'application/json' });
}
