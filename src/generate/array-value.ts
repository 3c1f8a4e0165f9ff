import { toCanonicalText } from '../base/json/equal.ts';
import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import { drawInteger } from './chance.ts';
import type { Constraints } from './space/constraints.ts';
import type { ArrayRules } from './space/part-rules.ts';
import { createFacts } from './text/topic.ts';
import { copyWish, type Draft } from './value-builder.ts';

/** Longer arrays are not built, whatever the schema asks for. */
const LONGEST = 10_000;

/** Draws of an item before an array of unique items is given up. */
const MOST_DRAWS = 24;

/** An array that is being built. */
interface Plan extends Draft {
  readonly rules: ArrayRules;
}

/** The `contains` schemas that each item must match. */
type Contained = readonly string[][];

/** Returns an array that fits the constraints; undefined when its items cannot be built. */
export function buildArray(draft: Draft): JsonValue[] | undefined {
  const { builder, constraints, wish } = draft;
  const rules = builder.analysis.arrayRules(constraints);
  const planned = planItems({ ...draft, rules });
  if (planned === undefined) return undefined;
  const room = (wish.room - planned.length) / Math.max(1, planned.length);
  const items: JsonValue[] = [];
  const taken = new Set<string>();
  for (const item of planned) {
    const inner = copyWish(wish);
    inner.facts = createFacts();
    inner.index = items.length;
    inner.room = room;
    inner.depth += 1;
    inner.isItem = true;
    // Only the first item is taken from the document: the others would be the same.
    inner.isGiven &&= items.length === 0;
    const next = { builder, constraints: item, wish: inner };
    const value = buildItem(next, taken, constraints.hasUniqueItems);
    if (value === undefined) return items.length >= constraints.minItems ? items : undefined;
    // A word that there is no other of is said once.
    const isRepeated = typeof value === 'string' && items.includes(value);
    if (isRepeated && items.length >= constraints.minItems) continue;
    for (const mark of marksOf(value, constraints.hasUniqueItems)) taken.add(mark);
    items.push(value);
  }
  return items;
}

/** Returns the constraints of each item; undefined when there is no array that fits. */
function planItems(plan: Plan): Constraints[] | undefined {
  const { constraints, rules } = plan;
  const wanted = rules.containments.flatMap(({ pointer, least }) =>
    Array.from({ length: Math.min(least, LONGEST) }, () => pointer),
  );
  const [first] = rules.containments;
  if (first !== undefined && rules.isClosed) {
    const free = Math.min(constraints.minItems, LONGEST) - rules.tupleLength;
    while (wanted.length < free) wanted.push(first.pointer);
  }
  const open = mostPossible(rules);
  const possible = rules.isClosed ? Math.max(open, rules.tupleLength + wanted.length) : open;
  const most = Math.min(constraints.maxItems, possible);
  const least = Math.max(constraints.minItems, wanted.length > 0 ? 1 : 0);
  if (least > Math.min(most, LONGEST)) return undefined;
  const usual = Math.max(least, usualLength(plan), wanted.length);
  if (rules.containments.length === 0) {
    return Array.from({ length: Math.min(usual, most) }, (_, index) => rules.item(index));
  }
  for (const length of new Set([usual, rules.tupleLength + wanted.length])) {
    const contained = placeContained(plan, wanted, Math.min(length, most));
    if (contained !== undefined) return keepWithinMost(plan, contained);
  }
  return undefined;
}

/** Returns which item must match which schema; undefined when one cannot be placed. */
function placeContained(plan: Plan, wanted: string[], length: number): Contained | undefined {
  const contained = Array.from({ length }, (): string[] => []);
  for (const pointer of wanted) {
    const index = findPlace(plan, contained, pointer);
    if (index === undefined) return undefined;
    contained[index]?.push(pointer);
  }
  return contained;
}

/**
 * @param contained what each item must match already
 * @returns the index of the item that can match the schema: a free one if possible, the last ones
 *   first, as the first have schemas of their own
 */
function findPlace(plan: Plan, contained: Contained, pointer: string): number | undefined {
  const { analysis } = plan.builder;
  const fits = (index: number): boolean => {
    const constraints = plan.rules.itemWith(index, [...(contained[index] ?? []), pointer]);
    const { heights } = analysis;
    return analysis.isPossible(constraints) && heights.of(constraints) < Number.POSITIVE_INFINITY;
  };
  const indices = [...contained.keys()].reverse();
  const isFree = (index: number): boolean => contained[index]?.length === 0;
  return (
    indices.find((index) => isFree(index) && fits(index)) ??
    indices.find((index) => !isFree(index) && !contained[index]?.includes(pointer) && fits(index))
  );
}

/** Items beyond `maxContains` must not match. */
function keepWithinMost({ builder, rules }: Plan, contained: Contained): Constraints[] {
  const { store } = builder.analysis;
  const limited = rules.containments
    .filter(({ most }) => most < contained.length)
    .map(({ pointer }) => store.space.construct({ not: store.space.refer(pointer) }));
  return contained.map((pointers, index) => {
    if (pointers.length > 0) return rules.itemWith(index, pointers);
    const item = rules.item(index);
    return limited.length === 0 ? item : store.of([...item.selection.roots, ...limited]);
  });
}

/** Returns the index of the first item that no value fits. */
function mostPossible(rules: ArrayRules): number {
  for (let index = 0; index <= rules.tupleLength; index++) {
    if (rules.item(index).contradiction !== undefined) return index;
  }
  return Number.POSITIVE_INFINITY;
}

function usualLength({ builder, rules, wish }: Plan): number {
  if (wish.isLeast) return 0;
  if (rules.tupleLength > 0) return rules.tupleLength;
  if (!rules.describesItems || wish.room < 1) return 0;
  // In a tree that branches at every node, deep nodes are many.
  if (wish.depth > 4) return 0;
  return wish.room < 6 || wish.depth > 2 ? 1 : drawInteger(builder.chance, 1, 3);
}

/** Returns texts that no two items of a list may share: of a whole item, and of its identifier. */
function marksOf(value: JsonValue, isUnique: boolean): readonly string[] {
  const marks = isUnique ? [toCanonicalText(value)] : [];
  if (!isJsonObject(value)) return marks;
  const name = IDENTIFIERS.find((one) => getMember(value, one) !== undefined);
  return name === undefined ? marks : [...marks, `id ${String(value[name])}`];
}

const IDENTIFIERS = ['id', '_id', 'ID', 'Id', 'uuid', 'key'];

/** @param taken marks of the items that this one must differ from */
function buildItem(
  draft: Draft,
  taken: ReadonlySet<string>,
  isUnique: boolean,
): JsonValue | undefined {
  const { builder, constraints, wish } = draft;
  const isNew = (value: JsonValue) => !marksOf(value, isUnique).some((mark) => taken.has(mark));
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    if (!builder.budget.spend()) return undefined;
    const value = builder.build(constraints, wish);
    if (value === undefined || isNew(value)) return value;
    if (!isUnique && draw >= 4) return value;
  }
  return fewValues(draft).find(isNew);
}

/** Returns all the values where they are few enough to be listed. */
function fewValues({ builder, constraints }: Draft): readonly JsonValue[] {
  if (constraints.listed !== undefined) return builder.analysis.listing(constraints).values;
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
