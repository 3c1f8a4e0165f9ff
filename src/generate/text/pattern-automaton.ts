import type { AST } from '@eslint-community/regexpp';
import type { CharRange, DFA } from 'refa';
import { buildAutomaton, isRefusal, loadRefa, parsePattern } from '../../schema/pattern/syntax.ts';
import { type Chance, drawInteger, drawOne } from '../chance.ts';

/** The patterns that a text must match or must not match, and its length. */
export interface TextRules {
  readonly patterns: readonly string[];
  readonly excludedPatterns: readonly string[];
  readonly minLength: number;
  readonly maxLength: number;
}

/** Larger automata are not built. */
const MOST_STATES = 3_000;

/** Texts have at most this many characters more than the minimum. */
const SPARE_LENGTH = 32;
const LONGEST = 2_000;

/**
 * An automaton that accepts the texts which match several patterns; texts are drawn by a random
 * walk.
 */
export class PatternAutomaton {
  readonly #initial: DFA.ReadonlyNode;
  /** The states from which a text can end after a number of characters, by that number. */
  readonly #alive: ReadonlySet<DFA.ReadonlyNode>[];
  readonly #lengths: readonly number[];

  constructor(dfa: DFA, minLength: number, maxLength: number) {
    this.#initial = dfa.initial;
    const most = Math.min(maxLength, minLength + SPARE_LENGTH, LONGEST);
    const states = [...dfa.nodes()];
    this.#alive = [new Set(dfa.finals)];
    for (let length = 1; length <= most; length++) {
      const next = this.#alive[length - 1];
      const leads = (state: DFA.ReadonlyNode): boolean =>
        [...state.out.values()].some((to) => next?.has(to));
      this.#alive.push(new Set(states.filter(leads)));
    }
    this.#lengths = [...this.#alive.keys()].filter(
      (length) => length >= minLength && this.#alive[length]?.has(this.#initial),
    );
  }

  /** False when no text within the lengths matches. */
  get isPossible(): boolean {
    return this.#lengths.length > 0;
  }

  draw(chance: Chance): string {
    const length = drawOne(chance, this.#lengths) ?? 0;
    let state = this.#initial;
    let text = '';
    for (let left = length - 1; left >= 0; left--) {
      const edges = [...state.out].filter(([, to]) => this.#alive[left]?.has(to));
      const readable = edges.filter(([characters]) => readableRanges(characters).length > 0);
      const edge = drawOne(chance, readable.length > 0 ? readable : edges);
      if (edge === undefined) return text;
      const [characters, to] = edge;
      text += drawCharacter(characters, chance);
      state = to;
    }
    return text;
  }
}

/** Returns an automaton; undefined when patterns are illegal or need too many states together. */
export function combinePatterns(rules: TextRules): PatternAutomaton | undefined {
  for (const flags of ['u', '']) {
    try {
      return new PatternAutomaton(intersect(rules, flags), rules.minLength, rules.maxLength);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return undefined;
}

function intersect(rules: TextRules, flags: string): DFA {
  const { DFA } = loadRefa();
  const factory = () => new DFA.LimitedNodeFactory(MOST_STATES);
  const build = (
    { isCaseSensitive }: Pick<Languages, 'isCaseSensitive'>,
    sources: readonly string[],
  ): DFA[] =>
    sources.map((source) =>
      buildAutomaton({ source, flags: isCaseSensitive ? flags : `${flags}i` }, MOST_STATES),
    );
  const languages = rules.patterns.map(toLanguages);
  const included = languages.flatMap((one) => build(one, one.included));
  const excluded = [
    ...languages.flatMap((one) => build(one, one.excluded)),
    ...rules.excludedPatterns.map(toLanguages).flatMap((one) => build(one, one.included)),
  ];
  for (const dfa of excluded) dfa.complement(factory());
  const all = [...included, ...excluded];
  const first = all.shift() ?? buildAutomaton({ source: '[^]*', flags }, MOST_STATES);
  return all.reduce((left, right) => {
    const both = DFA.fromIntersection(left, right, factory());
    both.minimize();
    return both;
  }, first);
}

type Range = readonly [least: number, most: number];

const READABLE: readonly Range[] = [
  [0x61, 0x7a],
  [0x41, 0x5a],
  [0x30, 0x39],
];
const PRINTABLE: readonly Range[] = [
  [0x21, 0x7e],
  [0x20, 0x20],
];

function readableRanges(characters: CharRange): Range[] {
  return overlap(characters, READABLE);
}

function overlap({ min, max }: CharRange, wanted: readonly Range[]): Range[] {
  return wanted
    .map(([least, most]): Range => [Math.max(min, least), Math.min(max, most)])
    .filter(([least, most]) => least <= most);
}

function drawCharacter(characters: CharRange, chance: Chance): string {
  const readable = readableRanges(characters);
  const printable = readable.length > 0 ? readable : overlap(characters, PRINTABLE);
  const all: Range[] = [[characters.min, characters.max]];
  const [least, most] = drawOne(chance, printable.length > 0 ? printable : all) ?? [0x61, 0x61];
  const code = drawInteger(chance, least, most);
  // A surrogate is not a character.
  return String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xe000 : code);
}

/** Regular expressions for whole texts: the text matches all included and no excluded ones. */
export interface Languages {
  /** False for a pattern that ignores case. */
  readonly isCaseSensitive: boolean;
  readonly included: string[];
  readonly excluded: string[];
}

const ANYTHING = '[^]*';

/**
 * Converts a pattern, which may match anywhere, into patterns for the whole text:
 * `^(?=.*\d)[a-z\d]+$` becomes `[a-z\d]+` and `[^]*\d[^]*`. Lookarounds inside a repetition stay.
 */
export function toLanguages(pattern: string): Languages {
  const parsed = parsePattern(pattern);
  const isCaseSensitive = !parsed?.flags.includes('i');
  const languages: Languages = { isCaseSensitive, included: [], excluded: [] };
  if (parsed === undefined) return languages;
  const { alternatives } = parsed.root;
  if (alternatives.length === 1) addLookarounds(alternatives[0]?.elements ?? [], languages);
  const isAlone = alternatives.length === 1;
  const whole = alternatives.map(({ elements }) => toWhole(elements, isAlone)).join('|');
  languages.included.push(whole);
  return languages;
}

function toWhole(elements: readonly AST.Element[], isAlone: boolean): string {
  const kept = elements.filter((one) => !(isAlone && isLookaround(one)));
  return openAt(elements, 'start') + rawOf(kept) + openAt(elements, 'end');
}

/** Adds the lookarounds at the top of a pattern as languages. */
function addLookarounds(elements: readonly AST.Element[], languages: Languages): void {
  for (const [index, element] of elements.entries()) {
    if (!isLookaround(element)) continue;
    const isAhead = element.kind === 'lookahead';
    const near = isAhead ? elements.slice(0, index) : elements.slice(index + 1);
    const raw = rawOf(near.filter((one) => !isLookaround(one)));
    const outer = isAhead ? openAt(elements, 'start') : openAt(elements, 'end');
    const found = element.alternatives.map(({ elements: inner }) =>
      isAhead
        ? `${outer}${raw}(?:${rawOf(inner)})${openAt(inner, 'end')}`
        : `${openAt(inner, 'start')}(?:${rawOf(inner)})${raw}${outer}`,
    );
    if (element.negate) languages.excluded.push(...found);
    else languages.included.push(found.join('|'));
  }
}

function rawOf(elements: readonly AST.Element[]): string {
  return elements
    .filter((one) => !isEdge(one))
    .map((one) => one.raw)
    .join('');
}

/** Returns a pattern for the rest of the text at an end that is not anchored. */
function openAt(elements: readonly AST.Element[], kind: 'start' | 'end'): string {
  const isAnchored = elements.some((one) => one.type === 'Assertion' && one.kind === kind);
  return isAnchored ? '' : ANYTHING;
}

function isEdge(element: AST.Element): boolean {
  return element.type === 'Assertion' && (element.kind === 'start' || element.kind === 'end');
}

function isLookaround(element: AST.Element): element is AST.LookaroundAssertion {
  return (
    element.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind')
  );
}
