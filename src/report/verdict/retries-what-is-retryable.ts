import type { KeptExchange } from '../../journal/exchange.ts';
import { endOf, retryTimeOf } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);
const RETRYABLE = new Set([429, 503]);
const UNANSWERED = new Set(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE']);

/** Tries again what may succeed later. */
export const retriesWhatIsRetryable = defineRule({
  name: 'retries-what-is-retryable',
  definition:
    'A request with a safe method is sent again at least once after 429, 503, or a connection that breaks before the first byte.',
  source: 'RFC 9110 §9.2.2 and §15.6.4; RFC 6585 §4',
  isOptional: true,
  thresholds: {
    longest: {
      value: 60_000,
      meaning: 'a client need not wait for a longer Retry-After; milliseconds',
    },
  },
  judge({ requests, cite, name }, { longest }) {
    const failed = requests.filter(({ attempts: [first] }) => isRetryable(first, longest));
    const given = failed.filter(({ attempts }) => attempts.length === 1);
    const evidence = given
      .filter(({ doubt }) => doubt === undefined)
      .map(({ attempts }) => cite(`${name(attempts[0])} failed and was not sent again`, attempts));
    const again = failed.length - given.length;
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} failed and was not sent again`,
      doubt: given[0]?.doubt,
      keeps: again > 0 && `${count(again, 'failed request')} was sent again`,
      missing: 'no request with a safe method failed so that it could be repeated',
    });
  },
});

function isRetryable(exchange: KeptExchange, longest: number): boolean {
  const { request, status, fault } = exchange;
  if (!SAFE.has(request.method)) return false;
  if (fault !== undefined) return UNANSWERED.has(fault);
  const time = retryTimeOf(exchange);
  return RETRYABLE.has(status) && (time === undefined || time - endOf(exchange) <= longest);
}
