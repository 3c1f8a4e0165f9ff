import type { Mismatch, RequestPattern } from '../request/request-pattern.ts';
import type { RequestView } from '../request/view.ts';
import type { KeptExchange } from './exchange.ts';
import { type Distance, explainMismatches, joinWords } from './explain-mismatch.ts';
import type { Journal } from './keep/journal.ts';
import { nameRequest } from './name-request.ts';
import type { Redaction } from './redact/redaction.ts';

/** A rule that would nearly have matched a request. */
export interface NearMiss extends Distance {
  /** Of the rule. */
  readonly name: string;
  /** `would have matched slow-create, but body.tag was "cactus"` */
  readonly message: string;
}

/** A request that would nearly have been the one that is looked for. */
export interface NearRequest extends Distance {
  readonly exchange: KeptExchange;
  /** `#4 POST /plants would have matched, but body.tag was "cactus"` */
  readonly message: string;
}

/** More than these nobody reads. */
const MOST_TOLD = 3;

/**
 * Ranks the rules that a request did not match by how little was missing.
 *
 * @param limit how many to tell, the nearest first
 */
export function findNearMisses(
  view: RequestView,
  rules: readonly { readonly name: string; readonly pattern: RequestPattern }[],
  redaction: Redaction,
  limit = MOST_TOLD,
): readonly NearMiss[] {
  const candidates = rules.map(({ name, pattern }) => ({
    name,
    mismatches: pattern.explain(view),
  }));
  return rankNearest(candidates, limit).map(({ name, mismatches }) => {
    const { distance, reasons } = explainMismatches(mismatches, view, redaction);
    const message = `would have matched ${name}, but ${joinWords(reasons)}`;
    return { name, distance, reasons, message };
  });
}

/**
 * Ranks the requests of a journal that did not match a pattern by how little was missing.
 *
 * @param limit how many to tell, the nearest first; of equal ones the newest
 */
export function findNearestRequests(
  journal: Journal,
  pattern: RequestPattern,
  redaction: Redaction,
  limit = MOST_TOLD,
): readonly NearRequest[] {
  const candidates = journal.list().map((exchange) => {
    const view = journal.view(exchange);
    return { exchange, view, mismatches: pattern.explain(view) };
  });
  return rankNearest(candidates, limit).map(({ exchange, view, mismatches }) => {
    const { distance, reasons } = explainMismatches(mismatches, view, redaction);
    const request = nameRequest(exchange, view, redaction);
    const message = `${request} would have matched, but ${joinWords(reasons)}`;
    return { exchange, distance, reasons, message };
  });
}

interface Candidate {
  readonly mismatches: readonly Mismatch[];
}

/** What matches is no miss. */
function rankNearest<One extends Candidate>(candidates: readonly One[], limit: number): One[] {
  const sumOf = ({ mismatches }: Candidate): number =>
    mismatches.reduce((sum, { distance }) => sum + distance, 0);
  return candidates
    .filter(({ mismatches }) => mismatches.length > 0)
    .map((candidate) => ({ candidate, sum: sumOf(candidate) }))
    .sort((left, right) => left.sum - right.sum)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
