import type { ConstraintStore } from './constraint-store.ts';
import type { AppliedSchema, Constraints } from './constraints.ts';
import { isBroughtBy } from './object-rules.ts';

/** A `contains` and how many items must match it. */
export interface Containment {
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
}

/** What constraints say of an array's items. */
export class ArrayRules {
  readonly #store: ConstraintStore;
  readonly #constraints: Constraints;
  readonly #items = new Map<number, Constraints>();
  /** How many leading items have schemas of their own. */
  readonly tupleLength: number;
  readonly containments: readonly Containment[];
  /** True when, behind the tuple, `unevaluatedItems` speaks of what is not contained. */
  readonly isClosed: boolean;
  /** False when nothing says what the items are. */
  readonly describesItems: boolean;

  constructor(store: ConstraintStore, constraints: Constraints) {
    this.#store = store;
    this.#constraints = constraints;
    const { applied } = constraints;
    this.tupleLength = Math.max(0, ...applied.map(prefixLength));
    this.containments = applied.flatMap(readContainment);
    this.isClosed =
      this.containments.length > 0 &&
      this.pointersAt(this.tupleLength).some((one) => one.endsWith('/unevaluatedItems'));
    this.describesItems = applied.some(
      ({ schema }) => schema['items'] !== undefined || schema['prefixItems'] !== undefined,
    );
  }

  /** @returns what the item at an index must keep, but for `contains` */
  item(index: number): Constraints {
    const place = Math.min(index, this.tupleLength);
    const known = this.#items.get(place);
    if (known !== undefined) return known;
    const constraints = this.#store.of(this.pointersAt(place));
    this.#items.set(place, constraints);
    return constraints;
  }

  /**
   * @param pointers of schemas that the item is contained by: `unevaluatedItems` does not speak of
   *   it then (JSON Schema Core §11.2)
   */
  itemWith(index: number, pointers: readonly string[]): Constraints {
    const place = Math.min(index, this.tupleLength);
    const own = this.pointersAt(place).filter((one) => !one.endsWith('/unevaluatedItems'));
    return this.#store.of([...own, ...pointers]);
  }

  pointersAt(index: number): string[] {
    return this.#constraints.applied.flatMap((entry) => this.#pointersIn(entry, index));
  }

  #pointersIn(entry: AppliedSchema, index: number): string[] {
    const { schema, pointer } = entry;
    if (index < prefixLength(entry)) return [`${pointer}/prefixItems/${index}`];
    if (schema['items'] !== undefined) return [`${pointer}/items`];
    if (schema['unevaluatedItems'] === undefined) return [];
    // While a branch is to be chosen, it is not known what it will speak of.
    if (this.#constraints.unions.some(({ owner }) => isBroughtBy(owner, entry))) return [];
    const isEvaluated = this.#constraints.applied.some(
      (other) =>
        other !== entry &&
        isBroughtBy(other, entry) &&
        (index < prefixLength(other) ||
          other.schema['items'] !== undefined ||
          other.schema['unevaluatedItems'] !== undefined),
    );
    return isEvaluated ? [] : [`${pointer}/unevaluatedItems`];
  }
}

function prefixLength({ schema }: AppliedSchema): number {
  const { prefixItems } = schema;
  return Array.isArray(prefixItems) ? prefixItems.length : 0;
}

function readContainment({ schema, pointer }: AppliedSchema): Containment[] {
  if (schema['contains'] === undefined) return [];
  const { minContains, maxContains } = schema;
  return [
    {
      pointer: `${pointer}/contains`,
      least: typeof minContains === 'number' ? minContains : 1,
      most: typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY,
    },
  ];
}
