export interface Spread {
  readonly median: number;
  readonly smallest: number;
  readonly largest: number;
}

/** Median, smallest and largest; nothing when there is nothing to sum up. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const smallest = sorted.at(0);
  const largest = sorted.at(-1);
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (
    smallest === undefined ||
    largest === undefined ||
    lower === undefined ||
    upper === undefined
  ) {
    return undefined;
  }
  return { median: (lower + upper) / 2, smallest, largest };
}

/** The median; 0 of nothing. */
export function medianOf(values: readonly number[]): number {
  return spreadOf(values)?.median ?? 0;
}

/**
 * Each value by the base value of the same round. Both were measured moments apart, so what slowed
 * the machine down for a minute cancels out; it would not between two medians.
 */
export function ratiosByRound(
  values: readonly number[],
  baseValues: readonly number[] | undefined,
): readonly number[] {
  return values.flatMap((value, round) => {
    const base = baseValues?.[round];
    return base === undefined ? [] : [value / base];
  });
}

/** A figure at a moment. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** @returns how much y grows with each x, by least squares; 0 for fewer than two points */
export function slopeOf(points: readonly Point[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (points.length < 2 || spread === 0) return 0;
  return points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}
