import { remember } from '../../base/remember.ts';
import type { ConstraintStore } from './constraint-store.ts';
import type { AppliedSchema, Constraints } from './constraints.ts';
import { isBroughtBy } from './object-rules.ts';

/** A `contains` and how many items must match it. */
export interface Containment {
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
}

/** The constraints on an array's items. */
export class ArrayRules {
  readonly #store: ConstraintStore;
  readonly #constraints: Constraints;
  readonly #items = new Map<number, Constraints>();
  /** The number of leading items with their own schemas. */
  readonly tupleLength: number;
  readonly containments: readonly Containment[];
  /**
   * True when `unevaluatedItems` applies after the tuple to items that `contains` does not match.
   */
  readonly isClosed: boolean;
  /** False when no schema describes the items. */
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

  /** Returns the constraints of the item at an index, except `contains`. */
  item(index: number): Constraints {
    const place = Math.min(index, this.tupleLength);
    return remember(this.#items, place, () => this.#store.of(this.pointersAt(place)));
  }

  /**
   * @param pointers of `contains` schemas that the item matches: `unevaluatedItems` does not apply
   *   to it then (JSON Schema Core §11.2)
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
    // A branch that is not chosen yet may evaluate any item.
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
