/** A name that differs in more of its characters is another name, not a slip. */
const FARTHEST_SLIP = 0.4;

/** Returns the name that a user probably meant; undefined where none is near. */
export function findNearestName(name: string, names: Iterable<string>): string | undefined {
  const characters = split(name.toLowerCase());
  const distanceTo = (one: string): number =>
    countEdits(characters, split(one.toLowerCase()), true) / Math.max(name.length, one.length);
  const [nearest] = [...names]
    // Each character more or less is an edit: most names are out of reach without a comparison.
    .filter((one) => Math.abs(one.length - name.length) <= FARTHEST_SLIP * one.length + 1)
    .map((one) => ({ one, distance: distanceTo(one) }))
    .filter(({ distance }) => distance <= FARTHEST_SLIP)
    .sort((left, right) => left.distance - right.distance);
  return nearest?.one;
}

/** Returns `did you mean plants?`; the other remedy where no name is near. */
export function meantOr(name: string, names: Iterable<string>, remedy: string): string {
  const meant = findNearestName(name, names);
  return meant === undefined ? remedy : `did you mean ${meant}?`;
}

/** Returns `Did you mean plants? `; nothing where no name is near. */
export function askMeant(name: string, names: Iterable<string>): string {
  const meant = findNearestName(name, names);
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}

const MOST_LISTED = 30;

/** Returns which of the names a user probably meant, and all of them: `It has a, b, c.` */
export function listMeant(name: string, names: readonly string[]): string {
  return `${askMeant(name, names)}It has ${listNames(names, 'none')}.`;
}

/** Returns the same as the end of a sentence: `there is a, b, c`. */
export function thereIs(name: string, known: Iterable<string>): string {
  const names = [...known];
  const meant = findNearestName(name, names);
  const beginning = meant === undefined ? 'there is' : `did you mean ${meant}? There is`;
  return `${beginning} ${listNames(names, 'none at all')}`;
}

function listNames(names: readonly string[], none: string): string {
  const more = names.length - MOST_LISTED;
  const list = names.slice(0, MOST_LISTED).join(', ') || none;
  return more > 0 ? `${list} and ${more} more` : list;
}

/** Returns the share of characters in which two texts differ, never 0 for different ones. */
export function distanceOf(left: string, right: string): number {
  if (left === right) return 0;
  const [from, to] = [split(left), split(right)];
  return Math.max(countEdits(from, to, false), 1) / Math.max(from.length, to.length);
}

/** Longer texts are compared by their beginning: the cost is quadratic. */
const LONGEST_COMPARED = 100;

function split(text: string): readonly string[] {
  return [...text.slice(0, LONGEST_COMPARED)];
}

/** Counts the characters to insert, remove or replace (Levenshtein), and perhaps to swap. */
function countEdits(from: readonly string[], to: readonly string[], maySwap: boolean): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped =
        maySwap && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
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
