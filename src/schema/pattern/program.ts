import type { AST } from '@eslint-community/regexpp';
import { remember } from '../../base/remember.ts';
import type { PatternSyntax } from './syntax.ts';

/** A character of a text: a code point of a Unicode pattern, else a UTF-16 unit; -1 for none. */
export type Character = number;

/** A state of a program: what has to hold at a position, and the states after it. */
export type State = { readonly id: number } & Step;

type Step =
  | { readonly kind: 'match' }
  | { readonly kind: 'character'; readonly accepts: CharacterTest; readonly next: State }
  | { readonly kind: 'look'; readonly look: number; readonly next: State }
  /** Goes on with one of several states; the first is tried first. */
  | { readonly kind: 'fork'; readonly nexts: readonly State[] }
  /** These record what groups match, which only a pattern with a backreference needs. */
  | { readonly kind: 'open' | 'close'; readonly group: number; readonly next: State }
  | {
      readonly kind: 'recall';
      readonly group: number;
      /** The flags in effect there. */
      readonly flags: string;
      readonly next: State;
    }
  /** Begins a repetition, whose groups have matched nothing yet. */
  | { readonly kind: 'enter'; readonly loop: number; readonly inner: Inner; readonly next: State }
  /** Ends a repetition, unless it has matched the empty text. */
  | { readonly kind: 'leave'; readonly loop: number; readonly next: State };

export type CharacterTest = (character: Character) => boolean;

/** The numbers of the groups in a part of a pattern. */
type Inner = readonly number[];

interface BetweenLook {
  readonly kind: 'between';
  readonly holds: (before: Character, after: Character) => boolean;
}

/** A condition at a position, which consumes no character. */
export type Look =
  | BetweenLook
  | { readonly kind: 'around'; readonly program: Program; readonly isNegative: boolean };

/** A pattern, or what it looks around for, as a graph of states. */
export class Program {
  readonly start: State;
  /** True for one that reads a text from its end to its beginning. */
  readonly isBackward: boolean;
  /** The assertions of its states. The first two are the start and the end of the text. */
  readonly looks: readonly Look[];
  readonly pattern: PatternFacts;

  constructor(start: State, isBackward: boolean, looks: readonly Look[], pattern: PatternFacts) {
    this.start = start;
    this.isBackward = isBackward;
    this.looks = looks;
    this.pattern = pattern;
  }

  /** Returns the character that is read next at a position of a text. */
  characterAt(text: string, position: number): Character {
    const { isUnicode } = this.pattern;
    return this.isBackward
      ? characterBefore(text, position, isUnicode)
      : characterAfter(text, position, isUnicode);
  }

  /** Returns how far reading a character goes in a text. */
  widthOf(character: Character): number {
    const width = character > 0xffff ? 2 : 1;
    return this.isBackward ? -width : width;
  }

  /** Returns true if an assertion about the characters around a position holds there. */
  holdsBetween({ holds }: BetweenLook, text: string, position: number): boolean {
    const { isUnicode } = this.pattern;
    const before = characterBefore(text, position, isUnicode);
    return holds(before, characterAfter(text, position, isUnicode));
  }
}

function characterAfter(text: string, position: number, isUnicode: boolean): Character {
  if (position === text.length) return -1;
  return (isUnicode ? text.codePointAt(position) : undefined) ?? text.charCodeAt(position);
}

function characterBefore(text: string, position: number, isUnicode: boolean): Character {
  if (position === 0) return -1;
  const pair = isUnicode ? (text.codePointAt(position - 2) ?? 0) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(position - 1);
}

/** The pattern repeats a part so often that its program would be huge. */
export class TooLargePattern extends Error {}

const MOST_STATES = 100_000;

/** The assertions of a program are the bits of a number. */
const MOST_LOOKS = 30;

/**
 * Compiles the syntax tree of a pattern.
 *
 * @param groups those of a pattern that refers back; none for another one
 * @throws {TooLargePattern}
 */
export function compileProgram({ root, flags }: PatternSyntax, groups: Groups): Program {
  const facts = new PatternFacts(flags, groups);
  return new ProgramBuilder(facts, false).build(root.alternatives, flags);
}

