/** Items from one index up to, but not including, another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Yields for each item the span that it ends: the items before it whose value is not too small.
 *
 * @param items in the order of their values
 * @param least returns the smallest value in the span that this value ends
 */
export function* slide<Item>(
  items: readonly Item[],
  measure: (item: Item) => number,
  least: (value: number) => number,
): Generator<Span, void> {
  let from = 0;
  for (const [index, item] of items.entries()) {
    const value = measure(item);
    for (let old = items[from]; old !== undefined && measure(old) < least(value); ) {
      old = items[++from];
    }
    yield { from, to: index + 1 };
  }
}

/** Returns the longest of the spans that {@link slide} yields. */
export function findLongest<Item>(...given: Parameters<typeof slide<Item>>): readonly Item[] {
  let best: Span = { from: 0, to: 0 };
  for (const span of slide(...given)) if (span.to - span.from > best.to - best.from) best = span;
  return given[0].slice(best.from, best.to);
}
