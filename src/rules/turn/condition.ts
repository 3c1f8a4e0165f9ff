import type { Mismatch } from '../../request/request-pattern.ts';
import type { RequestView } from '../../request/view.ts';

/** One thing that a pattern asks of a request. */
export interface Condition {
  holds(view: RequestView): boolean;
  /** @returns why it does not hold; asked only then */
  explain(view: RequestView): readonly Mismatch[];
}
