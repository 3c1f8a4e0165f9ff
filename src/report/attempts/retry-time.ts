import type { KeptExchange } from '../../journal/exchange.ts';
import { endOf } from './logical-request.ts';

/** A larger number of seconds is a moment since 1970, as some services send it. */
const LONGEST_SECONDS = 1_000_000_000;

/**
 * Returns the moment before which a response asks the client not to come again, by `Retry-After`
 * (RFC 9110 §10.2.3) or, where the client has used up its limit, by the reset of its limit
 * (draft-ietf-httpapi-ratelimit-headers); undefined for none. Milliseconds since 1970.
 */
export function retryTimeOf(exchange: KeptExchange): number | undefined {
  const { responseFields: fields } = exchange;
  const given = fields['retry-after'];
  if (given !== undefined) return readMoment(given, exchange);
  if (exchange.status !== 429 && exchange.status !== 503) return undefined;
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
