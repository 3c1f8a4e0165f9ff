import { Problem } from '../base/problem.ts';
import type { SecurityRequirement, SecurityScheme } from '../contract/security.ts';
import type { ResponseFields } from '../http/message.ts';
import { readCookies, readQuery } from '../http/query.ts';
import type { AuthenticatedRequest, RoutedRequest } from './request.ts';

/** Why a credential is not accepted. */
interface Rejection {
  readonly scheme: SecurityScheme;
  readonly reason: string;
}

export interface AcceptedCredentials {
  /** Bearer tokens and API keys; none accepts all. */
  readonly tokens: ReadonlySet<string>;
  /** True refuses a token that the grammar of its scheme does not allow. */
  readonly strictCredentials: boolean;
}

/**
 * Checks the credential that the operation requires: any one of its requirements, and of that
 * requirement every scheme (OAS 3.1 §4.8.30). A mock cannot know who may come in, so every
 * credential is good unless tokens are listed.
 *
 * @param deviations gets a sentence where the credential breaks the grammar of its scheme
 * @throws {Problem} UNAUTHORIZED with WWW-Authenticate (RFC 9110 §11.6.1)
 */
export function authenticate(
  request: RoutedRequest,
  accepted: AcceptedCredentials,
  deviations?: string[],
): AuthenticatedRequest {
  const { security } = request.operation;
  if (security.length === 0) return skipAuthentication(request);
  const rejections: Rejection[] = [];
  for (const requirement of security) {
    const rejection = findRejection(request, requirement, accepted, deviations);
    if (rejection === undefined) return skipAuthentication(request);
    rejections.push(rejection);
  }
  throw unauthorized(rejections);
}

/** Accepts a request without checking its credential, for the control API and the journal. */
export function skipAuthentication(request: RoutedRequest): AuthenticatedRequest {
  return request as AuthenticatedRequest;
}

function findRejection(
  request: RoutedRequest,
  requirement: SecurityRequirement,
  accepted: AcceptedCredentials,
  deviations: string[] | undefined,
): Rejection | undefined {
  for (const scheme of requirement) {
    const reason = rejectionOf(request, scheme, accepted, deviations);
    if (reason !== undefined) return { scheme, reason };
  }
  return undefined;
}

function rejectionOf(
  request: RoutedRequest,
  scheme: SecurityScheme,
  accepted: AcceptedCredentials,
  deviations: string[] | undefined,
) {
  switch (scheme.kind) {
    case 'bearer':
    case 'basic':
      return rejectionOfToken(request, scheme.kind, accepted, deviations);
    case 'http': {
      const field = request.fields.get('authorization') ?? '';
      const isScheme = field.toLowerCase().startsWith(`${scheme.scheme} `);
      return isScheme ? undefined : `Authorization must be of the scheme ${scheme.scheme}`;
    }
    case 'apiKey': {
      const key = readApiKey(request, scheme);
      if (key === undefined || key === '') {
        return `the ${scheme.in} parameter ${scheme.parameter} must hold the API key`;
      }
      return isListed(key, accepted) ? undefined : 'the API key is not one of the accepted ones';
    }
    case 'mutualTLS':
      return undefined;
  }
}

/** The scheme's case is free, and one space or more follows it. */
const TOKENS = {
  // Padding alone is no token.
  bearer: [/^bearer +(?!=+$)(\S.*)$/i, 'Authorization: Bearer <token>'],
  basic: [/^basic +([A-Za-z0-9+/_-]+=*)$/i, 'Authorization: Basic <base64>'],
} as const;

/** The grammar of a bearer token, `b64token`. Services that issue others accept them, too. */
const B64TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
const USUAL_BEARER = /^[Bb]earer [A-Za-z0-9._~+/-]+=*$/;

function rejectionOfToken(
  { fields }: RoutedRequest,
  kind: 'bearer' | 'basic',
  accepted: AcceptedCredentials,
  deviations: string[] | undefined,
): string | undefined {
  const [pattern, form] = TOKENS[kind];
  const field = fields.get('authorization');
  if (field === undefined) return `the Authorization field is missing, send ${form}`;
  // Most tokens follow the grammar, and which one it is matters only where some are listed.
  if (kind === 'bearer' && accepted.tokens.size === 0 && USUAL_BEARER.test(field)) return undefined;
  const malformed = `the Authorization field is malformed, send ${form}`;
  const token = pattern.exec(field)?.[1];
  if (token === undefined || (kind === 'basic' && !isUserPass(token))) return malformed;
  const isDeviant = kind === 'bearer' && !B64TOKEN.test(token);
  if (isDeviant && accepted.strictCredentials) return malformed;
  if (!isListed(token, accepted)) return 'the token is not one of the accepted ones';
  if (isDeviant) deviations?.push('the token in Authorization is no b64token (RFC 6750 §2.1)');
  return undefined;
}

/** A user's name, a colon and a password (RFC 7617 §2). */
function isUserPass(token: string): boolean {
  return Buffer.from(token, 'base64').includes(':');
}

type ApiKey = Extract<SecurityScheme, { kind: 'apiKey' }>;

function readApiKey({ fields, query }: RoutedRequest, scheme: ApiKey): string | undefined {
  switch (scheme.in) {
    case 'header':
      return fields.get(scheme.parameter.toLowerCase());
    case 'query':
      return readQuery(query).find(([name]) => name === scheme.parameter)?.[1];
    case 'cookie':
      return readCookies(fields.get('cookie')).get(scheme.parameter);
  }
}

function isListed(token: string, { tokens }: AcceptedCredentials): boolean {
  return tokens.size === 0 || tokens.has(token);
}

function unauthorized(rejections: readonly Rejection[]): Problem {
  const reasons = new Set(rejections.map(({ reason }) => reason));
  return new Problem('UNAUTHORIZED', [...reasons].join('; or '), {
    fields: challengeBy(rejections.map(({ scheme }) => scheme)),
  });
}

/** Returns the field by which a 401 says what it wants (RFC 9110 §11.6.1). */
export function challengeBy(schemes: readonly SecurityScheme[]): ResponseFields {
  const challenges = new Set(schemes.map(challengeOf));
  return { 'www-authenticate': [...challenges].join(', ') || 'Bearer' };
}

function challengeOf(scheme: SecurityScheme): string {
  switch (scheme.kind) {
    case 'bearer':
      return 'Bearer';
    case 'basic':
      return `Basic realm=${JSON.stringify(scheme.name)}`;
    case 'http':
      return scheme.scheme;
    case 'apiKey':
    case 'mutualTLS':
      // Neither has a registered scheme, and a 401 must carry a challenge all the same.
      return `${scheme.kind} realm=${JSON.stringify(scheme.name)}`;
  }
}
