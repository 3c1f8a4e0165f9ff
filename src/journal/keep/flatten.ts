/** Returns the same text as one object: V8 keeps a concatenated one as a tree of its parts. */
export function flatten(text: string): string {
  // The result depends on the character, or the compiler would remove the read.
  return text.charCodeAt(text.length - 1) === 0 ? text.replaceAll(NOTHING, '') : text;
}

/** Matches nowhere. */
const NOTHING = /(?!)/g;
