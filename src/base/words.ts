/** Returns the beginning of a text from outside in quotes, for a message. */
export function quote(text: string, most = 80): string {
  return JSON.stringify(text.slice(0, most));
}

/** Returns a name without case and punctuation: `petId`, `pet_id` and `PetID` become equal. */
export function plain(name: string): string {
  const lower = name.toLowerCase();
  if (BARE.test(lower)) return lower;
  // Character classes of Unicode are ten times as slow.
  return lower.replaceAll(ASCII.test(lower) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, '');
}

/** Returns a number of things: `1 request`, `2 requests`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** Returns a line for each of the first items, and one that says how many more there are. */
export function listFirst<Item>(
  items: readonly Item[],
  most: number,
  write: (item: Item) => string,
): readonly string[] {
  const lines = items.slice(0, most).map(write);
  const more = items.length - most;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** Returns a text for a message: a long one without its end. */
export function shorten(text: string, longest = 80): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Returns the number of characters of a text, as JSON Schema counts them: a surrogate pair is one. */
export function countCharacters(text: string): number {
  // Text without pairs is not copied: this takes milliseconds where a loop takes a second.
  return text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ' ').length;
}

/** Returns the words of a name in lower case: `findByStatus` has three. */
export function wordsOf(name: string): readonly string[] {
  if (BARE.test(name)) return name === '' ? [] : [name];
  if (WITHOUT_CAPITALS.test(name)) return name.split(IN_ASCII.between).filter(isWord);
  const { beginning, lastCapital, between } = ASCII.test(name) ? IN_ASCII : IN_UNICODE;
  return name
    .replaceAll(beginning, '$1 $2')
    .replaceAll(lastCapital, '$1 $2')
    .toLowerCase()
    .split(between)
    .filter(isWord);
}

function isWord(text: string): boolean {
  return text !== '';
}

/** Returns true for the name of a member that only what has failed, or is deleted, has. */
export function isOfFailure(name: string): boolean {
  return FAILURE.test(plain(name));
}

const FAILURE =
  /^(?:last\w*)?(?:errors?|exceptions?|failures?|fault)(?:codes?|messages?|details?|reasons?|description)?$|^(?:is)?deleted(?:at|on|by|date)?$|^deprecat\w+$/;

const BARE = /^[a-z\d]*$/;
const ASCII = /^[\0-\x7f]*$/;
const WITHOUT_CAPITALS = /^[\0-@[-\x7f]*$/;

const IN_UNICODE = {
  beginning: /([\p{Ll}\p{N}])(\p{Lu})/gu,
  // The last capital before a word, but not of a plural: `WebACLs`.
  lastCapital: /(\p{Lu}+)(\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/gu,
  between: /[^\p{L}\p{N}]+/u,
};
const IN_ASCII = {
  beginning: /([a-z\d])([A-Z])/g,
  lastCapital: /([A-Z]+)([A-Z](?!s(?![a-z]))[a-z])/g,
  between: /[^a-z\d]+/,
};

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'person',
    children: 'child',
    men: 'man',
    women: 'woman',
    mice: 'mouse',
    indices: 'index',
    vertices: 'vertex',
    matrices: 'matrix',
    analyses: 'analysis',
    statuses: 'status',
    addresses: 'address',
    aliases: 'alias',
    media: 'medium',
    criteria: 'criterion',
    movies: 'movie',
    cookies: 'cookie',
  }),
);

/** Words that end like a plural but are none. */
const SINGULAR =
  /(?:ss|us|is|news|series|species|access|analytics|metrics|statistics|dns|ssl|settings|gas|alias)$/;

/** Returns the singular of a word: `branch` for `branches`. */
function singularOf(word: string): string {
  const lower = word.toLowerCase();
  const known = IRREGULAR.get(lower);
  if (known !== undefined) return known;
  if (SINGULAR.test(lower)) return word;
  if (lower.endsWith('ies') && lower.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(lower)) return word.slice(0, -2);
  return lower.endsWith('s') && lower.length > 2 ? word.slice(0, -1) : word;
}

/** Returns the plural of a noun, for texts that people read: `repositories` for `repository`. */
export function pluralOf(noun: string): string {
  if (isPlural(noun)) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:ch|sh|x|s|z)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Returns true for a plural: `plants`, `api-keys`, `people`. */
export function isPlural(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  return singularOf(last) !== last;
}

/** Returns the singular of a name: `museum-hour` for `museum-hours`. */
export function singularName(name: string): string {
  const last = wordsOf(name).at(-1) ?? '';
  const start = name.length - last.length;
  return name.slice(0, start) + singularOf(name.slice(start));
}
