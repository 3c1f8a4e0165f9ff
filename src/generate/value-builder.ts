import type { JsonValue } from '../base/json/value.ts';
import type { Chance } from './chance.ts';
import type { Analysis } from './space/analysis.ts';
import type { Constraints } from './space/constraints.ts';

/** Wishes about a value that the schema leaves open. */
export interface Wish {
  /** The property whose value this is, or an item of it. */
  readonly name: string | undefined;
  /** The property whose value is the object that this is a member of. */
  readonly parent: string | undefined;
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

/** Wishes for nothing in particular. */
export const ANY_WISH: Wish = {
  name: undefined,
  parent: undefined,
  room: 1,
  depth: 0,
  isLeast: false,
  isItem: false,
  isLoose: false,
  isGiven: false,
};

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
  /** Returns a value that fits the constraints; undefined when none was found. */
  build(constraints: Constraints, wish: Wish): JsonValue | undefined;
  /** Counts a step; returns false when the budget is used up. */
  spend(): boolean;
}
