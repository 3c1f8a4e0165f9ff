/** Names that differ by more are no slip of the finger. */
const MOST_EDITS = 2;

/** Returns the name that a reader probably meant; undefined if none is near. */
export function findNearestName(name: string, names: Iterable<string>): string | undefined {
  const most = Math.min(MOST_EDITS, Math.floor(name.length / 3));
  const ranked = [...names]
    .filter((one) => Math.abs(one.length - name.length) <= most)
    .map((one) => ({ one, edits: countEdits(name.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const [first] = ranked;
  return first !== undefined && first.edits <= most ? first.one : undefined;
}

/** Counts the characters to insert, remove, replace or swap (optimal string alignment). */
function countEdits(from: string, to: string): number {
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
