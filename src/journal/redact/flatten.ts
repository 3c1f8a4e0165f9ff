/**
 * A text that was put together is kept by V8 as a tree of its parts until somebody looks into it,
 * and each part is one more object for the collection of garbage to carry over.
 *
 * @returns the same text, in one piece
 */
export function flatten(text: string): string {
  // What it finds must matter, or the compiler would leave the looking out.
  return text.charCodeAt(text.length - 1) === 0 ? text.replaceAll(NOTHING, '') : text;
}

/** Matches nowhere. */
const NOTHING = /(?!)/g;
