import type { RequestPattern } from '../request/request-pattern.ts';
import type { KeptExchange } from './exchange.ts';
import type { Journal } from './keep/journal.ts';
import { findNearestRequests, joinWords, type NearRequest, nameRequest } from './near-misses.ts';
import type { Redaction } from './redact/redaction.ts';

/** Which requests are meant. */
export interface Wanted {
  readonly pattern: RequestPattern;
  /** Of the answer; any where it is left out. */
  readonly status?: number;
  /** As sentences call them; the operation's where it is left out. */
  readonly name?: string;
}

/** How often they are to have come; at least once where nothing is said. */
export interface Expectation extends Wanted {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Whether what was expected has come. */
export interface Verification {
  readonly isMet: boolean;
  /** How many requests match; in order, how many of the patterns were met. */
  readonly count: number;
  /** What was wanted, what came, and what came nearest; for people, of one line or more. */
  readonly message: string;
  /** The requests that match, in the order in which they came. */
  readonly exchanges: readonly KeptExchange[];
  /** What came nearest where too few match; the nearest first. */
  readonly nearest: readonly NearRequest[];
}

/** Holds what came against how often it was to come. */
export function verify(
  journal: Journal,
  expectation: Expectation,
  redaction: Redaction,
): Verification {
  const exchanges = findInOrder(journal, expectation);
  const count = exchanges.length;
  const { least, most, words } = readBounds(expectation);
  const isMet = count >= least && count <= most;
  const nearest = count < least ? findNearestRequests(journal, expectation.pattern, redaction) : [];
  const lines = [
    `${nameWanted(expectation)} was wanted ${words} and came ${times(count)}`,
    ...(count > most ? listRequests(journal, exchanges, redaction) : []),
    ...(count < least ? listAnsweredOtherwise(journal, expectation, redaction) : []),
    ...describeOthers(journal, nearest),
  ];
  return { isMet, count, message: lines.join('\n'), exchanges, nearest };
}

/**
 * Holds what came against an order: for each pattern a request, each later than the one before it;
 * others may stand between them. Requests are in the order in which they came, not in that in which
 * they were answered.
 */
export function verifyInOrder(
  journal: Journal,
  wanted: readonly Wanted[],
  redaction: Redaction,
): Verification {
  const met: KeptExchange[] = [];
  for (const one of wanted) {
    const last = met.at(-1)?.number ?? 0;
    const next = findInOrder(journal, one).find(({ number }) => number > last);
    if (next === undefined) return missInOrder(journal, wanted, met, one, redaction);
    met.push(next);
  }
  const message = `${listWanted(wanted)} came in this order`;
  return { isMet: true, count: met.length, message, exchanges: met, nearest: [] };
}

function missInOrder(
  journal: Journal,
  wanted: readonly Wanted[],
  met: readonly KeptExchange[],
  missed: Wanted,
  redaction: Redaction,
): Verification {
  const name = nameWanted(missed);
  const last = met.at(-1);
  const others = findInOrder(journal, missed);
  const nearest =
    others.length === 0 ? findNearestRequests(journal, missed.pattern, redaction) : [];
  const came = last === undefined ? 'did not come' : `did not come after #${last.number}`;
  const earlier = others.map(({ number }) => `#${number}`);
  const lines = [
    `${listWanted(wanted)} were wanted in this order, and ${name} ${came}`,
    ...(met.length > 0 ? ['What came in order:', ...listRequests(journal, met, redaction)] : []),
    ...(earlier.length > 0 ? [`${name} came as ${joinWords(earlier)}`] : []),
    ...describeOthers(journal, nearest),
  ];
  return {
    isMet: false,
    count: met.length,
    message: lines.join('\n'),
    exchanges: met,
    nearest,
  };
}

function findInOrder(journal: Journal, { pattern, status }: Wanted): readonly KeptExchange[] {
  return journal.find(pattern, status).toSorted((left, right) => left.number - right.number);
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly words: string;
}

function readBounds({ exactly, atLeast, atMost }: Expectation): Bounds {
  if (exactly !== undefined) return { least: exactly, most: exactly, words: times(exactly) };
  if (atMost === undefined) {
    const least = atLeast ?? 1;
    return { least, most: Number.POSITIVE_INFINITY, words: `at least ${times(least)}` };
  }
  if (atLeast === undefined) return { least: 0, most: atMost, words: `at most ${times(atMost)}` };
  return { least: atLeast, most: atMost, words: `from ${atLeast} to ${times(atMost)}` };
}

function times(count: number): string {
  if (count === 0) return 'never';
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

function nameWanted({ name, pattern, status }: Wanted): string {
  const request = name ?? pattern.operation?.id ?? 'a request that matches';
  return status === undefined ? request : `${request} answered with ${status}`;
}

function listWanted(wanted: readonly Wanted[]): string {
  return joinWords(wanted.map(nameWanted));
}

/** A list of thousands helps nobody. */
const MOST_LISTED = 10;

function listRequests(
  journal: Journal,
  exchanges: readonly KeptExchange[],
  redaction: Redaction,
): readonly string[] {
  const listed = exchanges
    .slice(0, MOST_LISTED)
    .map((exchange) => `  ${nameRequest(exchange, journal.view(exchange), redaction)}`);
  const others = exchanges.length - listed.length;
  return others > 0 ? [...listed, `  and ${others} more`] : listed;
}

/** Requests that were the right ones, if their answer had been. */
function listAnsweredOtherwise(
  journal: Journal,
  { pattern, status }: Wanted,
  redaction: Redaction,
): readonly string[] {
  if (status === undefined) return [];
  return journal
    .find(pattern)
    .filter((exchange) => exchange.status !== status)
    .slice(-MOST_LISTED)
    .map((exchange) => {
      const request = nameRequest(exchange, journal.view(exchange), redaction);
      return `  ${request} was answered with ${exchange.status}`;
    });
}

/** What came besides, and what is no longer there to be seen. */
function describeOthers(journal: Journal, nearest: readonly NearRequest[]): readonly string[] {
  const { dropped } = journal;
  return [
    ...(nearest.length > 0 ? ['What came nearest:'] : []),
    ...nearest.map(({ message }) => `  ${message}`),
    ...(dropped > 0 ? [`${dropped} older requests are no longer in the journal`] : []),
  ];
}
