import { groupBy } from '../../base/group-by.ts';
import { type Wait, waitsOf } from '../attempts/logical-request.ts';
import { conclude, count, defineRule } from './rule.ts';
import { findLongest } from './slide.ts';

/** Waits that differ by less are the same, as timers are not exact. */
const TIMER_MILLISECONDS = 5;
const TIMER_SHARE = 0.01;
/** The share of equal waits above which they are not random. */
const MOST_EQUAL = 0.9;

/** Waits for different times before the same attempts of different requests. */
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
