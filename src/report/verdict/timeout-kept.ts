import type { KeptExchange } from '../../journal/exchange.ts';
import { doubtOf, type LogicalRequest, lastOf, repeatsOf } from '../attempts/logical-request.ts';
import { endOf, retryTimeOf } from '../attempts/outcome.ts';
import { conclude, count, defineRule, type Material } from './rule.ts';

type Observe = (message: string, exchanges: readonly KeptExchange[]) => void;

/** Gives up in time, and closes what it gives up. */
export const timeoutKept = defineRule({
  name: 'timeout-kept',
  definition:
    'The client waits for no response longer than a deadline: it closes the connection. It sends no further attempt while an earlier one is open, and none after the deadline of all attempts; waits that a Retry-After sets do not count.',
  source:
    "Amazon Builders' Library, Timeouts, retries and backoff with jitter; Google Cloud, Retry strategy; RFC 9110 §9.2.2",
  thresholds: {
    deadline: { value: 30_000, meaning: 'longest wait for a response; milliseconds' },
    total: {
      value: 300_000,
      meaning: 'longest time from the first attempt to the last; milliseconds',
    },
  },
  judge(material, { deadline, total }) {
    const { exchanges, requests, cite, name, seesLeaving } = material;
    const evidence: ReturnType<typeof cite>[] = [];
    const observe: Observe = (message, cited) => evidence.push(cite(message, cited));
    for (const exchange of exchanges) {
      const waited = endOf(exchange) - exchange.at;
      if (waited > deadline && Number.isFinite(waited)) {
        observe(`${name(exchange)} waited ${waited} ms for its response`, [exchange]);
      }
    }
    for (const request of requests) observeAttempts(request, material, total, observe);
    const open = exchanges.find((exchange) => !Number.isFinite(endOf(exchange)));
    const left = exchanges.filter(({ leftAt }) => leftAt !== undefined);
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} went on too long`,
      doubt:
        open === undefined
          ? undefined
          : `${name(open)} has no end${seesLeaving ? ' yet' : ' that several processes share'}`,
      keeps:
        left.length > 0 &&
        `the client gave up ${count(left.length, 'request')} in time and closed the connection`,
      missing: 'the client gave up no response',
    });
  },
});

function observeAttempts(
  request: LogicalRequest,
  { name, seesLeaving }: Material,
  total: number,
  observe: Observe,
): void {
  const { attempts } = request;
  const [first] = attempts;
  const last = lastOf(request);
  if (doubtOf(request) !== undefined) return;
  for (const { before, next } of repeatsOf(request)) {
    if (endOf(before) <= next.at || (!seesLeaving && before.fault === 'HANG')) continue;
    observe(`${name(next)} was sent while #${before.number} was open`, [before, next]);
  }
  const span = last.at - first.at - attempts.reduce((sum, one) => sum + askedWait(one), 0);
  if (span > total) observe(`${name(last)} was sent ${span} ms after #${first.number}`, attempts);
}

/** Returns how long a response asks to wait. */
function askedWait(exchange: KeptExchange): number {
  const time = retryTimeOf(exchange);
  return time === undefined ? 0 : Math.max(0, time - endOf(exchange));
}
