import { doubtOf, type LogicalRequest } from '../attempts/logical-request.ts';
import { isTransient } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';
import { slide } from './slide.ts';

/** Does not multiply its traffic when much fails. */
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
