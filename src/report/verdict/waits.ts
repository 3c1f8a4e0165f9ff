import { groupBy } from '../../base/remember.ts';
import { count } from '../../base/words.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  doubtOf,
  endOf,
  type LogicalRequest,
  lastOf,
  operationOf,
  repeatsOf,
  retryTimeOf,
  type Wait,
  waitsOf,
} from '../attempts/logical-request.ts';
import { conclude, defineRule, findLongest, type Material } from './rule.ts';

export const retryAfter = defineRule({
  name: 'retry-after',
  definition:
    'After a response with Retry-After, or after a 429 with the reset of its rate limit, no request to the same operation arrives before that time.',
  source: 'RFC 9110 §10.2.3; draft-ietf-httpapi-ratelimit-headers',
  thresholds: {
    slack: { value: 50, meaning: 'how much too early a request may be; milliseconds' },
    flight: {
      value: 20,
      meaning:
        'how long after the response other requests may still arrive, which were under way; milliseconds',
    },
  },
  judge(material, { slack, flight }) {
    const { name, cite } = material;
    const asks = findAsks(material, flight);
    const followed = asks.flatMap(({ next, ...ask }) =>
      next === undefined ? [] : [{ ...ask, next }],
    );
    const early = followed.filter(({ time, next }) => next.at < time - slack);
    const evidence = early.map(({ asking, time, next }) => {
      const ended = endOf(asking);
      const message =
        `${name(next)} came ${next.at - ended} ms after the response to #${asking.number}, ` +
        `which asks to wait ${time - ended} ms`;
      return cite(message, [asking, next]);
    });
    const kept = count(followed.length, 'request');
    return conclude({
      evidence,
      breaks: `${count(early.length, 'request')} came before the time that a response asks for`,
      keeps: followed.length > 0 && `${kept} waited as long as the response asks for`,
      missing:
        asks.length === 0
          ? 'no response had Retry-After or the reset of a limit'
          : asks.some(({ isFollowed }) => isFollowed)
            ? 'requests followed a response with Retry-After so soon that they may have been under way'
            : 'no request followed a response with Retry-After',
    });
  },
});

/** Returns the responses that ask to wait, each with the request that comes next after it. */
function findAsks({ exchanges, requests }: Material, flight: number) {
  const owners = new Map(
    requests.flatMap((request) => request.attempts.map((one) => [one, request] as const)),
  );
  const isOwn = (next: KeptExchange, asking: KeptExchange): boolean => {
    const owner = owners.get(next);
    return owner === owners.get(asking) && owner !== undefined && doubtOf(owner) === undefined;
  };
  return [...groupBy(exchanges, operationOf).values()].flatMap((group) =>
    group.flatMap((asking, index) => {
      const time = retryTimeOf(asking);
      if (time === undefined) return [];
      const ended = endOf(asking);
      const isLater = (one: KeptExchange, at: number): boolean => at > index && one.at >= ended;
      const next = group.find(
        (one, at) => isLater(one, at) && (one.at > ended + flight || isOwn(one, asking)),
      );
      return [{ asking, time, next, isFollowed: next !== undefined || group.some(isLater) }];
    }),
  );
}

/** Waits that count as none. */
const AT_ONCE = 5;
/** Waits whose ratio differs by less are the same. */
const ALIKE = 0.05;
/** Errors of the mean that the ratio must be away from the threshold: to be broken, and kept. */
const SURE = 4;
const PROBABLE = 2;
/** Fewer requests say nothing about waits that vary. */
const FEWEST_VARIED = 5;
const FEWEST = 3;

export const backOffGrows = defineRule({
  name: 'back-off-grows',
  definition:
    'Over all requests with two or more waits that no Retry-After sets, the last waits are longer than the first ones.',
  source:
    'AWS Architecture Blog, Exponential Backoff And Jitter; Google Cloud, Retry strategy; RFC 9110 §10.2.3',
  thresholds: {
    growth: {
      value: 1.25,
      meaning: 'factor of each wait to the one before, on average, up to the third wait',
    },
  },
  judge({ requests, cite, name }, { growth }) {
    const series = requests.flatMap((request) => {
      const { attempts } = request;
      const waits = waitsOf(request).map(({ milliseconds }) => milliseconds);
      return request.doubt === undefined && waits.length >= 2 ? [{ attempts, waits }] : [];
    });
    const result = compare(
      series.map(({ waits }) => waits),
      growth,
    );
    const evidence = series
      .slice(0, result === 'broken' ? MOST_SHOWN : 0)
      .map(({ attempts, waits }) =>
        cite(`${name(attempts[0])} was sent again after ${waits.join(', ')} ms`, attempts),
      );
    const number = count(series.length, 'request');
    return conclude({
      evidence,
      breaks: `the waits of ${number} do not grow`,
      keeps: result === 'kept' && `the waits of ${number} grow`,
      missing:
        series.length === 0
          ? 'no request had two waits that the client chose itself'
          : `the waits of ${number} are too few to tell chance from growth`,
    });
  },
});

