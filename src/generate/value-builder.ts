import type { JsonValue } from '../base/json/value.ts';
import type { Chance } from './chance.ts';
import type { Analysis } from './space/analysis.ts';
import type { Constraints } from './space/constraints.ts';

/** How a value is to look. */
export interface Wish {
  /** The property that it is the value of, or its array is. */
  readonly name: string | undefined;
  /** The property that its object is the value of. */
  readonly parent: string | undefined;
  /** About how many values may stand below it. */
  readonly room: number;
  readonly depth: number;
  /** Only what must be there, as flat as can be. */
  readonly isLeast: boolean;
  readonly isItem: boolean;
  /** Where nothing of the type that was meant conforms, any other will do. */
  readonly isLoose: boolean;
  /** True takes what the document gives wherever it does, and the first of several. */
  readonly isGiven: boolean;
}

/** What builds the members of a value, and counts what that costs. */
export interface ValueBuilder {
  readonly analysis: Analysis;
  readonly chance: Chance;
  /** @returns undefined when no value was found */
  build(constraints: Constraints, wish: Wish): JsonValue | undefined;
  /** Counts a step; false when there are no more. */
  spend(): boolean;
}
