import type { WireRequest } from '../http/message.ts';
import { decodePercent } from '../http/query.ts';

/** The session of requests that name no other. */
export const DEFAULT_SESSION = 'default';

/** Excludes dot segments, which clients remove, and what a base URL without a last slash gives. */
const SESSION_ID = /^(?!\.{1,2}$|__admin)[A-Za-z0-9._~-]{1,128}$/;
const PREFIX = '/__session/';

/** The name of the session in baggage and cookies. */
const MEMBER = 'mock-session';

export interface SessionRequest {
  /** Not validated; undefined where the request names no session. */
  readonly id: string | undefined;
  /** The request within its session: without the prefix of the path. */
  readonly request: WireRequest;
}

/** Returns true for a name that a path and a cookie can have as it is. */
export function isSessionId(id: string): boolean {
  return SESSION_ID.test(id);
}

/**
 * Reads the session that a request names: in its path, in `Mock-Session`, in the member
 * `mock-session` of `Baggage`, which passes through the systems in between (W3C Baggage §2), or in
 * the cookie of that name. The first one counts.
 */
export function readSession(request: WireRequest): SessionRequest {
  if (request.target.startsWith(PREFIX)) return readPrefix(request);
  const { fields } = request;
  const id =
    fields.get('mock-session') ??
    readMember(fields.get('baggage'), ',') ??
    readMember(fields.get('cookie'), ';');
  return { id, request };
}

function readPrefix(request: WireRequest): SessionRequest {
  const { target } = request;
  const rest = target.slice(PREFIX.length);
  const end = /[/?]|$/.exec(rest)?.index ?? rest.length;
  const id = rest.slice(0, end);
  const inside = rest.slice(end);
  const prefix = `${request.prefix ?? ''}${PREFIX}${id}`;
  const targetInside = inside.startsWith('/') ? inside : `/${inside}`;
  return { id, request: { ...request, prefix, target: targetInside } };
}

/**
 * Reads the session in a Cookie field, or in a Baggage field (W3C Baggage §3.3.1), whose members may
 * have properties: `mock-session=a1;ttl=5, user=7`.
 *
 * @returns the value, percent-decoded; undefined when there is no such member
 */
function readMember(field: string | undefined, separator: string): string | undefined {
  if (field?.includes(MEMBER) !== true) return undefined;
  for (const member of field.split(separator)) {
    const [pair = ''] = member.split(';');
    const end = pair.indexOf('=');
    if (end < 0 || pair.slice(0, end).trim() !== MEMBER) continue;
    const value = pair.slice(end + 1).trim();
    return decodePercent(value) ?? value;
  }
  return undefined;
}
