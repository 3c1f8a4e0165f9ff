import { isEqual } from '../json/equal.ts';
import type { JsonValue } from '../json/value.ts';
import type { ArrayRules, Containment } from './array-rules.ts';
import type { Builder, Wish } from './builder.ts';
import { drawInteger } from './chance.ts';
import type { Constraints } from './constraints.ts';

/** Longer arrays are not built, whatever the schema asks for. */
const LONGEST = 10_000;

/** How often an item is drawn anew when it is already in an array of unique items. */
const MOST_DRAWS = 24;

/** @returns an array that keeps the constraints; undefined when its items cannot be built */
export function buildArray(
  builder: Builder,
  constraints: Constraints,
  wish: Wish,
): JsonValue[] | undefined {
  const rules = builder.analysis.arrayRules(constraints);
  const plan = planItems(builder, constraints, rules, wish);
  if (plan === undefined) return undefined;
  const room = (wish.room - plan.length) / Math.max(1, plan.length);
  const items: JsonValue[] = [];
  for (const item of plan) {
    // One item as the document has it is enough: more would all be the same.
    const isGiven = wish.isGiven && items.length === 0;
    const inner = { ...wish, room, depth: wish.depth + 1, isItem: true, isGiven };
    const value = buildItem(builder, item, inner, constraints.hasUniqueItems ? items : []);
    if (value !== undefined) items.push(value);
    else if (items.length >= constraints.minItems) return items;
    else return undefined;
  }
  return items;
}

/** @returns what each item of the array is to keep */
function planItems(
  builder: Builder,
  constraints: Constraints,
  rules: ArrayRules,
  wish: Wish,
): Constraints[] | undefined {
  const wanted = rules.containments.flatMap(repeatContainment);
  const most = Math.min(constraints.maxItems, mostPossible(rules));
  const least = Math.max(constraints.minItems, wanted.length > 0 ? 1 : 0);
  if (least > Math.min(most, LONGEST)) return undefined;
  const length = Math.min(most, Math.max(least, usualLength(builder, rules, wish), wanted.length));
  const plan = Array.from({ length }, (_, index) => rules.item(index));
  // What is to be contained stands last: the first items have schemas of their own.
  for (const [index, pointer] of wanted.entries()) {
    const at = length - 1 - (index % Math.max(1, length));
    const before = plan[at];
    if (before === undefined) return undefined;
    const { store } = builder.analysis;
    plan[at] = store.of([...before.selection.roots, pointer]);
  }
  return keepWithinMost(builder, rules, plan, wanted);
}

/** Items beyond `maxContains` must not match. */
function keepWithinMost(
  builder: Builder,
  rules: ArrayRules,
  plan: Constraints[],
  wanted: readonly string[],
): Constraints[] {
  const { store } = builder.analysis;
  const limited = rules.containments.filter(({ most }) => most < plan.length);
  if (limited.length === 0) return plan;
  const first = plan.length - wanted.length;
  return plan.map((item, index) =>
    index >= first
      ? item
      : store.of([
          ...item.selection.roots,
          ...limited.map(({ pointer }) =>
            store.space.construct({ not: store.space.refer(pointer) }),
          ),
        ]),
  );
}

function repeatContainment({ pointer, least }: Containment): string[] {
  return Array.from({ length: Math.min(least, LONGEST) }, () => pointer);
}

/** @returns the length at which an item stands that nothing can be */
function mostPossible(rules: ArrayRules): number {
  for (let index = 0; index <= rules.tupleLength; index++) {
    if (rules.item(index).contradiction !== undefined) return index;
  }
  return Number.POSITIVE_INFINITY;
}

function usualLength(builder: Builder, rules: ArrayRules, wish: Wish): number {
  if (wish.isLeast) return 0;
  if (rules.tupleLength > 0) return rules.tupleLength;
  if (!rules.describesItems || wish.room < 1) return 0;
  // In a tree that branches at every node, deep nodes are many.
  if (wish.depth > 4) return 0;
  return wish.room < 6 || wish.depth > 2 ? 1 : drawInteger(builder.chance, 1, 3);
}

function buildItem(
  builder: Builder,
  constraints: Constraints,
  wish: Wish,
  others: readonly JsonValue[],
): JsonValue | undefined {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    if (!builder.spend()) return undefined;
    const value = builder.build(constraints, wish);
    if (value === undefined) return undefined;
    if (!others.some((other) => isEqual(other, value))) return value;
  }
  return fewValues(builder, constraints).find(
    (value) => !others.some((other) => isEqual(other, value)),
  );
}

/** @returns all the values where they are few enough to be listed */
function fewValues(builder: Builder, constraints: Constraints): readonly JsonValue[] {
  if (constraints.listed !== undefined) return builder.analysis.listedValues(constraints);
  const values: JsonValue[] = [];
  if (constraints.types.has('boolean')) values.push(true, false);
  if (constraints.types.has('null')) values.push(null);
  const { minimum, maximum, isIntegral, divisors } = constraints;
  if (isIntegral && divisors.length === 0 && minimum !== undefined) {
    const from = Number(minimum.value);
    const to = maximum === undefined ? from + 1000 : Math.min(Number(maximum.value), from + 1000);
    for (let value = Math.ceil(from); value <= to; value++) values.push(value);
  }
  return values.filter((value) => builder.analysis.evaluator.conforms(constraints, value));
}
