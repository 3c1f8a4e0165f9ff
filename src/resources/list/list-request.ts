import type { JsonValue } from '../../base/json/value.ts';
import type { Filter } from './filter.ts';
import type { SortWish } from './sort.ts';

/** What a request asks of a list. */
export interface ListRequest {
  /** All must hold. */
  readonly filters: readonly Filter[];
  readonly sort: SortWish;
  /** How many there are to a page; undefined for all. */
  readonly limit: number | undefined;
  readonly start: ListStart;
  /** What came for the members that are to be shown. */
  readonly fields: JsonValue | undefined;
  /**
   * True where pages are asked for by cursors: then what is sorted alike stands in the order of
   * keys, so that a place in the list outlives the resources beside it.
   */
  readonly hasCursors: boolean;
}

/** Where a page begins, or ends. */
export type ListStart =
  | { readonly kind: 'offset'; readonly offset: number }
  /** Behind, or before, what a client was told or the key that it has seen. */
  | {
      readonly kind: 'after' | 'before';
      readonly cursor: string;
      /** Where a resource of that key was: it is looked for there first. */
      readonly hint?: number | undefined;
    };

/** True where one page is found without looking at any other resource. */
export function isPlain({ filters, sort }: ListRequest): boolean {
  return filters.length === 0 && sort.keys.length === 0;
}
