import { count } from '../../base/words.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  contentOf,
  doubtOf,
  endOf,
  isBroken,
  isTransient,
  type LogicalRequest,
  lastOf,
  retryTimeOf,
} from '../attempts/logical-request.ts';
import { conclude, defineRule, slide } from './rule.ts';

export const attemptsBounded = defineRule({
  name: 'attempts-bounded',
  definition: 'A request that keeps failing is sent at most so many times.',
  source:
    'AWS SDKs and Tools Reference Guide, Retry behavior; Google Cloud, Retry strategy; Microsoft Azure, Retry pattern',
  thresholds: { most: { value: 5, meaning: 'attempts of one request, with the first' } },
  judge({ requests, cite, name }, { most }) {
    const over = requests.filter(({ attempts }) => attempts.length > most);
    const evidence = over
      .filter((request) => doubtOf(request) === undefined)
      .map(({ attempts }) =>
        cite(`${name(attempts[0])} was sent ${attempts.length} times`, attempts),
      );
    const ended = requests.filter((one) => one.doubt === undefined && isTransient(lastOf(one)));
    const longest = Math.max(...ended.map(({ attempts }) => attempts.length));
    const gaveUp = `${count(ended.length, 'request')} after at most ${count(longest, 'attempt')}`;
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} had more than ${count(most, 'attempt')}`,
      doubt: over[0] && doubtOf(over[0]),
      keeps: ended.length > 0 && `the client gave up ${gaveUp}`,
      missing: 'no request failed until the client gave it up',
    });
  },
});

export const retryBudget = defineRule({
  name: 'retry-budget',
  definition:
    'In each span of time, the further attempts of all requests are at most a reserve and a share of the first attempts in this span and the one before.',
  source:
    'Google, Site Reliability Engineering, Addressing Cascading Failures; AWS SDKs and Tools Reference Guide, Retry behavior (retry quota)',
  thresholds: {
    span: { value: 60_000, meaning: 'span of time; milliseconds' },
    reserve: { value: 10, meaning: 'further attempts that are always allowed in a span' },
    share: { value: 0.2, meaning: 'further attempts for each first one' },
  },
  judge({ requests, cite }, { span, reserve, share }) {
    const isClear = (request: LogicalRequest): boolean => doubtOf(request) === undefined;
    const again = new Set(requests.filter(isClear).flatMap(({ attempts }) => attempts.slice(1)));
    const all = requests.flatMap(({ attempts }) => attempts).sort((a, b) => a.at - b.at);
    const retries = countBefore(all, (exchange) => again.has(exchange));
    const failures = countBefore(all, isTransient);
    let isStrained = false;
    let worst = { over: 0, retries: 0, found: all.slice(0, 0) };
    const spans = slide(
      all,
      ({ at }) => at,
      (at) => at - span,
    );
    for (const { from, to } of spans) {
      const repeated = retries(to) - retries(from);
      const since = Math.max(
        0,
        all.findIndex(({ at }) => at >= (all[from]?.at ?? 0) - span),
      );
      const allowed = reserve + share * (to - since - (retries(to) - retries(since)));
      isStrained ||= failures(to) - failures(from) > allowed;
      const over = repeated - allowed;
      if (over > worst.over) worst = { over, retries: repeated, found: all.slice(from, to) };
    }
    const { found } = worst;
    const number = count(worst.retries, 'further attempt');
    const message = `${number} were among ${count(found.length, 'request')} within ${span} ms`;
    return conclude({
      evidence: found.length > 0 ? [cite(message, found.slice(-MOST_SHOWN))] : [],
      breaks: message,
      doubt: isStrained ? requests.map(doubtOf).find((one) => one !== undefined) : undefined,
      keeps: isStrained && 'the client sent fewer further attempts than requests failed',
      missing: 'too few requests failed to use the budget up',
    });
  },
});

/** Returns a function that returns how many of the first items pass. */
function countBefore<Item>(items: readonly Item[], passes: (item: Item) => boolean) {
  const counts = [0];
  for (const item of items) counts.push((counts.at(-1) ?? 0) + (passes(item) ? 1 : 0));
  return (length: number): number => counts[length] ?? 0;
}

const MOST_SHOWN = 50;

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY']);
const RETRYABLE = new Set([429, 503]);
const UNANSWERED = new Set(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE']);

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
