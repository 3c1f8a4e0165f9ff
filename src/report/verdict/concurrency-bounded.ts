import type { KeptExchange } from '../../journal/exchange.ts';
import { endOf } from '../attempts/outcome.ts';
import { conclude, count, defineRule, type Material } from './rule.ts';

/** A request that begins so soon after another ended has waited for it; milliseconds. */
const HANDOVER = 5;
/** So many of them show that there is a limit. */
const FEWEST_HANDOVERS = 3;

/** Has few requests open at once. */
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
