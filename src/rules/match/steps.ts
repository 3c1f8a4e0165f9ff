import { isJsonObject, type JsonValue } from '../../base/json/value.ts';

/** Enough for any path in a usual body. */
const LEAST_STEPS = 100_000;
const STEPS_PER_VALUE = 10;
const MOST_STEPS = 10_000_000;

class TooManySteps extends Error {}

/**
 * Counts the steps of a comparison whose time can grow faster than the value: a client could send
 * one that blocks the mock. A step is one value, or some characters of a text.
 */
export class Steps {
  readonly #value: JsonValue;
  #left = LEAST_STEPS;
  #isExtended = false;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  spend(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    if (!this.#isExtended) {
      this.#isExtended = true;
      const most = Math.min(STEPS_PER_VALUE * weigh(this.#value), MOST_STEPS);
      this.#left += Math.max(most - LEAST_STEPS, 0);
    }
    if (this.#left < 0) throw new TooManySteps();
  }

  /** Spends as many steps as a value has parts, at any depth. */
  spendOn(value: JsonValue | readonly JsonValue[] | undefined): void {
    if (value !== undefined) this.spend(weigh(value));
  }
}

/** Returns the result of a comparison; undefined if it, or its search, takes too many steps. */
export function withinSteps<Result>(
  value: JsonValue,
  steps: Steps | undefined,
  compare: (steps: Steps) => Result,
): Result | undefined {
  if (steps !== undefined) return compare(steps);
  try {
    return compare(new Steps(value));
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

/** Returns the number of values in a value, itself included; a long text counts as several. */
function weigh(value: JsonValue | readonly JsonValue[]): number {
  if (typeof value === 'string') return 1 + (value.length >> 4);
  let weight = 1;
  for (const child of childrenOf(value)) weight += weigh(child);
  return weight;
}

const NONE: readonly JsonValue[] = [];

/** Returns the items or members of a value. */
export function childrenOf(value: JsonValue | readonly JsonValue[]): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : NONE;
}
