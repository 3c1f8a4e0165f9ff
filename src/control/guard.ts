import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import { isLocalOrigin } from '../http/cors.ts';
import { isPrivateHost, readHost } from '../http/host.ts';
import { CALLBACK_MARK, type Fields, type WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import { isHealthPath } from './control-target.ts';

export interface GuardSettings {
  /** Trusted host names, besides those of private networks. */
  readonly hosts: readonly string[];
  /** The required bearer token; undefined when none is. */
  readonly token: string | undefined;
}

/**
 * Refuses requests that a foreign web page could send: from another origin (cross-site requests),
 * or under a foreign host name that resolves to this server (DNS rebinding). Refuses callbacks too,
 * whose URLs clients choose (CWE-918). A health check may have any Host: a load balancer sends its
 * own, and the response says less than the paths of the document do.
 */
export function refuseUntrusted(request: WireRequest, { hosts }: GuardSettings): void {
  const { fields, target } = request;
  if (fields.get(CALLBACK_MARK) !== undefined) {
    throw new Problem(
      'FROM_CALLBACK',
      'a callback or webhook must not go to the control API; name another URL',
    );
  }
  const isHealthCheck = isHealthPath(readTarget(target)?.path ?? '');
  for (const name of isHealthCheck ? [] : [fields.get('host'), authorityOf(target)]) {
    if (name !== undefined) refuseForeignHost(name, hosts);
  }
  const origin = fields.get('origin');
  if (origin === undefined || isTrustedOrigin(origin, fields, hosts)) return;
  throw new Problem(
    'FOREIGN_ORIGIN',
    `the page is from ${quote(origin, 200)}; use --admin-host to trust its host`,
  );
}

/** In absolute-form, the target's host overrides the Host field (RFC 9112 §3.2.2). */
function authorityOf(target: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
}

function refuseForeignHost(name: string, hosts: readonly string[]): void {
  const host = readHost(name);
  if (host !== undefined && (isPrivateHost(host) || isNamed(host, hosts))) return;
  throw new Problem(
    'FOREIGN_HOST',
    `the Host ${quote(name, 200)} is not trusted, as anyone can point a name at this server; ` +
      'use --admin-host to trust it',
  );
}

/** Returns whether an origin is this machine, the server that a request names, or one of `hosts`. */
export function isTrustedOrigin(origin: string, fields: Fields, hosts: readonly string[]): boolean {
  if (isLocalOrigin(origin)) return true;
  const [, authority] = /^https?:\/\/([^/?#@]+)$/i.exec(origin) ?? [];
  const from = authority === undefined ? undefined : readHost(authority);
  if (from === undefined) return false;
  return from === readHost(fields.get('host') ?? '') || isNamed(from, hosts);
}

export function requireToken(fields: Fields, { token }: GuardSettings): void {
  if (token === undefined) return;
  const [, sent] = /^bearer +(\S+) *$/i.exec(fields.get('authorization') ?? '') ?? [];
  // Digests are equally long, and compared in constant time.
  if (sent !== undefined && timingSafeEqual(digest(sent), digest(token))) return;
  throw new Problem(
    'UNAUTHORIZED_CONTROL',
    sent === undefined
      ? 'send Authorization: Bearer <token> with the value of --admin-token'
      : 'the token differs from --admin-token',
    { fields: { 'www-authenticate': 'Bearer realm="coldframe control API"' } },
  );
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function isNamed(host: string, hosts: readonly string[]): boolean {
  return hosts.some((name) => name.toLowerCase() === host);
}