const MOST_SHOWN = 5;

function compare(series: readonly (readonly number[])[], growth: number) {
  if (series.length === 0) return undefined;
  const all = series.flat();
  if (all.length >= FEWEST && all.every((wait) => wait <= AT_ONCE)) return 'broken';
  if (series.length < FEWEST) return compareOne(series, growth);
  const firsts = series.map(([first = 0]) => first);
  const lasts = series.map(
    (waits) => (waits.at(-1) ?? 0) / growth ** Math.min(waits.length - 1, 2),
  );
  const ratio = sum(lasts) / Math.max(sum(firsts), 1);
  const spread = Math.sqrt((variation(firsts) + variation(lasts)) / series.length);
  if (series.length < FEWEST_VARIED && spread > ALIKE) return undefined;
  if (ratio * (1 + SURE * spread) < 1) return 'broken';
  return ratio * (1 - PROBABLE * spread) > 1 ? 'kept' : undefined;
}

/** Compares the waits of very few requests: they must have the same ratio each time. */
function compareOne(series: readonly (readonly number[])[], growth: number) {
  const ratios = series.map((waits) =>
    waits.slice(1).map((wait, index) => wait / Math.max(waits[index] ?? 1, 1)),
  );
  const [all = []] = ratios.toSorted((left, right) => right.length - left.length);
  if (all.length < 2) return undefined;
  const least = Math.min(...all);
  const most = Math.max(...all);
  if (most / least > (1 + ALIKE) ** 2) return undefined;
  if (least >= growth) return 'kept';
  return most <= 1 + ALIKE && all.length >= FEWEST ? 'broken' : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the square of the coefficient of variation. */
function variation(numbers: readonly number[]): number {
  const mean = sum(numbers) / numbers.length;
  if (mean === 0) return 0;
  const squares = numbers.map((number) => (number - mean) ** 2);
  return sum(squares) / Math.max(numbers.length - 1, 1) / mean ** 2;
}

/** Waits that differ by less are the same, as timers are not exact. */
const TIMER_MILLISECONDS = 5;
const TIMER_SHARE = 0.01;
/** The share of equal waits above which they are not random. */
const MOST_EQUAL = 0.9;

export const jitter = defineRule({
  name: 'jitter',
  definition:
    'The waits before the second attempts of different requests differ, and so do those before the third, and so on; waits that a Retry-After sets do not count.',
  source: 'AWS Architecture Blog, Exponential Backoff And Jitter; Google Cloud, Retry strategy',
  thresholds: {
    fewest: { value: 6, meaning: 'waits before the same attempt that are compared' },
    shortest: { value: 20, meaning: 'shorter waits say nothing; milliseconds' },
  },
  judge({ requests, cite }, { fewest, shortest }) {
    const waits = requests
      .filter(({ doubt }) => doubt === undefined)
      .flatMap((request) => waitsOf(request))
      .filter(({ milliseconds }) => milliseconds >= shortest);
    const groups = [...groupBy(waits, ({ index }) => index).values()];
    const judged = groups.filter(({ length }) => length >= fewest);
    const equal = judged.map((group) => ({ group, same: findEqual(group) }));
    const synchronous = equal.filter(({ group, same }) => same.length >= MOST_EQUAL * group.length);
    const evidence = synchronous.map(({ group, same }) => {
      const [{ milliseconds = 0, index = 0 } = {}] = same;
      const before = `before attempt ${index + 2}`;
      const message = `${same.length} of ${count(group.length, 'wait')} ${before} last ${milliseconds} ms`;
      return cite(
        message,
        same.map(({ next }) => next),
      );
    });
    return conclude({
      evidence,
      breaks: 'different requests wait for the same time',
      keeps: judged.length > 0 && `${count(judged.flat().length, 'wait')} differ`,
      missing: `fewer than ${fewest} requests had a wait before the same attempt that the client chose itself`,
    });
  },
});

/** Returns the largest number of waits that are equal. */
function findEqual(waits: readonly Wait[]): readonly Wait[] {
  const sorted = waits.toSorted((left, right) => left.milliseconds - right.milliseconds);
  const tolerance = (value: number): number => Math.max(TIMER_MILLISECONDS, TIMER_SHARE * value);
  return findLongest(
    sorted,
    ({ milliseconds }) => milliseconds,
    (value) => value - tolerance(value),
  );
}

type Observe = (message: string, exchanges: readonly KeptExchange[]) => void;

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

function askedWait(exchange: KeptExchange): number {
  const time = retryTimeOf(exchange);
  return time === undefined ? 0 : Math.max(0, time - endOf(exchange));
}
