import { remember } from '../../base/remember.ts';
import type { ConstraintStore } from './constraint-store.ts';
import type { Constraints, Union } from './constraints.ts';
import type { ArrayRules, ObjectRules } from './part-rules.ts';

/** Values that must nest deeper are not built. */
const HIGHEST = 64;

/** The most members of unions and tuples that are examined. */
const MOST_LOOKED_AT = 64;

/** The constraints on the members of a value. */
export interface Rules {
  readonly store: ConstraintStore;
  objectRules(constraints: Constraints): ObjectRules;
  arrayRules(constraints: Constraints): ArrayRules;
}

interface Known {
  /** No value has this height or less. */
  tooFlat: number;
  /** Some value has this height or less. */
  enough: number;
}

/**
 * Finds the depth of the flattest value of a schema. A recursive schema ends where the builder
 * takes the branches and members of the least height.
 */
export class Heights {
  readonly #rules: Rules;
  readonly #active = new Set<Constraints>();
  readonly #known = new WeakMap<Constraints, Known>();

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /**
   * Returns the height, 0 for a value without members; infinity when every value would be endless.
   */
  of(constraints: Constraints): number {
    for (let height = 0; height <= HIGHEST; height++) {
      if (this.#fits(constraints, height)) return height;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Returns true when some value has at most this height. */
  #fits(constraints: Constraints, height: number): boolean {
    if (height < 0 || constraints.contradiction !== undefined) return false;
    const known = remember(this.#known, constraints, () => {
      return { tooFlat: -1, enough: Number.POSITIVE_INFINITY };
    });
    if (height <= known.tooFlat) return false;
    if (height >= known.enough) return true;
    // A reference back to the same value adds nothing.
    if (this.#active.has(constraints)) return false;
    this.#active.add(constraints);
    const fits =
      this.#fitsItself(constraints, height) &&
      constraints.unions.every((union) => this.#fitsUnion(union, height));
    this.#active.delete(constraints);
    if (fits) known.enough = height;
    else known.tooFlat = height;
    return fits;
  }

  /** Examines each union by itself: there are too many combinations. */
  #fitsUnion({ branches }: Union, height: number): boolean {
    const { store } = this.#rules;
    return (
      branches.length > MOST_LOOKED_AT ||
      branches.some((pointers) => this.#fits(store.of(pointers), height))
    );
  }

  #fitsItself(constraints: Constraints, height: number): boolean {
    const { types, listed } = constraints;
    if (listed !== undefined) return true;
    if (types.has('null') || types.has('boolean') || types.has('number') || types.has('string')) {
      return true;
    }
    return (
      (types.has('array') && this.#fitsArray(constraints, height)) ||
      (types.has('object') && this.#fitsObject(constraints, height))
    );
  }

  #fitsArray(constraints: Constraints, height: number): boolean {
    const rules = this.#rules.arrayRules(constraints);
    if (rules.isClosed) return true;
    const distinct = Math.min(constraints.minItems, rules.tupleLength + 1, MOST_LOOKED_AT);
    for (let index = 0; index < distinct; index++) {
      if (!this.#fits(rules.item(index), height - 1)) return false;
    }
    const places = [...Array(Math.min(rules.tupleLength, MOST_LOOKED_AT) + 1).keys()];
    return rules.containments.every(
      ({ pointer, least }) =>
        least === 0 ||
        places.some((index) => this.#fits(rules.itemWith(index, [pointer]), height - 1)),
    );
  }

  #fitsObject(constraints: Constraints, height: number): boolean {
    const rules = this.#rules.objectRules(constraints);
    return rules.required.every((name) => this.#fits(rules.member(name), height - 1));
  }
}
