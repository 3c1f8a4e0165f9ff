import type { Random } from '../../base/random.ts';
import type { ItemFault, ItemWaits, StreamEffect } from '../../delivery/stream-effect.ts';
import type { Pace } from '../../delivery/transmission.ts';
import type { FilePlace } from '../../document/source-document.ts';

export interface Delay {
  /** Returns whole milliseconds, at most an hour, times the strength of a ramp: 0 to 1. */
  draw(random: Random, strength: number): number;
}

/** Both add up. */
export interface DelayMembers {
  readonly fixedDelayMilliseconds?: number;
  readonly delayDistribution?: { readonly type: string };
}

/** One kind of random delay: an entry of `delayKinds`. */
type DelayKind<Members = object> = {
  /** Returns a function that draws milliseconds, with fractions. */
  compile(members: Members, place: FilePlace): (random: Random) => number;
}['compile'];

export const LONGEST_DELAY_MILLISECONDS = 3_600_000;

const fixed: DelayKind<{ readonly milliseconds: number }> = (members) => () => members.milliseconds;

interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** Each whole number from lower to upper is equally likely. */
const uniform: DelayKind<Bounds> = ({ lower, upper }, place) => {
  if (lower > upper) {
    throw place.at('lower').fail('lower cannot be more than upper', 'Exchange the two.');
  }
  return (random) => lower + Math.floor(random.next() * (upper - lower + 1));
};

interface Lognormal {
  readonly median: number;
  /** The standard deviation of the logarithm. */
  readonly sigma: number;
  readonly maxValue?: number;
}

/** The logarithm is distributed normally: most are near the median, a few are very long. */
const lognormal: DelayKind<Lognormal> = (members) => (random) => drawLognormal(members, random);

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The percentiles of a dashboard: half are within p50, 95 % within p95, 99 % within p99. */
const percentiles: DelayKind<Percentiles> = (members, place) => {
  const { p50, p95, p99 } = members;
  const order = 'Percentiles rise: p50, p95, p99.';
  if (p50 > p95) throw place.at('p95').fail('p95 cannot be less than p50', order);
  if (p95 > p99) throw place.at('p99').fail('p99 cannot be less than p95', order);
  return (random) => fitPercentiles(members, drawNormal(random));
};

export const delayKinds: Readonly<Record<string, DelayKind>> = {
  fixed,
  uniform,
  lognormal,
  percentiles,
};

/** Compiles the delay of a rule's `answer`; undefined for a rule without one. */
export function compileDelay(place: FilePlace, answer: DelayMembers): Delay | undefined {
  const { fixedDelayMilliseconds = 0, delayDistribution: random } = answer;
  if (fixedDelayMilliseconds === 0 && random === undefined) return undefined;
  const drawRandom = random && delayKinds[random.type]?.(random, place.at('delayDistribution'));
  return {
    draw(random, strength) {
      const milliseconds = fixedDelayMilliseconds + (drawRandom?.(random) ?? 0);
      return Math.min(Math.round(milliseconds * strength), LONGEST_DELAY_MILLISECONDS);
    },
  };
}

/** An `answer` has one of these at most. */
export interface PaceMembers {
  readonly chunkedDribbleDelay?: {
    readonly numberOfChunks: number;
    readonly totalDuration: number;
  };
  readonly bandwidth?: { readonly bytesPerSecond: number };
}

export function readPace({ chunkedDribbleDelay, bandwidth }: PaceMembers): Pace | undefined {
  if (bandwidth !== undefined) return { kind: 'bandwidth', ...bandwidth };
  if (chunkedDribbleDelay === undefined) return undefined;
  const { numberOfChunks: pieces, totalDuration: milliseconds } = chunkedDribbleDelay;
  return { kind: 'dribble', pieces, milliseconds };
}

export interface StreamMembers {
  readonly pace?: ItemWaits;
  readonly itemFault?: ItemFault;
}

export function readStreamEffect({ pace, itemFault }: StreamMembers): StreamEffect | undefined {
  return pace === undefined && itemFault === undefined ? undefined : { pace, fault: itemFault };
}

/** The number of draws after which the longest delay is taken. */
const MOST_DRAWS = 100;

function drawLognormal({ median, sigma, maxValue }: Lognormal, random: Random): number {
  const highest = maxValue ?? LONGEST_DELAY_MILLISECONDS;
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const milliseconds = median * Math.exp(sigma * drawNormal(random));
    if (milliseconds <= highest) return milliseconds;
  }
  return highest;
}

/** The 95th and the 99th percentile of the standard normal distribution. */
const Z95 = 1.644853626951;
const Z99 = 2.326347874041;

/**
 * Fits a distribution through three percentiles: the logarithm of the delay is a function of a
 * standard normal variable, made of straight lines through (0, p50), (z95, p95) and (z99, p99),
 * extended at both ends. It rises everywhere, so the three percentiles are exact. Percentiles of a
 * lognormal distribution give that distribution.
 */
function fitPercentiles({ p50, p95, p99 }: Percentiles, z: number): number {
  if (z <= Z95) return p50 * (p95 / p50) ** (z / Z95);
  return p95 * (p99 / p95) ** ((z - Z95) / (Z99 - Z95));
}

/** By the method of Box and Muller. */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
