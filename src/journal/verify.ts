import type { Clock } from '../base/clock.ts';
import { listFirst } from '../base/words.ts';
import type { StreamEnd } from '../delivery/transmission.ts';
import type { RequestPattern } from '../request/view.ts';
import type { KeptExchange } from './exchange.ts';
import type { Journal } from './keep/journal.ts';
import { findNearestRequests, joinWords, type NearRequest, nameRequest } from './near-misses.ts';

export interface Wanted {
  readonly pattern: RequestPattern;
  /** The status of the response; any by default. */
  readonly status?: number;
  /** How the stream of the response ended; any, or no stream, by default. */
  readonly stream?: StreamEnd;
  /** Their name in messages; that of the operation by default. */
  readonly name?: string;
}

/** How many requests are expected; at least one by default. */
export interface Expectation extends Wanted {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface Verification {
  readonly isMet: boolean;
  /** How many requests match; of an order, how many of its patterns. */
  readonly count: number;
  /** A text of one or more lines: what was expected, what arrived, and what came nearest. */
  readonly message: string;
  /** The requests that match, in the order of arrival. */
  readonly exchanges: readonly KeptExchange[];
  /** Where too few requests match, those that came nearest; the nearest first. */
  readonly nearest: readonly NearRequest[];
}

export function verify(journal: Journal, expectation: Expectation): Verification {
  const exchanges = findInOrder(journal, expectation);
  const count = exchanges.length;
  const { least, most, words } = readBounds(expectation);
  const isMet = count >= least && count <= most;
  const nearest = count < least ? findNearestRequests(journal, expectation.pattern) : [];
  const verb = expectation.pattern.callback === undefined ? 'received' : 'sent';
  const lines = [
    `${nameWanted(expectation)} was expected ${words} and ${occurred(verb, count)}`,
    ...(count > most ? listRequests(journal, exchanges) : []),
    ...(count < least ? listAnsweredOtherwise(journal, expectation) : []),
    ...(count < least ? listNotSent(journal, expectation) : []),
    ...describeOthers(journal, nearest),
  ];
  return { isMet, count, message: lines.join('\n'), exchanges, nearest };
}

/** Verifies that requests arrived in an order; there may be others between them. */
export function verifyInOrder(journal: Journal, wanted: readonly Wanted[]): Verification {
  const met: KeptExchange[] = [];
  for (const one of wanted) {
    const last = met.at(-1)?.number ?? 0;
    const next = findInOrder(journal, one).find(({ number }) => number > last);
    if (next === undefined) return missInOrder(journal, wanted, met, one);
    met.push(next);
  }
  const message = `${listWanted(wanted)} arrived in this order`;
  return { isMet: true, count: met.length, message, exchanges: met, nearest: [] };
}

function missInOrder(
  journal: Journal,
  wanted: readonly Wanted[],
  met: readonly KeptExchange[],
  missed: Wanted,
): Verification {
  const name = nameWanted(missed);
  const last = met.at(-1);
  const others = findInOrder(journal, missed);
  const nearest = others.length === 0 ? findNearestRequests(journal, missed.pattern) : [];
  const came = last === undefined ? 'was not received' : `was not received after #${last.number}`;
  const earlier = others.map(({ number }) => `#${number}`);
  const lines = [
    `${listWanted(wanted)} were expected in this order, and ${name} ${came}`,
    ...(met.length > 0 ? ['Received in this order:', ...listRequests(journal, met)] : []),
    ...(earlier.length > 0 ? [`${name} was received as ${joinWords(earlier)}`] : []),
    ...describeOthers(journal, nearest),
  ];
  const message = lines.join('\n');
  return { isMet: false, count: met.length, message, exchanges: met, nearest };
}

function findInOrder(journal: Journal, wanted: Wanted): readonly KeptExchange[] {
  return findWanted(journal, wanted).toSorted((left, right) => left.number - right.number);
}

export function findWanted(journal: Journal, { pattern, status, stream }: Wanted) {
  const found = journal.find(pattern, status);
  return stream === undefined ? found : found.filter((one) => one.stream?.progress.end === stream);
}

function readBounds({ exactly, atLeast, atMost }: Expectation) {
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

function occurred(verb: string, count: number): string {
  return count === 0 ? `never ${verb}` : `${verb} ${times(count)}`;
}

function nameWanted({ name, pattern, status, stream }: Wanted): string {
  const request = name ?? pattern.callback ?? pattern.operation?.id ?? 'a request that matches';
  const answered = status === undefined ? request : `${request} answered with ${status}`;
  return stream === undefined ? answered : `${answered} with a stream that is ${stream}`;
}

function listWanted(wanted: readonly Wanted[]): string {
  return joinWords(wanted.map(nameWanted));
}

const MAXIMUM_LISTED = 10;

function listRequests(journal: Journal, exchanges: readonly KeptExchange[]): readonly string[] {
  const lines = listFirst(exchanges, MAXIMUM_LISTED, (one) => nameRequest(journal, one));
  return lines.map((line) => `  ${line}`);
}

function listAnsweredOtherwise(journal: Journal, { pattern, status }: Wanted): readonly string[] {
  if (status === undefined) return [];
  return journal
    .find(pattern)
    .filter((exchange) => exchange.status !== status)
    .slice(-MAXIMUM_LISTED)
    .map((one) => `  ${nameRequest(journal, one)} was answered with ${one.status}`);
}

/** Lists the callbacks that could not be delivered. */
function listNotSent(journal: Journal, { pattern }: Expectation): readonly string[] {
  return journal
    .list()
    .filter(({ callback }) => callback !== undefined && callback.name === pattern.callback)
    .filter(({ problem }) => problem !== undefined)
    .slice(0, MAXIMUM_LISTED)
    .map(({ number, problem }) => `  #${number} was not sent: ${problem?.message}`);
}

/** Lists the nearest requests, and says how many are no longer in the journal. */
function describeOthers(journal: Journal, nearest: readonly NearRequest[]): readonly string[] {
  const { dropped } = journal;
  return [
    ...(nearest.length > 0 ? ['Closest requests:'] : []),
    ...nearest.map(({ message }) => `  ${message}`),
    ...(dropped > 0 ? [`${dropped} older requests are no longer in the journal`] : []),
  ];
}

export interface Awaited extends Wanted {
  readonly count: number;
}

/**
 * Waits until the session has enough requests, counting those in the journal. Ends earlier when the
 * session is dropped. Always removes its listener.
 *
 * @param milliseconds the longest wait
 * @param clock of the machine: that of a session may be frozen
 * @param signal ends the wait, for example when the client disconnects
 * @returns the state when the wait ended
 * @throws {Problem} TOO_MANY_LISTENERS
 */
export async function waitUntil(
  journal: Journal,
  awaited: Awaited,
  milliseconds: number,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<Pick<Verification, 'isMet' | 'count'>> {
  let count = journal.count(awaited.pattern, awaited.status);
  const isMet = (): boolean => count >= awaited.count;
  if (isMet()) return { isMet: true, count };
  const end = new AbortController();
  const stop = (): void => end.abort();
  const off = journal.on({
    recorded(exchange) {
      if (!journal.isMatch(exchange, awaited.pattern, awaited.status)) return;
      count++;
      if (isMet()) stop();
    },
    cleared() {
      count = 0;
    },
    closed: stop,
  });
  try {
    signal?.addEventListener('abort', stop);
    if (signal?.aborted !== true) await clock.sleep(milliseconds, end.signal);
  } finally {
    off();
    signal?.removeEventListener('abort', stop);
  }
  return { isMet: isMet(), count };
}
