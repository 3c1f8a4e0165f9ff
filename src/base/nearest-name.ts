/** A name that differs in more of its characters is another name, not a slip. */
const FARTHEST_SLIP = 0.4;
/** Longer names are compared by their beginning: the cost is quadratic. */
const LONGEST_COMPARED = 100;

/** Returns the name that a user probably meant; undefined where none is near. */
export function findNearestName(name: string, names: Iterable<string>): string | undefined {
  const distanceTo = (one: string): number =>
    countEdits(name.toLowerCase(), one.toLowerCase()) / Math.max(name.length, one.length);
  const [nearest] = [...names]
    // Each character more or less is an edit: most names are out of reach without a comparison.
    .filter((one) => Math.abs(one.length - name.length) <= FARTHEST_SLIP * one.length + 1)
    .map((one) => ({ one, distance: distanceTo(one) }))
    .filter(({ distance }) => distance <= FARTHEST_SLIP)
    .sort((left, right) => left.distance - right.distance);
  return nearest?.one;
}

/** Counts the characters to insert, remove, replace or swap (optimal string alignment). */
function countEdits(left: string, right: string): number {
  const from = left.slice(0, LONGEST_COMPARED);
  const to = right.slice(0, LONGEST_COMPARED);
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[to.length] ?? 0;
}
