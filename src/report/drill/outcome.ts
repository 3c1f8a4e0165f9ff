import type { Exchange } from '../../client/journal-control.ts';
import { spoilingFaults } from '../../delivery/transmission.ts';
import { type Failure, passingStatuses } from './failures.ts';

/** Methods that a client may repeat by itself (RFC 9110 §9.2.2). */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'];

/** Statuses that say that the request was not processed (RFC 6585 §4, RFC 9110 §15.6.4). */
const UNPROCESSED = [429, 503];

/** An exchange on which a failure acted. */
type Hit = Pick<Exchange, 'request' | 'answer' | 'fault'>;

/**
 * Returns why a command may fail although its client does everything right; undefined where a retry
 * makes it pass.
 */
export function findExcuse(
  { isLasting }: Pick<Failure, 'isLasting'>,
  hits: readonly Hit[],
): string | undefined {
  if (isLasting) return 'the failure outlasts every retry';
  return hits.map(excuseOf).find((excuse) => excuse !== undefined);
}

function excuseOf({ request, answer, fault }: Hit): string | undefined {
  if (spoilingFaults.some((spoiling) => spoiling === fault)) {
    return 'a response that breaks off is not always repeated';
  }
  const { status } = answer;
  if (fault === undefined && status < 400) return undefined;
  if (fault === undefined && !passingStatuses.has(status)) return `${status} is not retried`;
  const { method, headers } = request;
  const isSafe = REPEATABLE.includes(method) || Object.hasOwn(headers, 'idempotency-key');
  if (isSafe || (fault === undefined && UNPROCESSED.includes(status))) return undefined;
  return `${method} without Idempotency-Key is not repeated after ${fault ?? status}`;
}
