import type { Stored } from '../../state/store.ts';
import type { Cursor } from './cursor.ts';

/** Those resources of a list that a request asks for, and where in the list they are. */
export interface Page {
  readonly items: readonly Stored[];
  /** How many there are in all. */
  readonly total: number;
  /** How many stand before the first. */
  readonly offset: number;
  /** How many there are to a page; undefined for all. */
  readonly limit: number | undefined;
  /** Where the next one begins; undefined where this is the last, or nothing is shown. */
  readonly next: Cursor | undefined;
  /** Where the one before ends. */
  readonly previous: Cursor | undefined;
}

/** @returns whether there are resources behind those of a page */
export function hasNext({ items, offset, total }: Page): boolean {
  return offset + items.length < total;
}
