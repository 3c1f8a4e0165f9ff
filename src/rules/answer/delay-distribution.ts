import type { Random } from '../../base/random.ts';

/** How long delays are, by chance; all in milliseconds. */
export type DelayDistribution =
  | { readonly kind: 'fixed'; readonly milliseconds: number }
  /** Each whole number from lower to upper is as likely as any other. */
  | { readonly kind: 'uniform'; readonly lower: number; readonly upper: number }
  | LognormalDistribution
  | PercentileDistribution;

/** The logarithm is distributed normally: most are near the median, a few are very long. */
interface LognormalDistribution {
  readonly kind: 'lognormal';
  readonly median: number;
  /** The standard deviation of the logarithm. */
  readonly sigma: number;
  /** What is longer is drawn again. */
  readonly highest: number;
}

/** What dashboards say: half are within p50, 95 % within p95, 99 % within p99. */
interface PercentileDistribution {
  readonly kind: 'percentiles';
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** @returns milliseconds, with fractions */
export function drawFrom(distribution: DelayDistribution, random: Random): number {
  switch (distribution.kind) {
    case 'fixed':
      return distribution.milliseconds;
    case 'uniform': {
      const { lower, upper } = distribution;
      return lower + Math.floor(random.next() * (upper - lower + 1));
    }
    case 'lognormal':
      return drawLognormal(distribution, random);
    case 'percentiles':
      return fitPercentiles(distribution, drawNormal(random));
  }
}

/** Where most draws are too long, looking for a shorter one comes to an end. */
const MOST_DRAWS = 100;

function drawLognormal({ median, sigma, highest }: LognormalDistribution, random: Random): number {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const milliseconds = median * Math.exp(sigma * drawNormal(random));
    if (milliseconds <= highest) return milliseconds;
  }
  return highest;
}

/** Where 95 % and 99 % of a standard normal distribution end. */
const Z95 = 1.644853626951;
const Z99 = 2.326347874041;

/**
 * Fits a distribution through three percentiles: the logarithm of the delay is a function of a
 * standard normal variable that is made of straight lines through (0, p50), (z95, p95) and
 * (z99, p99), each end going on as straight as it was. It rises throughout, so that the three
 * percentiles are met exactly; where they are those of a lognormal distribution, it is that one.
 *
 * @param z drawn from the standard normal distribution
 */
function fitPercentiles({ p50, p95, p99 }: PercentileDistribution, z: number): number {
  if (z <= Z95) return p50 * (p95 / p50) ** (z / Z95);
  return p95 * (p99 / p95) ** ((z - Z95) / (Z99 - Z95));
}

/** The standard normal distribution, by the method of Box and Muller. */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
