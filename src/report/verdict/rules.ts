import { circuit, concurrencyBounded, noThunderingHerd } from './load.ts';
import { conditional, followsLinks, paginationEnds } from './reads.ts';
import { sameRequest, unsafeRetryIsIdempotent } from './repeats.ts';
import {
  attemptsBounded,
  noRetryOfClientErrors,
  retriesWhatIsRetryable,
  retryBudget,
} from './retries.ts';
import type { VerdictRule } from './rule.ts';
import { backOffGrows, jitter, retryAfter, timeoutKept } from './waits.ts';

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
