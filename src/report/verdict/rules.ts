import { attemptsBounded } from './attempts-bounded.ts';
import { noRetryOfClientErrors } from './no-retry-of-client-errors.ts';
import { retryAfter } from './retry-after.ts';
import type { VerdictRule } from './rule.ts';

/** Every rule, in the order of reports. */
export const verdictRules: readonly VerdictRule[] = [
  retryAfter,
  attemptsBounded,
  noRetryOfClientErrors,
];
