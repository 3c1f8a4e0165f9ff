import type { KeptExchange } from '../../journal/exchange.ts';

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
