/** A run of consecutive numbers, with its start and end if they are known. */
export interface Run {
  /** The first is one of these. */
  readonly from: readonly [low: number, high: number];
  /** The last is one of these. */
  readonly to: readonly [low: number, high: number];
}

/**
 * Holds numbers against the runs that they must make up; runs do not touch each other.
 *
 * @returns what is wrong; undefined where nothing is
 */
export function explains(runs: readonly Run[], numbers: readonly number[]): string | undefined {
  const left = new Set(numbers);
  if (left.size !== numbers.length) return 'a number is there twice';
  for (const run of runs) {
    const own = numbers.filter((number) => number >= run.from[0] && number <= run.to[1]);
    for (const number of own) left.delete(number);
    const fault = explainRun(run, own);
    if (fault !== undefined) return fault;
  }
  return left.size === 0 ? undefined : `${[...left].slice(0, 5).join(', ')} should not be there`;
}

function explainRun({ from, to }: Run, numbers: readonly number[]): string | undefined {
  if (numbers.length === 0) {
    return to[0] < from[1] ? undefined : `none is there of ${from[1]} to ${to[0]}`;
  }
  const first = Math.min(...numbers);
  const last = Math.max(...numbers);
  if (last - first + 1 !== numbers.length) return `not all are there from ${first} to ${last}`;
  if (first > from[1]) return `${from[1]} to ${first - 1} are lost`;
  return last < to[0] ? `${last + 1} to ${to[0]} are lost` : undefined;
}
