import { attemptsBounded } from './attempts-bounded.ts';
import { backOffGrows } from './back-off-grows.ts';
import { circuit } from './circuit.ts';
import { concurrencyBounded } from './concurrency-bounded.ts';
import { conditional } from './conditional.ts';
import { followsLinks } from './follows-links.ts';
import { jitter } from './jitter.ts';
import { noRetryOfClientErrors } from './no-retry-of-client-errors.ts';
import { noThunderingHerd } from './no-thundering-herd.ts';
import { paginationEnds } from './pagination-ends.ts';
import { retriesWhatIsRetryable } from './retries-what-is-retryable.ts';
import { retryAfter } from './retry-after.ts';
import { retryBudget } from './retry-budget.ts';
import type { VerdictRule } from './rule.ts';
import { sameRequest } from './same-request.ts';
import { timeoutKept } from './timeout-kept.ts';
import { unsafeRetryIsIdempotent } from './unsafe-retry-is-idempotent.ts';

/** Every rule, in the order of reports. */
export const verdictRules: readonly VerdictRule[] = [
  retryAfter,
  backOffGrows,
  jitter,
  attemptsBounded,
  retryBudget,
  noRetryOfClientErrors,
  unsafeRetryIsIdempotent,
  sameRequest,
  timeoutKept,
  concurrencyBounded,
  noThunderingHerd,
  circuit,
  retriesWhatIsRetryable,
  paginationEnds,
  followsLinks,
  conditional,
];
