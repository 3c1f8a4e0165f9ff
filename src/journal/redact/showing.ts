import type { Operation } from '../../contract/contract.ts';
import type { Redaction } from './redaction.ts';

/** What parts of one exchange are shown with. */
export interface Showing {
  readonly redaction: Redaction;
  /** Undefined where no operation was meant. */
  readonly operation: Operation | undefined;
  /** The secrets that were come upon: they may come up again where nobody would look for them. */
  readonly secrets: string[];
}
