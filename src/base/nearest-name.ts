/** A name that differs in more of its characters is another name, not a slip. */
const FARTHEST_SLIP = 0.4;

/** Returns the name that a user probably meant; undefined where none is near. */
export function findNearestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = beginningOf(name.toLowerCase());
  const counts = countCharacters(wanted);
  let nearest: { readonly one: string; readonly distance: number } | undefined;
  for (const one of names) {
    const longest = Math.max(name.length, one.length);
    const most = (nearest?.distance ?? FARTHEST_SLIP) * longest;
    if (Math.abs(one.length - name.length) > most) continue;
    const other = beginningOf(one.toLowerCase());
    if (Math.max(wanted.length, other.length) - countCommon(other, counts) > most) continue;
    const distance = countEdits(wanted, other, true) / longest;
    if (distance <= FARTHEST_SLIP && !(nearest && distance >= nearest.distance)) {
      nearest = { one, distance };
    }
  }
  return nearest?.one;
}

/** Characters whose codes differ by it, or by a multiple, are counted as the same one. */
const COUNTED = 128;

function countCharacters(text: string): Uint8Array {
  const counts = new Uint8Array(COUNTED);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index) % COUNTED;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/**
 * Counts the characters that a text has in common with another. Each further one takes an edit,
 * which rules out nearly all names without a comparison.
 *
 * @param counts of the characters of the other text
 */
function countCommon(text: string, counts: Uint8Array): number {
  const left = counts.slice();
  let common = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index) % COUNTED;
    const count = left[code] ?? 0;
    if (count === 0) continue;
    left[code] = count - 1;
    common++;
  }
  return common;
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
  const [from, to] = [beginningOf(left), beginningOf(right)];
  return Math.max(countEdits(from, to, false), 1) / Math.max(from.length, to.length);
}

/** Longer texts are compared by their beginning: the cost is quadratic. */
const LONGEST_COMPARED = 100;

function beginningOf(text: string): string {
  return text.slice(0, LONGEST_COMPARED);
}

/** Counts the characters to insert, remove or replace (Levenshtein), and perhaps to swap. */
function countEdits(from: string, to: string, maySwap: boolean): number {
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
