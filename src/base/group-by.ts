import { remember } from './remember.ts';

/** Groups items by their keys, in the order of the first item of each, as `Map.groupBy` does. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key) {
  const groups = new Map<Key, Item[]>();
  for (const item of items) remember(groups, keyOf(item), () => []).push(item);
  return groups as ReadonlyMap<Key, readonly Item[]>;
}
