import { createHash, timingSafeEqual } from 'node:crypto';
import { Problem } from '../base/problem.ts';
import { isLocalOrigin } from '../http/cors.ts';
import { isPrivateHost, readHost } from '../http/host.ts';
import type { Fields, WireRequest } from '../http/message.ts';

/** Who may use the control API. */
export interface GuardSettings {
  /** Names of hosts besides those that are nobody else's. */
  readonly hosts: readonly string[];
  /** Undefined asks for none. */
  readonly token: string | undefined;
}

/**
 * Refuses what comes from elsewhere: a page that another host has sent (cross-site requests), and
 * one that reached this server under a name of its own (DNS rebinding).
 *
 * @throws {Problem} FOREIGN_HOST or FOREIGN_ORIGIN
 */
export function refuseForeigners(request: WireRequest, { hosts }: GuardSettings): void {
  const { fields, target } = request;
  for (const name of [fields.get('host'), authorityOf(target)]) {
    if (name !== undefined) refuseForeignHost(name, hosts);
  }
  const origin = fields.get('origin');
  const host = readHost(fields.get('host') ?? '');
  if (origin === undefined || isTrustedOrigin(origin, host, hosts)) return;
  throw new Problem(
    'FOREIGN_ORIGIN',
    `the page is from ${quote(origin)}; --admin-host trusts its host`,
  );
}

/** Of a target in absolute-form, whose host counts before that of the field (RFC 9112 §3.2.2). */
function authorityOf(target: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
}

function refuseForeignHost(name: string, hosts: readonly string[]): void {
  const host = readHost(name);
  if (host !== undefined && (isPrivateHost(host) || isNamed(host, hosts))) return;
  throw new Problem(
    'FOREIGN_HOST',
    `the Host is ${quote(name)}, which may be anybody's name for this server; ` +
      '--admin-host trusts it',
  );
}

/** True for a page of this machine, of this very server, or of a host that is named. */
export function isTrustedOrigin(
  origin: string,
  host: string | undefined,
  hosts: readonly string[],
): boolean {
  if (isLocalOrigin(origin)) return true;
  const [, authority] = /^https?:\/\/([^/?#@]+)$/i.exec(origin) ?? [];
  const from = authority === undefined ? undefined : readHost(authority);
  if (from === undefined) return false;
  return from === host || isNamed(from, hosts);
}

/**
 * @throws {Problem} UNAUTHORIZED_CONTROL where the settings want a token that did not come
 */
export function requireToken(fields: Fields, { token }: GuardSettings): void {
  if (token === undefined) return;
  const [, given] = /^bearer +(\S+) *$/i.exec(fields.get('authorization') ?? '') ?? [];
  if (given !== undefined && isSame(given, token)) return;
  throw new Problem(
    'UNAUTHORIZED_CONTROL',
    given === undefined
      ? 'send Authorization: Bearer <token>, with the token of the setting admin-token'
      : 'the token is not that of the setting admin-token',
    { headers: { 'www-authenticate': 'Bearer realm="coldframe control API"' } },
  );
}

/** In a time that tells nothing of how much of it is right. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function isNamed(host: string, hosts: readonly string[]): boolean {
  return hosts.some((name) => name.toLowerCase() === host);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
