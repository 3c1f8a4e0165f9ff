import { isIP } from 'node:net';

const HOST = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/;

/**
 * @param field a Host field (RFC 9110 §7.2)
 * @returns its host in lower case, without port, brackets and a name's last dot; undefined for what
 *   is none
 */
export function readHost(field: string): string | undefined {
  const [, host] = HOST.exec(field.trim()) ?? [];
  return host?.replace(/^\[|\]$|(?<=.)\.$/g, '').toLowerCase();
}

/** Names that no public server can have (RFC 6761, RFC 6762, ICANN's `.internal`). */
const PRIVATE_ENDINGS = ['.localhost', '.local', '.internal', '.test'];

/**
 * True for a host that no page elsewhere can have been given by its own name server: an address, a
 * name without a dot, as containers have, or one below an ending that is not public.
 *
 * @param host as {@link readHost} gives it
 */
export function isPrivateHost(host: string): boolean {
  if (isIP(host) !== 0 || !host.includes('.')) return true;
  return PRIVATE_ENDINGS.some((ending) => host.endsWith(ending));
}