type Groups = readonly AST.CapturingGroup[];

/** Facts that the programs of one pattern share. */
class PatternFacts {
  readonly isUnicode: boolean;
  readonly capturing: Groups;
  /** The numbers of the repeated parts; a part may be in the program many times. */
  readonly loops = new Map<AST.Element, number>();
  readonly tests = new Map<string, CharacterTest>();
  states = 0;

  constructor(flags: string, capturing: Groups) {
    this.isUnicode = flags.includes('u');
    this.capturing = capturing;
  }

  get refersBack(): boolean {
    return this.capturing.length > 0;
  }
}

/** Builds the states of a pattern, each before those that lead to it. */
class ProgramBuilder {
  readonly #pattern: PatternFacts;
  readonly #isBackward: boolean;
  readonly #looks: Look[] = [
    { kind: 'between', holds: (before) => before < 0 },
    { kind: 'between', holds: (_, after) => after < 0 },
  ];
  readonly #numbers = new Map<AST.Assertion, number>();

  constructor(pattern: PatternFacts, isBackward: boolean) {
    this.#pattern = pattern;
    this.#isBackward = isBackward;
  }

  build(alternatives: readonly AST.Alternative[], flags: string): Program {
    const start = this.#alternatives(alternatives, flags, this.#add({ kind: 'match' }));
    return new Program(start, this.#isBackward, this.#looks, this.#pattern);
  }

  #add(step: Step): State {
    if (++this.#pattern.states > MOST_STATES) throw new TooLargePattern();
    return { id: this.#pattern.states, ...step };
  }

  #alternatives(alternatives: readonly AST.Alternative[], flags: string, next: State): State {
    const nexts = alternatives.map(({ elements }) => this.#sequence(elements, flags, next));
    return nexts.length === 1 && nexts[0] ? nexts[0] : this.#add({ kind: 'fork', nexts });
  }

  #sequence(elements: readonly AST.Element[], flags: string, next: State): State {
    const lead = (to: State, element: AST.Element): State => this.#element(element, flags, to);
    return this.#isBackward ? elements.reduce(lead, next) : elements.reduceRight(lead, next);
  }

  #element(element: AST.Element, flags: string, next: State): State {
    switch (element.type) {
      case 'Group':
        return this.#alternatives(element.alternatives, modify(flags, element), next);
      case 'CapturingGroup':
        return this.#group(element, flags, next);
      case 'Quantifier':
        return this.#repetition(element, flags, next);
      case 'Assertion':
        return this.#assertion(element, flags, next);
      case 'Backreference':
        // Of several groups with one name, only one has matched.
        return [element.resolved]
          .flat()
          .reduce((to, group) => this.#recall(group, flags, to), next);
      default:
        return this.#add({ kind: 'character', accepts: this.#test(element, flags), next });
    }
  }

  #group(element: AST.CapturingGroup, flags: string, next: State): State {
    if (!this.#pattern.refersBack) return this.#alternatives(element.alternatives, flags, next);
    const closed = this.#record('close', element, next);
    return this.#record('open', element, this.#alternatives(element.alternatives, flags, closed));
  }

  #record(kind: 'open' | 'close', group: AST.CapturingGroup, next: State): State {
    return this.#add({ kind, group: this.#pattern.capturing.indexOf(group), next });
  }

  #recall(group: AST.CapturingGroup, flags: string, next: State): State {
    const number = this.#pattern.capturing.indexOf(group);
    return this.#add({ kind: 'recall', group: number, flags, next });
  }

  /** Expands a repetition: `a{2,4}` is `aa(?:aa?)?`. */
  #repetition(quantifier: AST.Quantifier, flags: string, next: State): State {
    const { min, max, element } = quantifier;
    const isEndless = max === Number.POSITIVE_INFINITY;
    let state = isEndless ? this.#loop(quantifier, flags, next) : next;
    for (let count = min; !isEndless && count < max; count++) {
      state = this.#choose(quantifier, this.#once(element, flags, state, true), next);
    }
    for (let count = 0; count < min; count++) state = this.#once(element, flags, state, false);
    return state;
  }

  #loop(quantifier: AST.Quantifier, flags: string, next: State): State {
    const nexts: State[] = [];
    const fork = this.#add({ kind: 'fork', nexts });
    const body = this.#once(quantifier.element, flags, fork, true);
    nexts.push(...(quantifier.greedy ? [body, next] : [next, body]));
    return fork;
  }

  #choose({ greedy }: AST.Quantifier, body: State, next: State): State {
    return this.#add({ kind: 'fork', nexts: greedy ? [body, next] : [next, body] });
  }

  /** @param isOptional true if the repetition may not match the empty text (ECMA-262 §22.2.2.3.1) */
  #once(element: AST.Element, flags: string, next: State, isOptional: boolean): State {
    const { refersBack, capturing, loops } = this.#pattern;
    if (!refersBack) return this.#element(element, flags, next);
    const loop = remember(loops, element, () => loops.size);
    const inner = [...capturing.keys()].filter((index) => {
      const group = capturing[index];
      return group !== undefined && group.start >= element.start && group.end <= element.end;
    });
    const left = isOptional ? this.#add({ kind: 'leave', loop, next }) : next;
    return this.#add({ kind: 'enter', loop, inner, next: this.#element(element, flags, left) });
  }

  #assertion(assertion: AST.Assertion, flags: string, next: State): State {
    const { kind } = assertion;
    if ((kind === 'start' || kind === 'end') && !flags.includes('m')) {
      return this.#add({ kind: 'look', look: kind === 'start' ? 0 : 1, next });
    }
    const look = remember(this.#numbers, assertion, () => {
      if (this.#looks.length === MOST_LOOKS) throw new TooLargePattern();
      return this.#looks.push(this.#read(assertion, flags)) - 1;
    });
    return this.#add({ kind: 'look', look, next });
  }

  #read(assertion: AST.Assertion, flags: string): Look {
    const isAt = (source: string) => characterTest(source, flags);
    switch (assertion.kind) {
      case 'start':
      case 'end': {
        const isLineEnd = isAt('[\\n\\r\\u2028\\u2029]');
        const isEdge = (one: Character): boolean => one < 0 || isLineEnd(one);
        const isStart = assertion.kind === 'start';
        return { kind: 'between', holds: (before, after) => isEdge(isStart ? before : after) };
      }
      case 'word': {
        const isWord = isAt('\\w');
        const { negate } = assertion;
        const holds = (before: Character, after: Character): boolean =>
          (isWord(before) === isWord(after)) === negate;
        return { kind: 'between', holds };
      }
      default: {
        // A backtracking matcher reads on from the position; a table of all positions is filled by
        // reading towards them.
        const isBehind = assertion.kind === 'lookbehind';
        const builder = new ProgramBuilder(this.#pattern, isBehind === this.#pattern.refersBack);
        const program = builder.build(assertion.alternatives, flags);
        return { kind: 'around', program, isNegative: assertion.negate };
      }
    }
  }

  #test(element: AST.Element, flags: string): CharacterTest {
    const source = element.type === 'Character' ? escapeCharacter(element.value) : element.raw;
    return remember(this.#pattern.tests, `${flags} ${source}`, () => characterTest(source, flags));
  }
}

function modify(flags: string, { modifiers }: AST.Group): string {
  const removed = modifiers?.remove?.raw ?? '';
  return [...flags].filter((flag) => !removed.includes(flag)).join('') + (modifiers?.add.raw ?? '');
}

function escapeCharacter(value: Character): string {
  const digits = value.toString(16);
  return value > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

/** Returns a test for the characters that are equal to this one with these flags. */
export function equalityTest(character: Character, flags: string): CharacterTest {
  return characterTest(escapeCharacter(character), flags);
}

/** Asks JavaScript's engine about each character once: it knows all classes and their letters. */
function characterTest(source: string, flags: string): CharacterTest {
  const expression = new RegExp(`^(?:${source})$`, flags);
  const known = new Map<Character, boolean>();
  return (character) => {
    if (character < 0) return false;
    return remember(known, character, () => expression.test(String.fromCodePoint(character)));
  };
}
