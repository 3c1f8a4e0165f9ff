import { remember } from '../../base/remember.ts';
import type { Character, Look, Program, State } from './program.ts';

/** States that a program may be in, and where each next character leads. */
interface StateSet {
  readonly states: ReadonlySet<State>;
  readonly moves: Map<number, Move>;
}

interface Move {
  /** True if a match ends before the character. */
  readonly isMatch: boolean;
  readonly set: StateSet;
}

/** More are forgotten and found again. */
const MOST_KNOWN = 200_000;

/** The assertions of the start and the end of the text come first. */
const EDGES = 2;

/**
 * Searches texts for a program in a time that grows with their length only. What the program looks
 * around for is found for all positions first. The states that it may be in after a character are
 * worked out once and then looked up.
 */
export class LinearSearch {
  readonly #program: Program;
  /** The searches for what the program looks around for. */
  readonly #around: readonly (LinearSearch | undefined)[];
  readonly #sets = new Map<string, StateSet>();
  readonly #first: StateSet = { states: new Set(), moves: new Map() };
  #known = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#around = program.looks.map((look) =>
      look.kind === 'around' ? new LinearSearch(look.program) : undefined,
    );
  }

  test(text: string): boolean {
    return this.#run(text, undefined);
  }

  /** @param ends set to 1 where a match ends; without it, the first match ends the search */
  #run(text: string, ends: Uint8Array | undefined): boolean {
    const { isBackward, looks } = this.#program;
    const held = looks.length > EDGES ? this.#findLooks(text) : undefined;
    const factor = 2 ** looks.length;
    let set = this.#first;
    for (let position = isBackward ? text.length : 0; ; ) {
      const character = this.#program.characterAt(text, position);
      const holding = edgesAt(text, position) | (held?.[position] ?? 0);
      const key = (character + 1) * factor + holding;
      const move = set.moves.get(key) ?? this.#move(set, key, character, holding);
      if (move.isMatch && ends === undefined) return true;
      if (move.isMatch) ends?.fill(1, position, position + 1);
      if (character < 0) return false;
      position += this.#program.widthOf(character);
      set = move.set;
    }
  }

  /** Returns for each position the assertions that hold there, besides those of the edges. */
  #findLooks(text: string): Int32Array {
    const held = new Int32Array(text.length + 1);
    for (const [index, look] of this.#program.looks.entries()) {
      if (index < EDGES) continue;
      const holds = this.#tableOf(look, this.#around[index], text);
      for (let position = 0; position <= text.length; position++) {
        if (holds(position)) held[position] = (held[position] ?? 0) | (1 << index);
      }
    }
    return held;
  }

  #tableOf(look: Look, search: LinearSearch | undefined, text: string) {
    if (look.kind !== 'around') {
      return (position: number) => this.#program.holdsBetween(look, text, position);
    }
    const ends = new Uint8Array(text.length + 1);
    if (search !== undefined) search.#run(text, ends);
    return (position: number) => (ends[position] === 1) !== look.isNegative;
  }

  #move(set: StateSet, key: number, character: Character, holding: number): Move {
    const reached = new Set<State>([...set.states, this.#program.start]);
    const nexts = new Set<State>();
    for (const state of reached) {
      if (state.kind === 'character' && state.accepts(character)) nexts.add(state.next);
      // Later additions to a set are visited, too.
      for (const next of freeNexts(state, holding)) reached.add(next);
    }
    this.#known += nexts.size + 1;
    if (this.#known > MOST_KNOWN) this.#forget();
    const isMatch = [...reached].some(({ kind }) => kind === 'match');
    const move = { isMatch, set: this.#setOf(nexts) };
    set.moves.set(key, move);
    return move;
  }

  #forget(): void {
    this.#sets.clear();
    this.#first.moves.clear();
    this.#known = 0;
  }

  #setOf(states: ReadonlySet<State>): StateSet {
    const ids = Array.from(states, ({ id }) => id).sort((a, b) => a - b);
    return remember(this.#sets, ids.join(), () => ({ states, moves: new Map() }));
  }
}

function edgesAt(text: string, position: number): number {
  return (position === 0 ? 1 : 0) | (position === text.length ? 2 : 0);
}

/** Returns the states that a state leads to without a character, where some assertions hold. */
function freeNexts(state: State, holding: number): readonly State[] {
  if (state.kind === 'fork') return state.nexts;
  const isHeld = state.kind === 'look' && (holding & (1 << state.look)) !== 0;
  return isHeld ? [state.next] : [];
}
