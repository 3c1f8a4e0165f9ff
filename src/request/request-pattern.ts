import type { Operation } from '../contract/contract.ts';
import type { RequestView } from './view.ts';

/** Why a request is not one that a pattern is for. */
export interface Mismatch {
  /** What of the request: `method`, `body.tag`, `query.limit`, `headers.x-trace`. */
  readonly subject: string;
  /** A sentence's end, as in "would have matched slow-create, but": `body.tag was "cactus"`. */
  readonly message: string;
  /** From just above 0, nearly, to 1, not at all. */
  readonly distance: number;
}

/** What a rule, or a question to the journal, says of requests. */
export interface RequestPattern {
  /** The operation that it is for; undefined for all. */
  readonly operation: Operation | undefined;
  /** True when it looks at the body, which is known only once it is decoded. */
  readonly readsBody: boolean;
  matches(view: RequestView): boolean;
  /** @returns everything that does not match; empty when it matches */
  explain(view: RequestView): readonly Mismatch[];
}
