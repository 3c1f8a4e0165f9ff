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
    const distance = countEdits(wanted, other, true, most) / longest;
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

/**
 * Counts the characters to insert, remove or replace (Levenshtein), and perhaps to swap.
 *
 * @param most a larger count is not counted to its end
 */
function countEdits(from: string, to: string, maySwap: boolean, most = Number.MAX_VALUE): number {
  // No count is beyond a byte, as no text is longer than LONGEST_COMPARED.
  const first = new Uint8Array(to.length + 1);
  for (let column = 0; column <= to.length; column++) first[column] = column;
  let rows: Rows = [first.slice(), first, first.slice()];
  let leastBefore = 0;
  for (let row = 1; row <= from.length; row++) {
    const least = countRow(rows, from, row, to, maySwap);
    // A swap begins two rows before.
    if (least > most && leastBefore > most) return least;
    leastBefore = least;
    rows = [rows[2], rows[0], rows[1]];
  }
  return rows[1][to.length] ?? 0;
}

/** The row to fill, the one before it, and the one before that. */
type Rows = readonly [Uint8Array, Uint8Array, Uint8Array];

/**
 * Fills a row: the edits from the first characters of a text to those of another, by their number.
 *
 * @returns the least of them
 */
function countRow(
  [next, last, before]: Rows,
  from: string,
  row: number,
  to: string,
  maySwap: boolean,
) {
  const added = from[row - 1];
  next[0] = row;
  let least = row;
  for (let column = 1; column <= to.length; column++) {
    const replaced = (last[column - 1] ?? 0) + (added === to[column - 1] ? 0 : 1);
    let edits = Math.min(replaced, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
    if (maySwap && added === to[column - 2] && from[row - 2] === to[column - 1]) {
      edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
    }
    next[column] = edits;
    least = Math.min(least, edits);
  }
  return least;
}
