import type { FormReader } from '../form-reader.ts';
import type { DelayDistribution } from './delay-distribution.ts';

/** What a file says of the wait before an answer or a fault. */
export interface DelayDefinition {
  readonly fixedMilliseconds: number;
  readonly distribution: DelayDistribution | undefined;
}

/** Nothing waits for longer. */
export const LONGEST_DELAY_MILLISECONDS = 3_600_000;

const MILLISECONDS = { from: 0, to: LONGEST_DELAY_MILLISECONDS };
/** A percentile is told on a scale of logarithms, which has no zero. */
const PERCENTILE = { from: 1, to: LONGEST_DELAY_MILLISECONDS };
/** With 10 one delay in three is more than twenty thousand times the median already. */
const SIGMA = { from: 0, to: 10 };

const KINDS = ['fixed', 'uniform', 'lognormal', 'percentiles'] as const;

/** Reads `fixedDelayMilliseconds` and `delayDistribution`; both together add up. */
export function readDelay(answer: FormReader): DelayDefinition {
  return {
    fixedMilliseconds: answer.whole('fixedDelayMilliseconds', MILLISECONDS) ?? 0,
    distribution: answer.has('delayDistribution')
      ? readDistribution(answer.object('delayDistribution'))
      : undefined,
  };
}

function readDistribution(form: FormReader): DelayDistribution | undefined {
  form.require('type');
  const kind = form.choice('type', KINDS);
  // Without a kind nobody can tell which other members belong here.
  if (kind === undefined) return undefined;
  const distribution = readers[kind](form);
  form.refuseOthers();
  return distribution;
}

const readers: Readonly<Record<(typeof KINDS)[number], (form: FormReader) => DelayDistribution>> = {
  fixed: (form) => ({ kind: 'fixed', milliseconds: readWhole(form, 'milliseconds') ?? 0 }),
  uniform(form) {
    const lower = readWhole(form, 'lower') ?? 0;
    const upper = readWhole(form, 'upper') ?? lower;
    if (lower > upper) form.note('lower', 'cannot be more than upper', 'Exchange the two.');
    return { kind: 'uniform', lower, upper };
  },
  lognormal(form) {
    form.require('median');
    form.require('sigma');
    return {
      kind: 'lognormal',
      median: form.number('median', MILLISECONDS) ?? 0,
      sigma: form.number('sigma', SIGMA) ?? 0,
      highest: form.number('maxValue', MILLISECONDS) ?? LONGEST_DELAY_MILLISECONDS,
    };
  },
  percentiles(form) {
    // One that is missing is told as missing, not as out of order.
    const p50 = readPercentile(form, 'p50') ?? PERCENTILE.from;
    const p95 = readPercentile(form, 'p95') ?? p50;
    const p99 = readPercentile(form, 'p99') ?? p95;
    const order = 'Percentiles rise: p50, p95, p99.';
    if (p50 > p95) form.note('p95', 'cannot be less than p50', order);
    if (p95 > p99) form.note('p99', 'cannot be less than p95', order);
    return { kind: 'percentiles', p50, p95, p99 };
  },
};

function readWhole(form: FormReader, name: string): number | undefined {
  form.require(name);
  return form.whole(name, MILLISECONDS);
}

function readPercentile(form: FormReader, name: string): number | undefined {
  form.require(name);
  return form.number(name, PERCENTILE);
}
