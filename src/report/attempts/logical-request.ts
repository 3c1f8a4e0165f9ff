import type { KeptExchange } from '../../journal/exchange.ts';

/** One request as the caller of the client meant it, with every attempt to send it. */
export interface LogicalRequest {
  /** At least one, in the order of their arrival. */
  readonly attempts: readonly KeptExchange[];
  /** Why it is not clear that these, and no others, are its attempts; undefined where it is. */
  readonly doubt: string | undefined;
}

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
export function isBroken({ fault }: KeptExchange): boolean {
  return fault !== undefined && !READABLE.has(fault);
}

/** Faults after which a client has a response that HTTP calls whole. */
const READABLE: ReadonlySet<string> = new Set(['INVALID_JSON', 'WRONG_MEDIA_TYPE', 'SLOW_CLOSE']);

/** Returns when an exchange ended; undefined for one without an end, of which nobody knows it. */
export function endOf({ readyAt }: KeptExchange): number {
  return readyAt;
}
