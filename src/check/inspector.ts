import type { Operation } from '../contract/contract.ts';
import type { Finding } from './finding.ts';

/** Looks for one kind of thing, an operation at a time. */
export interface Inspector {
  /**
   * @param operation one that can be served
   * @returns what it has against it; undefined for what only counts
   */
  inspect?(operation: Operation): Iterable<Finding> | undefined;
  /** What can only be said when every operation was seen. */
  conclude?(): Iterable<Finding>;
}
