import type { JsonValue } from '../base/json/value.ts';
import type { Chance } from './chance.ts';
import type { Analysis } from './space/analysis.ts';
import type { Constraints } from './space/constraints.ts';
import { createFacts, type Facts, type Topic } from './text/topic.ts';

/** Wishes about a value that the schema leaves open. */
export interface Wish {
  /** The property whose value this is, or an item of it. */
  readonly name: string | undefined;
  /** The property whose value is the object that this is a member of. */
  readonly parent: string | undefined;
  /** The facts on which the members of the object agree. */
  readonly facts: Facts;
  /** The values of members that the request names. */
  readonly known: Known;
  /** Of the item of the innermost list that the value is in. */
  readonly index: number;
  /** The approximate number of values within it. */
  readonly room: number;
  readonly depth: number;
  /** True for the smallest value: only what is required. */
  readonly isLeast: boolean;
  readonly isItem: boolean;
  /** True where any type will do, as no value of the suggested type conforms. */
  readonly isLoose: boolean;
  /** True takes the first value that the document gives, wherever it gives one. */
  readonly isGiven: boolean;
}

/** Values that the members of a response have from its request, by their names in lower case. */
export interface Known {
  readonly ofWhole: ReadonlyMap<string, JsonValue>;
  /** Those that the items of a list have, too: `status`, and not `id`. */
  readonly ofItems: ReadonlyMap<string, JsonValue>;
  /** Optional members of the whole that are not wanted. */
  readonly unwanted?: ReadonlySet<string>;
  /** True for the response to a request that fails. */
  readonly isFailure?: boolean;
  /** The objects that such a response leaves out. */
  readonly subjects?: Subjects;
}

/** Optional objects beside a text that says what failed: what it is about, as their names tell. */
export interface Subjects {
  isSubject(name: string): boolean;
  isMessage(name: string): boolean;
}

export const NOTHING_KNOWN: Known = { ofWhole: new Map(), ofItems: new Map() };

export function wishAny(): Wish {
  return {
    name: undefined,
    parent: undefined,
    facts: createFacts(),
    known: NOTHING_KNOWN,
    index: 0,
    room: 1,
    depth: 0,
    isLeast: false,
    isItem: false,
    isLoose: false,
    isGiven: false,
  };
}

/**
 * Returns a copy to change. Each part is written out: with a spread in its place, V8 takes an eighth
 * longer for a whole response (decision 78).
 */
export function copyWish(wish: Wish): { -readonly [Part in keyof Wish]: Wish[Part] } {
  const { name, parent, facts, known, index, room, depth } = wish;
  const { isLeast, isItem, isLoose, isGiven } = wish;
  return { name, parent, facts, known, index, room, depth, isLeast, isItem, isLoose, isGiven };
}

export function topicOf({ builder, wish }: Draft): Topic {
  const { words, site } = builder.analysis.setting;
  return { chance: builder.chance, facts: wish.facts, words, site };
}

/** A value that is being built. */
export interface Draft {
  readonly builder: ValueBuilder;
  readonly constraints: Constraints;
  readonly wish: Wish;
}

/** Builds the members of a value, and counts the steps. */
export interface ValueBuilder {
  readonly analysis: Analysis;
  readonly chance: Chance;
  readonly budget: Budget;
  /** Returns a value that fits the constraints; undefined when none was found. */
  build(constraints: Constraints, wish: Wish): JsonValue | undefined;
}

/** Steps that the comparison of a value of an enum costs. */
export const COMPARISON = 0.1;

/** Counts the steps that one value takes: a step is a schema that is looked at. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** Counts steps; returns false when the budget is used up. */
  spend(steps = 1): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}
