import { doubtOf, repeatsOf } from '../attempts/logical-request.ts';
import { endOf } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Comes back gradually after an outage. */
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
