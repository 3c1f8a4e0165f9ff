import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import type { CharSet } from 'refa';
import { isEdge, type PatternTree, parseTree } from './syntax.ts';

const require = createRequire(import.meta.url);

/** A test of texts whose time grows with the length of the text only. */
export interface LinearTest {
  test(text: string): boolean;
}

/**
 * Translates a JavaScript pattern for RE2.
 *
 * @returns undefined for a pattern that RE2 cannot express: one that refers back or looks around
 */
export function compileLinear(pattern: RegExp): LinearTest | undefined {
  const tree = parseTree(pattern);
  return tree && translateTree(pattern, tree);
}

type Sequence = PatternTree['alternatives'][number];
type Element = Sequence['elements'][number];

/** RE2 cannot express the pattern. */
class Inexpressible extends Error {}

/** Translates a parsed pattern as {@link compileLinear} does. */
export function translateTree(pattern: RegExp, tree: PatternTree): LinearTest | undefined {
  const isUnicode = pattern.unicode;
  // These depend on the version of Unicode, which may differ between the engines.
  if (pattern.ignoreCase || /\\[pP]\{/.test(pattern.source)) return undefined;
  const library = require('re2js') as typeof import('re2js');
  try {
    const linear = library.RE2JS.compile(writeAlternatives(tree.alternatives, isUnicode));
    if (isUnicode) return { test: (text) => linear.test(text) };
    return { test: (text) => linear.test(replaceSurrogates(text)) };
  } catch (error) {
    if (error instanceof Inexpressible || error instanceof library.RE2JSException) return undefined;
    throw error;
  }
}

function writeAlternatives(alternatives: readonly Sequence[], isUnicode: boolean): string {
  const written = alternatives.map(({ elements }) =>
    elements.map((element) => writeElement(element, isUnicode)).join(''),
  );
  return `(?:${written.join('|')})`;
}

function writeElement(element: Element, isUnicode: boolean): string {
  switch (element.type) {
    case 'CharacterClass':
      return writeCharacters(element.characters, isUnicode);
    case 'Alternation':
      return writeAlternatives(element.alternatives, isUnicode);
    case 'Quantifier': {
      const { min, max } = element;
      const most = max === Number.POSITIVE_INFINITY ? '' : max;
      return `(?:${writeAlternatives(element.alternatives, isUnicode)}{${min},${most}})`;
    }
    case 'Assertion':
      if (!isEdge(element)) throw new Inexpressible();
      return element.kind === 'behind' ? '\\A' : '\\z';
    case 'Unknown':
      throw new Inexpressible();
  }
}

function writeCharacters({ ranges }: CharSet, isUnicode: boolean): string {
  if (ranges.length === 0) return '[^\\x{0}-\\x{10FFFF}]';
  const written = ranges
    .flatMap(({ min, max }) => (isUnicode ? [[min, max]] : splitRange(min, max)))
    .map(([least = 0, most = 0]) => `\\x{${least.toString(16)}}-\\x{${most.toString(16)}}`);
  return `[${written.join('')}]`;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Private use characters, which a text cannot have where each surrogate is a character. */
const STAND_IN = 0xf0000;

/**
 * Without the flag `u` each surrogate is a character, which RE2 does not support: another character
 * is put in its place.
 */
function replaceSurrogates(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/g, (half) =>
    String.fromCodePoint(STAND_IN + half.charCodeAt(0)),
  );
}

function splitRange(min: number, max: number): readonly (readonly number[])[] {
  const halves = [Math.max(min, FIRST_SURROGATE), Math.min(max, LAST_SURROGATE)] as const;
  const parts = [
    [min, Math.min(max, FIRST_SURROGATE - 1)],
    [halves[0] + STAND_IN, halves[1] + STAND_IN],
    [Math.max(min, LAST_SURROGATE + 1), max],
  ] as const;
  return parts.filter(([least, most]) => least <= most);
}

/** A pattern of a rule or a query. Its time grows with the length of the text only. */
export interface TextPattern {
  matchesWhole(text: string): boolean;
  isFoundIn(text: string): boolean;
}

/** A pattern that RE2 does not accept, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Compiles a pattern of a rule or a query, in the syntax of RE2, which never backtracks. `.`
 * matches line ends too, as in WireMock.
 *
 * @throws {PatternError} for what is not a pattern, and what needs backtracking
 */
export function compileTextPattern(source: string): TextPattern {
  if (INTERSECTION.test(source)) {
    throw new PatternError(
      `${JSON.stringify(source)} intersects classes with &&, which RE2 takes to the letter`,
      'Write out the class.',
    );
  }
  // Loaded when a rule first has a pattern: most rules have none.
  const library = require('re2js') as typeof import('re2js');
  try {
    return new LinearPattern(library.RE2JS.compile(readEscapes(source), library.RE2JS.DOTALL));
  } catch (error) {
    if (!(error instanceof library.RE2JSException)) throw error;
    throw new PatternError(
      `${JSON.stringify(source)} cannot be used as a pattern: ${error.message}`,
      REMEDIES.find(([sign]) => sign.test(source))?.[1] ?? SYNTAX,
    );
  }
}

/** Java's syntax; other engines read two ampersands. */
const INTERSECTION = /(?<!\\)(?:\\\\)*\[[^\]]*&&/;

/** Syntax that needs an engine which backtracks, and what to write instead. */
const REMEDIES: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [
    /\(\?(?:=|!|<=|<!)/,
    'It cannot look ahead or behind: use two matchers, and: [{matches: …}, {doesNotMatch: …}].',
  ],
  [/\\(?:[1-9]|k<)/, 'It cannot refer back to a group: write out the alternatives.'],
  [/\(\?>|[*+?}]\+/, 'It never goes back: leave out the "+" behind a quantifier, and "?>".'],
];

const SYNTAX = 'Write it in the syntax of RE2: https://github.com/google/re2/wiki/Syntax.';

/** RE2 writes `\x{20AC}` where Java and JavaScript write `\u20AC`, or two surrogates. */
function readEscapes(source: string): string {
  return source.replaceAll(
    /(\\[^u])|((?:\\u[0-9a-fA-F]{4})+)/gs,
    (whole, other: string | undefined) => (other === undefined ? toRunes(whole) : other),
  );
}

function toRunes(escapes: string): string {
  const units = escapes.split('\\u').slice(1);
  const text = String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
  return Array.from(text, (rune) => `\\x{${rune.codePointAt(0)?.toString(16)}}`).join('');
}

class LinearPattern implements TextPattern {
  readonly #pattern: RE2JS;

  constructor(pattern: RE2JS) {
    this.#pattern = pattern;
  }

  matchesWhole(text: string): boolean {
    return this.#pattern.testExact(text);
  }

  isFoundIn(text: string): boolean {
    return this.#pattern.test(text);
  }
}
