import { isIP } from 'node:net';
import type { WireRequest } from './message.ts';

/** `uri-host [ ":" port ]` (RFC 9110 §7.2). */
const HOST = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._~!$&'()*+,;=%-]*))(?::(\d*))?$/;

/** The form that most clients send, whose parts need no check of their own. */
const ORDINARY_HOST = /^[A-Za-z0-9.-]+(?::\d{1,4})?$/;

function matchHost(field: string): readonly (string | undefined)[] | undefined {
  const match = HOST.exec(field);
  return match !== null && Number(match[3] ?? 0) <= 65535 ? match : undefined;
}

/** Returns whether a text is a host, and a port that exists or none (RFC 9110 §7.2). */
export function isHost(field: string): boolean {
  return ORDINARY_HOST.test(field) || matchHost(field) !== undefined;
}

/**
 * Returns the host of a Host field in lower case, without port, brackets and a name's last dot;
 * undefined for an empty one, and for what {@link isHost} refuses.
 */
export function readHost(field: string): string | undefined {
  const [, address, name] = matchHost(field.trim()) ?? [];
  const host = address ?? name?.replace(/(?<=.)\.$/, '');
  return host === '' ? undefined : host?.toLowerCase();
}

/**
 * Returns the URL at which a client reaches the mock, with the prefix of its session.
 *
 * @param port another port of the same host
 */
export function originOf(
  { fields, prefix = '' }: Pick<WireRequest, 'fields' | 'prefix'>,
  port?: string,
): string {
  const host = fields.get('host') ?? 'localhost';
  return `http://${port === undefined ? host : host.replace(/(?::\d*)?$/, `:${port}`)}${prefix}`;
}

/** Names that no public server can have (RFC 6761, RFC 6762, ICANN's `.internal`). */
const PRIVATE_ENDINGS = ['.localhost', '.local', '.internal', '.test'];

/** A name as containers have: a percent sign could hide a dot. */
const SINGLE_LABEL = /^[a-z0-9_-]+$/;

/**
 * True for a host that no page elsewhere can have been given by its own name server: an address, a
 * name without a dot, as containers have, or one below an ending that is not public.
 *
 * @param host as {@link readHost} gives it
 */
export function isPrivateHost(host: string): boolean {
  if (SINGLE_LABEL.test(host)) return true;
  // Last, as Node's pattern of addresses takes milliseconds to compile.
  return PRIVATE_ENDINGS.some((ending) => host.endsWith(ending)) || isIP(host) !== 0;
}
