import { parseJson } from '../../src/base/json/parse.ts';

/** Strings and numbers of a JSON text; a number inside a string is part of the string. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * A JSON text as a value in which every number is the text that it was written as: so two are
 * compared to the digit, and by nothing that the mock itself reads numbers with.
 *
 * @throws for a text that is not JSON, or that repeats a key
 */
export function tagNumbers(text: string): unknown {
  parseJson(text);
  // No JSON that a case expects holds a U+0000 and the word: numbers stay apart from strings.
  return JSON.parse(
    text.replace(TOKENS, (token) =>
      token.startsWith('"') ? token : JSON.stringify(`\u0000number ${token}`),
    ),
  );
}
