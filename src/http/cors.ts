import type { Fields, ResponseFields } from './message.ts';

const LOCAL_ORIGIN =
  /^https?:\/\/(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** True for a page served from this machine: the front end under development. */
export function isLocalOrigin(origin: string): boolean {
  return LOCAL_ORIGIN.test(origin);
}

/**
 * The fields that let a page read the response (Fetch Standard, CORS protocol). A local page may
 * send credentials; any other may read, but never with the browser's credentials.
 *
 * @param origin the request's Origin field
 * @param exposed the names of the response's fields that the page may read
 */
export function corsFields(origin: string, exposed: string): ResponseFields {
  if (!isLocalOrigin(origin)) {
    return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed };
  }
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposed,
    vary: 'Origin',
  };
}

/** True for a preflight: OPTIONS that asks for another method (Fetch Standard). */
export function isPreflight(method: string, fields: Fields): boolean {
  return (
    method === 'OPTIONS' &&
    fields.get('origin') !== undefined &&
    fields.get('access-control-request-method') !== undefined
  );
}

const FIELD_NAMES = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*,[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/;
/** More is no list of field names that a page means. */
const MAXIMUM_FIELD_NAMES_LENGTH = 4096;

/**
 * The fields that answer a preflight.
 *
 * @param methods the methods that the path has
 */
export function preflightFields(fields: Fields, methods: readonly string[]): ResponseFields {
  const wanted = fields.get('access-control-request-headers')?.trim() ?? '';
  const isList = wanted.length <= MAXIMUM_FIELD_NAMES_LENGTH && FIELD_NAMES.test(wanted);
  const origin = fields.get('origin') ?? '*';
  return {
    ...corsFields(origin, '*'),
    'access-control-allow-methods': methods.join(', '),
    ...(isList && { 'access-control-allow-headers': wanted }),
    ...(fields.get('access-control-request-private-network') === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}
