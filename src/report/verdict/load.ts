import { groupBy } from '../../base/remember.ts';
import { count } from '../../base/words.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import {
  doubtOf,
  endOf,
  isTransient,
  operationOf,
  repeatsOf,
} from '../attempts/logical-request.ts';
import { conclude, defineRule, findLongest, type Material } from './rule.ts';

/** A request that begins so soon after another ended has waited for it; milliseconds. */
const HANDOVER = 5;
/** So many of them show that there is a limit. */
const FEWEST_HANDOVERS = 3;

export const concurrencyBounded = defineRule({
  name: 'concurrency-bounded',
  definition:
    'The client has at most so many requests open at once. The rule is kept where requests waited for others to end.',
  source: 'RFC 9112 §9.4; Microsoft Azure, Bulkhead pattern',
  thresholds: { most: { value: 20, meaning: 'requests that are open at once' } },
  judge(material, { most }) {
    const { peak, open, handovers } = findPeak(material);
    return conclude({
      evidence: peak > most ? [material.cite(`${peak} requests were open at once`, open)] : [],
      breaks: `${peak} requests were open at once, more than ${most}`,
      keeps:
        peak > 0 &&
        handovers >= FEWEST_HANDOVERS &&
        `at most ${count(peak, 'request')} were open at once, and ${handovers} waited for others`,
      missing: 'no requests waited for others to end',
    });
  },
});

/** Returns the most requests that were open at once, and how many began when one of so many ended. */
function findPeak({ exchanges, now, seesLeaving }: Material) {
  const moments = exchanges
    .flatMap((exchange) => {
      const ended = endOf(exchange);
      const unended = seesLeaving ? now : exchange.readyAt;
      const end = Number.isFinite(ended) ? ended : unended;
      return end <= exchange.at
        ? []
        : [
            { exchange, at: exchange.at, isStart: true },
            { exchange, at: end, isStart: false },
          ];
    })
    .sort((left, right) => left.at - right.at || Number(left.isStart) - Number(right.isStart));
  const current = new Set<KeptExchange>();
  let open: readonly KeptExchange[] = [];
  let handovers = 0;
  let fullUntil = Number.NEGATIVE_INFINITY;
  for (const { exchange, at, isStart } of moments) {
    if (!isStart) {
      if (current.size === open.length) fullUntil = at;
      current.delete(exchange);
      continue;
    }
    current.add(exchange);
    if (current.size > open.length) {
      open = [...current];
      handovers = 0;
    } else if (current.size === open.length && at - fullUntil <= HANDOVER) handovers++;
  }
  return { peak: open.length, open, handovers };
}

export const noThunderingHerd = defineRule({
  name: 'no-thundering-herd',
  definition:
    'Of the requests that wait for their next attempt, no large share is sent at the same moment, such as the end of an outage or of a Retry-After.',
  source:
    'AWS Architecture Blog, Exponential Backoff And Jitter; Google, Site Reliability Engineering, Addressing Cascading Failures',
  thresholds: {
    most: { value: 10, meaning: 'further attempts that may always come at the same moment' },
    share: { value: 0.5, meaning: 'of the waiting requests that may come at the same moment' },
    moment: { value: 10, meaning: 'length of a moment; milliseconds' },
  },
  judge({ requests, cite }, { most, share, moment }) {
    const waits = requests
      .filter((request) => doubtOf(request) === undefined)
      .flatMap(repeatsOf)
      .map(({ before, next }) => ({ from: Math.min(endOf(before), next.at), next }))
      .sort((left, right) => left.next.at - right.next.at);
    const begins = waits.map(({ from }) => from).sort((left, right) => left - right);
    let end = 0;
    let begun = 0;
    let mostWaiting = 0;
    let herd: typeof waits = [];
    for (const [index, { next }] of waits.entries()) {
      while ((begins[begun] ?? Number.POSITIVE_INFINITY) <= next.at) begun++;
      while ((waits[end]?.next.at ?? Number.POSITIVE_INFINITY) <= next.at + moment) end++;
      const waiting = begun - index;
      mostWaiting = Math.max(mostWaiting, waiting);
      const together = end - index;
      if (together > Math.max(most, share * waiting, herd.length)) herd = waits.slice(index, end);
    }
    const message = `${count(herd.length, 'further attempt')} came within ${moment} ms`;
    const cited = herd.map(({ next }) => next);
    return conclude({
      evidence: cited.length === 0 ? [] : [cite(message, cited)],
      breaks: message,
      keeps:
        mostWaiting > most &&
        `${count(mostWaiting, 'request')} waited at once and came back one after the other`,
      missing: `never more than ${count(most, 'request')} waited for their next attempt at once`,
    });
  },
});

