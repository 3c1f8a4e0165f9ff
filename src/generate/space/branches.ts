import type { JsonValue } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { type Chance, happens, shuffle } from '../chance.ts';
import { type Budget, COMPARISON, type ValueBuilder } from '../value-builder.ts';
import { type Analysis, isKey, MOST_TRIED } from './analysis.ts';
import type { Constraints, Union } from './constraints.ts';
import { discriminate } from './discriminator.ts';

/** The most times that branches are chosen for one value. */
const MOST_ROUNDS = 100;

type Choice = readonly [place: string, pointers: readonly string[]];

type Preference = 'any' | 'first' | 'flattest';

/** Chooses the branches of unions that apply to a value and to its parts. */
export class Branches {
  readonly #analysis: Analysis;
  readonly #chance: Chance;
  readonly #budget: Budget;
  /** Branches of `oneOf`s that also matched an earlier value, by place of the union. */
  readonly #conflicts = new Map<string, Set<number>>();

  constructor({ analysis, chance, budget }: ValueBuilder) {
    this.#analysis = analysis;
    this.#chance = chance;
    this.#budget = budget;
  }

  /**
   * @param preference `flattest` takes the branches with the flattest values, `first` the first ones
   * @returns constraints without unions; undefined when no combination of branches is possible
   */
  decide(constraints: Constraints, preference: Preference): Constraints | undefined {
    let current = constraints;
    const ordered = new Map<string, readonly number[]>();
    for (let round = 0; current.unions.length > 0; round++) {
      if (round > MOST_ROUNDS) return undefined;
      const orders = current.unions.map((union) =>
        remember(ordered, union.place, () => this.#order(union, preference)),
      );
      const firsts = current.unions.map((union, index) =>
        this.#choice(union, orders[index]?.[0] ?? 0),
      );
      const next = this.#possible(current, firsts) ?? this.#decideFirst(current, orders[0] ?? []);
      if (next === undefined) return undefined;
      current = next;
    }
    return current;
  }

  /** Adds the branches of `oneOf`s that match besides the chosen one. */
  noteConflicts({ unions }: Constraints, value: JsonValue): void {
    for (const { place, branches, isExclusive } of unions) {
      if (!isExclusive) continue;
      const noted = remember(this.#conflicts, place, () => new Set<number>());
      for (const [index, [pointer]] of branches.entries()) {
        if (pointer !== undefined && this.#analysis.evaluator.accepts(pointer, value)) {
          noted.add(index);
        }
      }
    }
  }

  #decideFirst(constraints: Constraints, order: readonly number[]): Constraints | undefined {
    const [union] = constraints.unions;
    if (union === undefined) return undefined;
    for (const branch of order.slice(0, MOST_TRIED)) {
      const next = this.#possible(constraints, [this.#choice(union, branch)]);
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** Returns the constraints with the branches; undefined when nothing conforms to them. */
  #possible(constraints: Constraints, choices: readonly Choice[]): Constraints | undefined {
    const next = this.#analysis.store.choose(constraints, choices);
    const steps = next.applied.length + next.excluded.length * COMPARISON;
    const isAffordable = this.#budget.spend(steps);
    return isAffordable && this.#analysis.isPossible(next) ? next : undefined;
  }

  /** Returns the branches in the order in which to try them. */
  #order(union: Union, preference: Preference): number[] {
    const { store, heights } = this.#analysis;
    const isLeast = preference === 'flattest';
    const declared = [...union.branches.keys()];
    this.#budget.spend(declared.length);
    const order = preference === 'first' ? declared : shuffle(this.#chance, declared);
    const isReference = this.#analysis.isReference(union.branches);
    const isNegation = union.place.endsWith('/not');
    const rank = (branch: number): number => {
      const constraints = store.ofBranch(union.branches[branch]);
      // Whether there can be a whole resource is only asked where a key is not possible.
      if (isReference && !isLeast && !isKey(constraints)) return 1;
      if (!this.#analysis.isPossible(constraints)) return Number.POSITIVE_INFINITY;
      if (isLeast) return heights.of(constraints);
      // To differ from another branch, an object rather lacks a member than has a wrong one.
      if (isNegation && constraints.required.length > 0) return 1;
      return constraints.types.size === 1 && constraints.types.has('null') ? 1 : 0;
    };
    if (order.length > MOST_TRIED) return order;
    if (preference === 'any' && !isReference && happens(this.#chance, 0.1)) return order;
    const ranks = new Map(order.map((branch) => [branch, rank(branch)]));
    return order.sort((a, b) => Math.sign((ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)) || 0);
  }

  #choice(union: Union, branch: number): Choice {
    const { space } = this.#analysis.store;
    const others = [...(this.#conflicts.get(union.place) ?? [])].filter(
      (index) => index !== branch,
    );
    const kept = others.map((index) =>
      space.construct({ not: space.refer(union.branches[index]?.[0] ?? '') }),
    );
    const pointers = union.branches[branch] ?? [];
    return [union.place, [...pointers, ...this.#discriminator(union, branch), ...kept]];
  }

  /** Returns a schema that gives the branch its discriminating value, if the branch allows it. */
  #discriminator(union: Union, branch: number): readonly string[] {
    const { store } = this.#analysis;
    const pointers = union.branches[branch] ?? [];
    const fitting = discriminate(store, union, branch).find((pointer) =>
      this.#analysis.isPossible(store.of([...pointers, pointer])),
    );
    return fitting === undefined ? [] : [fitting];
  }
}
