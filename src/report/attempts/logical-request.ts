import type { KeptExchange } from '../../journal/exchange.ts';
import { endOf, retryTimeOf } from './outcome.ts';

/** One request as the caller of the client meant it, with every attempt to send it. */
export interface LogicalRequest {
  /** In the order of their arrival. */
  readonly attempts: readonly [KeptExchange, ...KeptExchange[]];
  /** Why it is not clear that these, and no others, are its attempts; undefined where it is. */
  readonly doubt: string | undefined;
  /** Whether a field says that these are its attempts, and not only their content. */
  readonly isIdentified: boolean;
}

/** Ratios of waits that differ by less are the same. */
const ALIKE = 0.15;
/** Fewer waits may be regular by chance. */
const FEWEST_REGULAR = 4;

/**
 * Returns why attempts may be several calls of the user's code: they have only their content in
 * common, and no regular waits between them, as only a program has.
 */
export function doubtOf(request: LogicalRequest): string | undefined {
  const { attempts, doubt, isIdentified } = request;
  if (doubt !== undefined || isIdentified || attempts.length < 2) return doubt;
  if (isRegular(waitsOf(request).map(({ milliseconds }) => milliseconds))) return undefined;
  return `#${attempts[0].number} and what repeats it have no id in common, and may be several calls`;
}

/** Returns whether waits are all the same, or grow by one factor up to a limit. */
function isRegular(waits: readonly number[]): boolean {
  if (waits.length < FEWEST_REGULAR) return false;
  const ratios = waits.slice(1).map((wait, index) => wait / Math.max(waits[index] ?? 1, 1));
  const [factor = 1] = ratios;
  const limit = ratios.findIndex((ratio) => Math.abs(ratio / factor - 1) > ALIKE);
  const rest = limit < 0 ? [] : ratios.slice(limit + 1);
  return factor >= 1 - ALIKE && rest.every((ratio) => Math.abs(ratio - 1) <= ALIKE);
}

type Attempts = Pick<LogicalRequest, 'attempts'>;

export function lastOf({ attempts }: Attempts): KeptExchange {
  return attempts.at(-1) ?? attempts[0];
}

/** Returns each further attempt with the one before it. */
export function repeatsOf({ attempts }: Attempts) {
  return attempts.slice(1).map((next, index) => ({ before: attempts[index] ?? next, next }));
}

/** Returns the waits before the further attempts that the client chose itself, in their order. */
export function waitsOf(request: Attempts): readonly Wait[] {
  return repeatsOf(request).flatMap(({ before, next }, index) => {
    const milliseconds = next.at - endOf(before);
    const isChosen = retryTimeOf(before) === undefined && milliseconds >= 0;
    return isChosen ? [{ index, milliseconds, next }] : [];
  });
}

/** The time between the end of an attempt and the next one. */
export interface Wait {
  /** The number of the attempt before, from 0. */
  readonly index: number;
  readonly milliseconds: number;
  readonly next: KeptExchange;
}
