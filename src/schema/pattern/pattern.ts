import { remember } from '../../base/remember.ts';
import { searchBacktracking } from './backtracking.ts';
import { compileProgram, TooLargePattern } from './program.ts';
import { LinearSearch } from './search.ts';
import { findReferredGroups, type PatternSource, parseSource, readPattern } from './syntax.ts';

/** A compiled pattern, which is found anywhere in a text. */
export interface Pattern {
  test(text: string): boolean;
  /** Ajv tells patterns apart by this text. */
  toString(): string;
}

/**
 * Compiles a `pattern` of a JSON Schema so that no text keeps it busy. JavaScript's engine
 * backtracks, and needs hours to match forty characters against `^(\w+\s?)*$`. So it gets the
 * patterns that are obviously fast; the others are searched for in linear time, and those with
 * backreferences in a limited number of steps.
 *
 * Every pattern from a document is compiled here; those of rules and queries, which are written in
 * the syntax of RE2, by `compileTextPattern`.
 *
 * @throws {SyntaxError} for what is not a regular expression
 */
export function compilePattern(pattern: string): Pattern {
  const { source, flags } = readPattern(pattern);
  const expression = new RegExp(source, flags);
  return isPlain(source) ? expression : guard(expression);
}

/**
 * Compiles patterns once each. What is not a pattern matches nothing: compiling the schema reports
 * it.
 */
export class Patterns {
  readonly #compiled = new Map<string, Pattern>();

  matches(pattern: string, text: string): boolean {
    return remember(this.#compiled, pattern, () => compileLeniently(pattern)).test(text);
  }
}

/** Compiles a pattern; one that matches nothing for what is not a pattern. */
export function compileLeniently(pattern: string): Pattern {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof SyntaxError) return NO_MATCH;
    throw error;
  }
}

const NO_MATCH: Pattern = { test: () => false };

// Most patterns are decided without a parser, and most documents never need one.

/**
 * Characters and classes without groups or alternatives, between `^` and one item of any length:
 * a text has at most as many ways through it as it has characters.
 */
const ITEM = String.raw`(?:[^\\[\](){}*+?|^$]|\\[dDwWsStnrfv.\-/\\^$*+?()[\]{}|]|\[(?:[^\\\]]|\\.)*\])`;
const COUNTED = String.raw`(?:${ITEM}(?:\{\d{1,2}\})?)*`;
const PLAIN = new RegExp(String.raw`^\^${COUNTED}(?:${ITEM}(?:[*+?]|\{\d+,\d*\})${COUNTED})?\$?$`);

const MOST_CHOICES = 8;

function isPlain(source: string): boolean {
  return PLAIN.test(source) || isBrief(source);
}

/** Returns true for a pattern that repeats nothing in various ways and has few choices. */
function isBrief(source: string): boolean {
  const uncounted = source.replaceAll(/(?<!\))\{\d{1,2}\}/g, '');
  if (/[*+{]|\(\?[=!<]|\\[1-9k]/.test(uncounted)) return false;
  return (uncounted.match(/[|?]/g) ?? []).length <= MOST_CHOICES;
}

/** Returns a pattern that chooses its engine at its first text: most patterns of a document see none. */
function guard(expression: RegExp): Pattern {
  let chosen: Pattern | undefined;
  return {
    test: (text) => {
      chosen ??= compileSearch(expression) ?? expression;
      return chosen.test(text);
    },
    toString: () => String(expression),
  };
}

/** Returns a search whose time no text can make long; undefined for a pattern that is very large. */
export function compileSearch(source: PatternSource): Pattern | undefined {
  const syntax = parseSource(source);
  const groups = findReferredGroups(syntax.root);
  try {
    const program = compileProgram(syntax, groups);
    if (groups.length === 0) return new LinearSearch(program);
    return { test: (text) => searchBacktracking(program, text) };
  } catch (error) {
    if (error instanceof TooLargePattern) return undefined;
    throw error;
  }
}
