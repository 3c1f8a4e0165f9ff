import type { KeptExchange } from '../../journal/exchange.ts';

/** One request as the caller of the client meant it, with every attempt to send it. */
export interface LogicalRequest {
  /** In the order of their arrival. */
  readonly attempts: readonly [KeptExchange, ...KeptExchange[]];
  /** Why it is not clear that these, and no others, are its attempts; undefined where it is. */
  readonly doubt: string | undefined;
  /** Whether a field says that these are its attempts, and not only their content. */
  readonly isIdentified: boolean;
}

/** Ratios of waits that differ by less are the same. */
const ALIKE = 0.15;
/** Fewer waits may be regular by chance. */
const FEWEST_REGULAR = 4;

/**
 * Returns why attempts may be several calls of the user's code: they have only their content in
 * common, and no regular waits between them, as only a program has.
 */
export function doubtOf(request: LogicalRequest): string | undefined {
  const { attempts, doubt, isIdentified } = request;
  if (doubt !== undefined || isIdentified || attempts.length < 2) return doubt;
  if (isRegular(waitsOf(request).map(({ milliseconds }) => milliseconds))) return undefined;
  return `#${attempts[0].number} and what repeats it have no id in common, and may be several calls`;
}

/** Returns whether waits are all the same, or grow by one factor up to a limit. */
function isRegular(waits: readonly number[]): boolean {
  if (waits.length < FEWEST_REGULAR) return false;
  const ratios = waits.slice(1).map((wait, index) => wait / Math.max(waits[index] ?? 1, 1));
  const [factor = 1] = ratios;
  const limit = ratios.findIndex((ratio) => Math.abs(ratio / factor - 1) > ALIKE);
  const rest = limit < 0 ? [] : ratios.slice(limit + 1);
  return factor >= 1 - ALIKE && rest.every((ratio) => Math.abs(ratio - 1) <= ALIKE);
}

type Attempts = Pick<LogicalRequest, 'attempts'>;

export function lastOf({ attempts }: Attempts): KeptExchange {
  return attempts.at(-1) ?? attempts[0];
}

/** Returns each further attempt with the one before it. */
export function repeatsOf({ attempts }: Attempts) {
  return attempts.slice(1).map((next, index) => ({ before: attempts[index] ?? next, next }));
}

/** Returns the waits before the further attempts that the client chose itself, in their order. */
export function waitsOf(request: Attempts): readonly Wait[] {
  return repeatsOf(request).flatMap(({ before, next }, index) => {
    const milliseconds = next.at - endOf(before);
    const isChosen = retryTimeOf(before) === undefined && milliseconds >= 0;
    return isChosen ? [{ index, milliseconds, next }] : [];
  });
}

/** The time between the end of an attempt and the next one. */
export interface Wait {
  /** The number of the attempt before, from 0. */
  readonly index: number;
  readonly milliseconds: number;
  readonly next: KeptExchange;
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

/**
 * Names of fields whose value identifies one request through all its attempts, by the words at
 * their end: `Idempotency-Key`, `X-Request-Id`, `x-client-invocation-id`.
 */
const IDENTITY =
  /(?:^|-)(?:idempotency-?key|(?:request|correlation|invocation|transaction)-?id|client-?token)$/;

/** Returns the fields of a request that may identify it, as `name: value`. */
export function identitiesOf({ request }: KeptExchange): readonly string[] {
  const found: string[] = [];
  for (const [name, value] of request.fields.entries()) {
    if (IDENTITY.test(name) && value !== '') found.push(`${name}: ${value}`);
  }
  return found;
}

/** Returns the trace of a request (W3C Trace Context §3.2.2.3); undefined for none. */
export function traceOf({ request }: KeptExchange): string | undefined {
  return /^[\da-f]{2}-([\da-f]{32})-/.exec(request.fields.get('traceparent') ?? '')?.[1];
}

/** Returns whether this is the name of a field with idempotency keys; in lower case. */
export function isKeyName(name: string): boolean {
  return /(?:^|-)idempotency-?key$/.test(name);
}

export function idempotencyKeyOf({ request }: KeptExchange): string | undefined {
  return request.fields.entries().find(([name]) => isKeyName(name))?.[1];
}

/** Returns a text that is the same for requests with the same method, target and body. */
export function contentOf({ request, requestBodyLength }: KeptExchange): string {
  const { method, target, rawBody } = request;
  const body = rawBody === 'too-large' ? rawBody : Buffer.from(rawBody).toString('latin1');
  return `${method} ${target}\n${requestBodyLength ?? ''}\n${body}`;
}

/** Returns the operation of a request; of one that matches none, its method and target. */
export function operationOf({ request, operationId }: KeptExchange): string {
  return operationId ?? `${request.method} ${request.target}`;
}
