import type { KeptExchange } from '../../journal/exchange.ts';

/** Statuses that say that the same request may succeed later, besides those of servers' errors. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns whether a response, or the lack of one, says that the same request may succeed later. */
export function isTransient(exchange: KeptExchange): boolean {
  const { status } = exchange;
  return isBroken(exchange) || LATER.has(status) || (status >= 500 && status !== 501);
}

/** Returns whether the client did not get what it asked for. */
export function isFailure(exchange: KeptExchange): boolean {
  return isBroken(exchange) || exchange.status >= 400;
}

/** Returns whether the response did not reach the client whole. */
export function isBroken({ fault, leftAt }: KeptExchange): boolean {
  return leftAt !== undefined || (fault !== undefined && !READABLE.has(fault));
}

/** Faults after which a client has a response that HTTP calls whole. */
const READABLE: ReadonlySet<string> = new Set(['INVALID_JSON', 'WRONG_MEDIA_TYPE', 'SLOW_CLOSE']);

/** Returns when the client had its response or left; infinity where nobody saw either. */
export function endOf({ readyAt, leftAt, fault }: KeptExchange): number {
  return leftAt ?? (fault === 'HANG' ? Number.POSITIVE_INFINITY : readyAt);
}

/** A larger number of seconds is a moment since 1970, as some services send it. */
const LONGEST_SECONDS = 1_000_000_000;

/**
 * Returns the moment before which a response asks the client not to come again, by `Retry-After`
 * (RFC 9110 §10.2.3) or, where the client has used up its limit, by the reset of its limit
 * (draft-ietf-httpapi-ratelimit-headers); undefined for none. Milliseconds since 1970.
 */
export function retryTimeOf(exchange: KeptExchange): number | undefined {
  // A response that did not reach the client asks for nothing.
  if (isBroken(exchange)) return undefined;
  const { responseFields: fields } = exchange;
  const given = fields['retry-after'];
  if (given !== undefined) return readMoment(given, exchange);
  if (exchange.status !== 429) return undefined;
  const reset =
    fields['ratelimit-reset'] ??
    fields['x-ratelimit-reset'] ??
    /(?:^|[;,])\s*(?:reset|t)=(\d+)/.exec(fields['ratelimit'] ?? '')?.[1];
  return reset === undefined ? undefined : readMoment(reset, exchange);
}

function readMoment(text: string, exchange: KeptExchange): number | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(text.trim())) {
    const date = Date.parse(text);
    return Number.isNaN(date) ? undefined : date;
  }
  const seconds = Number(text);
  return seconds > LONGEST_SECONDS ? seconds * 1000 : endOf(exchange) + seconds * 1000;
}
