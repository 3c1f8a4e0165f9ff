/**
 * A text that was put together is kept by V8 as a tree of its parts until somebody looks into it,
 * and each part is one more object for the collection of garbage to carry over.
 *
 * @returns the same text, in one piece
 */
export function flatten(text: string): string {
  text.charCodeAt(text.length - 1);
  return text;
}
