import { readCookies } from '../http/cookies.ts';
import type { WireRequest } from '../http/message.ts';
import { decodePercent } from '../http/percent.ts';

/** The session of requests that name none. */
export const DEFAULT_SESSION = 'default';

/** Neither what clients take out of a path, nor what a base URL without its last slash makes. */
const SESSION_ID = /^(?!\.{1,2}$|__admin)[A-Za-z0-9._~-]{1,128}$/;
const PREFIX = '/__session/';

/** The name under which clients say their session, in baggage and cookies. */
const MEMBER = 'mock-session';

/** A request and the session that it names. */
export interface SessionRequest {
  /** Not looked at yet; undefined where none is named. */
  readonly id: string | undefined;
  /** The request as it is within its session: without the path's prefix. */
  readonly request: WireRequest;
  /** What was taken off the path: `/__session/a1`, mostly nothing. */
  readonly prefix: string;
}

/** @returns whether a session may be called so: such a name can stand in a path and in a cookie */
export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/**
 * Finds the session that a request names: by its path, which says most plainly what is meant, then
 * by `Mock-Session`, by the member `mock-session` of `Baggage`, which passes through the systems in
 * between (W3C Baggage §2), then by the cookie of that name.
 */
export function readSession(request: WireRequest): SessionRequest {
  if (request.target.startsWith(PREFIX)) return readPrefix(request);
  const { fields } = request;
  const id = fields.get('mock-session') ?? readBaggage(request) ?? readCookie(request);
  return { id, request, prefix: '' };
}

function readPrefix(request: WireRequest): SessionRequest {
  const { target } = request;
  const rest = target.slice(PREFIX.length);
  const end = /[/?]|$/.exec(rest)?.index ?? rest.length;
  const id = rest.slice(0, end);
  const inside = rest.slice(end);
  const prefix = PREFIX + id;
  return {
    id,
    prefix,
    request: { ...request, prefix, target: inside.startsWith('/') ? inside : `/${inside}` },
  };
}

function readBaggage({ fields }: WireRequest): string | undefined {
  const field = fields.get('baggage');
  return field?.includes(MEMBER) === true ? readBaggageMember(field, MEMBER) : undefined;
}

function readCookie({ fields }: WireRequest): string | undefined {
  const field = fields.get('cookie');
  return field?.includes(MEMBER) === true ? readCookies(field).get(MEMBER) : undefined;
}

/**
 * Reads one member of a Baggage field (W3C Baggage §3.3.1): `mock-session=a1;ttl=5, user=7`.
 *
 * @returns its value, percent-decoded, without its properties; undefined when it is not there
 */
export function readBaggageMember(field: string, name: string): string | undefined {
  for (const member of field.split(',')) {
    const [pair = ''] = member.split(';');
    const end = pair.indexOf('=');
    if (end < 0 || pair.slice(0, end).trim() !== name) continue;
    const value = pair.slice(end + 1).trim();
    return decodePercent(value) ?? value;
  }
  return undefined;
}
