import { remember } from '../../base/remember.ts';
import { type CharacterTest, equalityTest, type Program, type State } from './program.ts';

/** Where each group and each repetition began and ended; -1 for those that did not. */
type Registers = readonly number[];

/** A way of matching that is still to be tried. */
interface Attempt {
  readonly state: State;
  readonly position: number;
  readonly registers: Registers;
}

/** A state with a single next one. */
type Step = Extract<State, { readonly next: State }>;
type Recall = Extract<State, { readonly kind: 'recall' }>;

/** For each group: where it was opened, and the start and the end of what it matched last. */
const REGISTERS_OF_GROUP = 3;

const STEPS_OF_TEXT = 1_000;
const STEPS_OF_CHARACTER = 100;
/** Comparing a character without its case takes as long as this many steps. */
const STEPS_OF_COMPARISON = 10;

/** The search has taken its steps. */
class GivenUp extends Error {}

/**
 * Returns true where a text has a pattern with backreferences, which no engine finds in linear time.
 * After a number of steps that grows with the text only, it gives up and returns false.
 */
export function searchBacktracking(program: Program, text: string): boolean {
  const { capturing, loops } = program.pattern;
  const registers = Array<number>(groupAt(capturing.length) + loops.size).fill(-1);
  const search = new BacktrackingSearch(text);
  try {
    for (let start = 0; start <= text.length; start++) {
      if (search.find(program, start, registers) !== undefined) return true;
      if (program.characterAt(text, start) > 0xffff) start++;
    }
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  }
  return false;
}

class BacktrackingSearch {
  readonly #text: string;
  /** Of this search alone: a text may have any characters. */
  readonly #equal = new Map<string, CharacterTest>();
  #stepsLeft: number;

  constructor(text: string) {
    this.#text = text;
    this.#stepsLeft = STEPS_OF_TEXT + text.length * STEPS_OF_CHARACTER;
  }

  /** @returns the registers after the first way to match at a position; undefined for none */
  find(program: Program, position: number, registers: Registers): Registers | undefined {
    const attempts: Attempt[] = [{ state: program.start, position, registers }];
    for (let attempt = attempts.pop(); attempt !== undefined; attempt = attempts.pop()) {
      const { state } = attempt;
      if (state.kind === 'match') return attempt.registers;
      if (--this.#stepsLeft < 0) throw new GivenUp();
      if (state.kind === 'fork') {
        for (const next of state.nexts.toReversed()) attempts.push({ ...attempt, state: next });
      } else {
        const reached = this.#step(program, state, attempt);
        if (reached !== undefined) attempts.push({ state: state.next, ...reached });
      }
    }
    return undefined;
  }

  #step(program: Program, state: Step, attempt: Attempt): Omit<Attempt, 'state'> | undefined {
    const { position, registers } = attempt;
    switch (state.kind) {
      case 'character': {
        const character = program.characterAt(this.#text, position);
        if (!state.accepts(character)) return undefined;
        return { position: position + program.widthOf(character), registers };
      }
      case 'look': {
        const kept = this.#look(program, state.look, position, registers);
        return kept && { position, registers: kept };
      }
      case 'open':
        return { position, registers: write(registers, groupAt(state.group), position) };
      case 'close': {
        const at = groupAt(state.group);
        // A lookbehind closes a group before it.
        const [from = 0, to = 0] = [registers[at] ?? 0, position].sort((a, b) => a - b);
        return { position, registers: write(registers, at + 1, from, to) };
      }
      case 'recall':
        return this.#recall(program, state, attempt);
      case 'enter': {
        const entered = write(registers, loopAt(program, state.loop), position);
        const clear = (kept: Registers, group: number): Registers =>
          write(kept, groupAt(group) + 1, -1, -1);
        return { position, registers: state.inner.reduce(clear, entered) };
      }
      case 'leave':
        return registers[loopAt(program, state.loop)] === position
          ? undefined
          : { position, registers };
    }
  }

  /** @returns the registers if an assertion holds; only what is looked for has groups */
  #look(program: Program, index: number, position: number, registers: Registers) {
    const look = program.looks[index];
    if (look === undefined) return undefined;
    if (look.kind !== 'around') {
      const holds = program.holdsBetween(look, this.#text, position);
      return holds ? registers : undefined;
    }
    const found = this.find(look.program, position, registers);
    if (look.isNegative) return found === undefined ? registers : undefined;
    return found;
  }

  /** Reads what a group has matched once more; nothing where it has not matched. */
  #recall(program: Program, { group, flags }: Recall, { position, registers }: Attempt) {
    const [from = -1, to = -1] = registers.slice(groupAt(group) + 1);
    const length = to - from;
    this.#stepsLeft -= length;
    const start = program.isBackward ? position - length : position;
    if (start < 0) return undefined;
    const wanted = this.#text.slice(Math.max(0, from), Math.max(0, to));
    const came = this.#text.slice(start, start + length);
    return wanted === came || (flags.includes('i') && this.#isOtherCase(wanted, came, flags))
      ? { position: program.isBackward ? start : start + length, registers }
      : undefined;
  }

  /** Compares character by character: a pattern for the whole text may be too large to compile. */
  #isOtherCase(one: string, other: string, flags: string): boolean {
    this.#stepsLeft -= one.length * STEPS_OF_COMPARISON;
    if (this.#stepsLeft < 0) throw new GivenUp();
    const isUnicode = flags.includes('u');
    const [characters, others] = [splitText(one, isUnicode), splitText(other, isUnicode)];
    if (characters.length !== others.length) return false;
    return characters.every((character, index) => {
      const came = others[index] ?? -1;
      return character === came || this.#equalityTest(character, flags)(came);
    });
  }

  #equalityTest(character: number, flags: string): CharacterTest {
    return remember(this.#equal, `${flags} ${character}`, () => equalityTest(character, flags));
  }
}

/** Returns the characters of a text, as a pattern with or without the flag `u` sees them. */
function splitText(text: string, isUnicode: boolean): readonly number[] {
  const characters = isUnicode ? [...text] : text.split('');
  return characters.map((character) => character.codePointAt(0) ?? -1);
}

function loopAt({ pattern }: Program, loop: number): number {
  return groupAt(pattern.capturing.length) + loop;
}

function groupAt(group: number): number {
  return group * REGISTERS_OF_GROUP;
}

function write(registers: Registers, index: number, ...values: readonly number[]): Registers {
  const copy = [...registers];
  for (const [offset, value] of values.entries()) copy[index + offset] = value;
  return copy;
}
