import { groupBy } from '../../base/group-by.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { operationOf } from '../attempts/identity.ts';
import { endOf, isTransient } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';
import { findLongest } from './slide.ts';

/** Requests that arrive so soon after the last failure were under way; milliseconds. */
const FLIGHT = 20;

/** Leaves a service alone that fails all the time. */
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
