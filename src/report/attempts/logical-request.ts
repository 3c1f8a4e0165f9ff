import type { KeptExchange } from '../../journal/exchange.ts';
import { endOf, retryTimeOf } from './outcome.ts';

/** One request as the caller of the client meant it, with every attempt to send it. */
export interface LogicalRequest {
  /** At least one, in the order of their arrival. */
  readonly attempts: readonly KeptExchange[];
  /** Why it is not clear that these, and no others, are its attempts; undefined where it is. */
  readonly doubt: string | undefined;
}

/** Returns the waits before the further attempts that the client chose itself, in their order. */
export function waitsOf({ attempts }: LogicalRequest): readonly Wait[] {
  return attempts.slice(1).flatMap((next, index) => {
    const failed = attempts[index];
    if (failed === undefined || retryTimeOf(failed) !== undefined) return [];
    const milliseconds = next.at - endOf(failed);
    return milliseconds < 0 ? [] : [{ index, milliseconds, next }];
  });
}

/** The time between the end of an attempt and the next one. */
export interface Wait {
  /** The number of the attempt before, from 0. */
  readonly index: number;
  readonly milliseconds: number;
  readonly next: KeptExchange;
}
