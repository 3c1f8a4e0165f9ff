import type { KeptExchange } from '../../journal/exchange.ts';
import { contentOf } from '../attempts/identity.ts';
import { doubtOf, type LogicalRequest } from '../attempts/logical-request.ts';
import { isBroken, isTransient } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Does not repeat what the service will refuse again. */
export const noRetryOfClientErrors = defineRule({
  name: 'no-retry-of-client-errors',
  definition:
    'After a 4xx other than 408, 425 and 429, and without Retry-After, the same request is not sent again with the same credential.',
  source: 'RFC 9110 §15.5; AWS SDKs and Tools Reference Guide, Retry behavior',
  thresholds: {},
  judge({ requests, cite, name }) {
    const refused = requests.flatMap((request) =>
      request.attempts.flatMap((attempt, index, { [index + 1]: next }) =>
        isFinal(attempt) ? [{ attempt, next, doubt: doubtOfRepeat(request) }] : [],
      ),
    );
    const repeated = refused.filter(
      ({ attempt, next }) => next !== undefined && isSame(attempt, next),
    );
    const evidence = repeated.flatMap(({ attempt, next, doubt }) => {
      if (next === undefined || doubt !== undefined) return [];
      const message = `${name(next)} repeats #${attempt.number}, which was refused with ${attempt.status}`;
      return [cite(message, [attempt, next])];
    });
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} repeated what was refused`,
      doubt: repeated[0]?.doubt,
      keeps:
        refused.length > 0 && `none of ${count(refused.length, 'refused request')} was repeated`,
      missing: 'no request was refused with such a 4xx',
    });
  },
});

/** A read that was refused may be asked for again, until it is there; a write has no such reason. */
function doubtOfRepeat(request: LogicalRequest): string | undefined {
  const isRead = request.attempts[0].request.method === 'GET';
  return isRead ? doubtOf(request) : request.doubt;
}

function isFinal(exchange: KeptExchange): boolean {
  const { status, responseFields } = exchange;
  if (isBroken(exchange) || isTransient(exchange) || status < 400 || status >= 500) return false;
  return responseFields['retry-after'] === undefined;
}

/** Returns whether a request repeats another one with all that may be the reason of its refusal. */
function isSame(one: KeptExchange, other: KeptExchange): boolean {
  return (
    contentOf(one) === contentOf(other) &&
    CONDITIONS.every((name) => one.request.fields.get(name) === other.request.fields.get(name))
  );
}

const CONDITIONS = [
  'authorization',
  'cookie',
  'accept',
  'content-type',
  'if-match',
  'if-none-match',
];
