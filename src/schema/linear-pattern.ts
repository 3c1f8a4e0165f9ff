import { createRequire } from 'node:module';
import type { CharSet } from 'refa';
import { isUnambiguous, type PatternTree } from './pattern-ambiguity.ts';

const require = createRequire(import.meta.url);

/** What a pattern is asked. */
export interface TextTest {
  test(text: string): boolean;
}

/**
 * Keeps a pattern from being kept busy. JavaScript's engine tries one way after the other, which
 * takes a text of forty characters hours for `^(\w+\s?)*$`: what can come to that is run by RE2,
 * which never goes back, wherever it can be said for RE2 with the same meaning.
 *
 * @param pattern of a JSON Schema, with the flag `u` or without any
 * @returns the pattern itself, where it is plain that it is quick
 */
export function guardPattern(pattern: RegExp): TextTest {
  const { source } = pattern;
  return PLAIN.test(source) || isBrief(source) ? pattern : new GuardedPattern(pattern);
}

// It is decided without a parser wherever that can be: most documents never need one.

/**
 * Characters and classes without groups or alternatives, between `^` and one item of whatever
 * length: no text has more than as many ways through it as it has characters.
 */
const ITEM = String.raw`(?:[^\\[\](){}*+?|^$]|\\[dDwWsStnrfv.\-/\\^$*+?()[\]{}|]|\[(?:[^\\\]]|\\.)*\])`;
const COUNTED = String.raw`(?:${ITEM}(?:\{\d{1,2}\})?)*`;
const PLAIN = new RegExp(String.raw`^\^${COUNTED}(?:${ITEM}(?:[*+?]|\{\d+,\d*\})${COUNTED})?\$?$`);

const MOST_CHOICES = 8;

/** True for what repeats nothing in various ways, and has few choices: it never goes far. */
function isBrief(source: string): boolean {
  const uncounted = source.replaceAll(/(?<!\))\{\d{1,2}\}/g, '');
  if (/[*+{]|\(\?[=!<]|\\[1-9k]/.test(uncounted)) return false;
  return (uncounted.match(/[|?]/g) ?? []).length <= MOST_CHOICES;
}

/** Decides at its first text, as most patterns of a document never see one. */
class GuardedPattern implements TextTest {
  readonly #pattern: RegExp;
  #chosen: TextTest | undefined;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  test(text: string): boolean {
    this.#chosen ??= chooseEngine(this.#pattern);
    return this.#chosen.test(text);
  }

  /** Ajv tells patterns apart by it. */
  toString(): string {
    return String(this.#pattern);
  }
}

/** @returns the pattern itself where it is quick, or where RE2 has no words for it */
function chooseEngine(pattern: RegExp): TextTest {
  const tree = readTree(pattern);
  if (tree === undefined || isUnambiguous(tree, isAnchored(tree))) return pattern;
  return toLinear(pattern, tree) ?? pattern;
}

/**
 * Says a pattern for RE2.
 *
 * @returns undefined for a pattern that RE2 has no words for: one that refers back or looks around
 */
export function compileLinear(pattern: RegExp): TextTest | undefined {
  const tree = readTree(pattern);
  return tree && toLinear(pattern, tree);
}

/** @returns undefined for what refers back to a group, and what is very large */
function readTree({ source, flags }: RegExp): PatternTree | undefined {
  const { JS } = require('refa') as typeof import('refa');
  try {
    const parser = JS.Parser.fromLiteral({ source, flags });
    return parser.parse({ simplify: false, maxBackreferenceWords: 0 }).expression;
  } catch {
    return undefined;
  }
}

type Sequence = PatternTree['alternatives'][number];
type Element = Sequence['elements'][number];
type Assertion = Extract<Element, { type: 'Assertion' }>;

/** True where each alternative begins with `^`. */
function isAnchored({ alternatives }: Pick<PatternTree, 'alternatives'>): boolean {
  return alternatives.every(({ elements: [first] }) => {
    if (first?.type === 'Alternation') return isAnchored(first);
    return first?.type === 'Assertion' && first.kind === 'behind' && isEdge(first);
  });
}

/** `^` is where nothing stands before, `$` where nothing comes. */
function isEdge({ negate, alternatives }: Assertion): boolean {
  const [only, ...others] = alternatives;
  const [element, ...more] = only?.elements ?? [];
  if (!negate || others.length > 0 || more.length > 0) return false;
  return element?.type === 'CharacterClass' && element.characters.isAll;
}

/** What RE2 has no words for. */
class Unspeakable extends Error {}

function toLinear(pattern: RegExp, tree: PatternTree): TextTest | undefined {
  const isUnicode = pattern.unicode;
  // What these mean depends on a version of Unicode, and only the engine knows its own.
  if (pattern.ignoreCase || /\\[pP]\{/.test(pattern.source)) return undefined;
  const library = require('re2js') as typeof import('re2js');
  try {
    const linear = library.RE2JS.compile(writeAlternatives(tree.alternatives, isUnicode));
    if (isUnicode) return { test: (text) => linear.test(text) };
    return { test: (text) => linear.test(partSurrogates(text)) };
  } catch (error) {
    if (error instanceof Unspeakable || error instanceof library.RE2JSException) return undefined;
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
      if (!isEdge(element)) throw new Unspeakable();
      return element.kind === 'behind' ? '\\A' : '\\z';
    case 'Unknown':
      throw new Unspeakable();
  }
}

function writeCharacters({ ranges }: CharSet, isUnicode: boolean): string {
  if (ranges.length === 0) return '[^\\x{0}-\\x{10FFFF}]';
  const written = ranges
    .flatMap(({ min, max }) => (isUnicode ? [[min, max]] : partRange(min, max)))
    .map(([least = 0, most = 0]) => `\\x{${least.toString(16)}}-\\x{${most.toString(16)}}`);
  return `[${written.join('')}]`;
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Private use, of which no text without the flag `u` has any: it knows only halves of them. */
const STAND_IN = 0xf0000;

/**
 * Without the flag `u` each half of a pair is a character of its own, which RE2 does not know:
 * another character stands for each.
 */
function partSurrogates(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/g, (half) =>
    String.fromCodePoint(STAND_IN + half.charCodeAt(0)),
  );
}

function partRange(min: number, max: number): readonly (readonly number[])[] {
  const halves = [Math.max(min, FIRST_SURROGATE), Math.min(max, LAST_SURROGATE)] as const;
  const parts = [
    [min, Math.min(max, FIRST_SURROGATE - 1)],
    [halves[0] + STAND_IN, halves[1] + STAND_IN],
    [Math.max(min, LAST_SURROGATE + 1), max],
  ] as const;
  return parts.filter(([least, most]) => least <= most);
}