/** Requests that arrive so soon after the last failure were under way; milliseconds. */
const FLIGHT = 20;

export const circuit = defineRule({
  name: 'circuit',
  definition:
    'After so many failures in a row of one operation, only few requests to it arrive in each span of time, until one succeeds.',
  source: 'Microsoft Azure, Circuit Breaker pattern; Nygard, Release It!, Circuit Breaker',
  thresholds: {
    failures: { value: 20, meaning: 'failures in a row' },
    probes: { value: 3, meaning: 'requests in a span after them' },
    span: { value: 1_000, meaning: 'span of time; milliseconds' },
  },
  judge({ exchanges, cite }, { failures, probes, span }) {
    const outages = [...groupBy(exchanges, operationOf)].flatMap(([operation, group]) =>
      findOutages(group, failures).map((outage) => ({ operation, ...outage })),
    );
    const judged = outages.map((outage) => {
      const storm = findBusiest(outage.after, span);
      return { ...outage, storm, isBusy: findBusiest(outage.before, span).length > probes };
    });
    const storms = judged.filter(({ storm }) => storm.length > probes);
    const evidence = storms.map(({ operation, before, storm }) => {
      const message = `${storm.length} requests to ${operation} came within ${span} ms after ${before.length} failures in a row`;
      return cite(message, storm);
    });
    const calm = judged.filter(({ after, isBusy }) => isBusy && after.length > 0);
    return conclude({
      evidence,
      breaks: `the client went on after ${failures} failures in a row`,
      keeps:
        calm.length > 0 &&
        `the client slowed down in ${count(calm.length, 'outage')} of an operation`,
      missing:
        outages.length === 0
          ? `no operation failed ${failures} times in a row`
          : 'the client was slow before, or sent nothing after that many failures',
    });
  },
});

interface Outage {
  /** The failures after which the client has to slow down. */
  readonly before: readonly KeptExchange[];
  /** The requests after that, up to the first one that succeeded. */
  readonly after: readonly KeptExchange[];
}

function findOutages(group: readonly KeptExchange[], failures: number): readonly Outage[] {
  const outages: Outage[] = [];
  const byEnd = group.toSorted((left, right) => endOf(left) - endOf(right));
  let row: KeptExchange[] = [];
  for (const exchange of byEnd) {
    if (isTransient(exchange)) row.push(exchange);
    else {
      addOutage(row, exchange.at);
      row = [];
    }
  }
  addOutage(row, Number.POSITIVE_INFINITY);
  return outages;

  function addOutage(all: readonly KeptExchange[], until: number): void {
    const before = all.slice(0, failures);
    const last = before.at(-1);
    if (last === undefined || before.length < failures) return;
    const since = endOf(last) + FLIGHT;
    outages.push({ before, after: group.filter(({ at }) => at > since && at <= until) });
  }
}

/** Returns the most requests that began within a span of time. */
function findBusiest(exchanges: readonly KeptExchange[], span: number): readonly KeptExchange[] {
  const sorted = exchanges.toSorted((left, right) => left.at - right.at);
  return findLongest(
    sorted,
    ({ at }) => at,
    (at) => at - span + 1,
  );
}
