import type { Mismatch, RequestPattern } from '../request/request-pattern.ts';
import type { RequestView } from '../request/view.ts';
import type { KeptExchange } from './exchange.ts';
import type { Journal } from './keep/journal.ts';
import { hidesPlace } from './redact/hidden-schema.ts';
import type { Redaction, Showing } from './redact/redaction.ts';
import { createSecretTexts, type SecretTexts } from './redact/secrets.ts';
import { schemaOfRequest, showRequestBody } from './redact/show-body.ts';
import { showFields, showParameters, showTarget } from './redact/show-fields.ts';

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

/** How far a request was from what was wanted, and why. */
export interface Distance {
  /** From 0, the same, to 1, nothing in common. */
  readonly distance: number;
  /** Ends of a sentence: `body.tag was "cactus"`. */
  readonly reasons: readonly string[];
}

/**
 * Puts mismatches into words, without what they quote of secrets.
 *
 * @param view of the request
 */
export function explainMismatches(
  mismatches: readonly Mismatch[],
  view: RequestView,
  redaction: Redaction,
): Distance {
  const sum = mismatches.reduce((total, { distance }) => total + distance, 0);
  const { removeFrom } = findSecrets(view, redaction);
  const reasons = mismatches.map(({ subject, message }) =>
    isSecretSubject(subject, view, redaction) ? `${subject} was another` : removeFrom(message),
  );
  return { distance: sum / (1 + sum), reasons };
}

/** @param subject a place of the request: `body.tag`, `headers.x-trace`, `credential` */
function isSecretSubject(subject: string, view: RequestView, redaction: Redaction): boolean {
  if (redaction.showsSecrets) return false;
  const [place = '', ...path] = subject.split('.');
  const name = path.join('.');
  if (place === 'credential' || redaction.hidesMember(name)) return true;
  switch (place) {
    case 'header':
    case 'headers':
      return redaction.hidesParameter('header', name, view.operation);
    case 'cookie':
    case 'cookies':
      return redaction.hidesParameter('cookie', name, view.operation);
    case 'query':
      return redaction.hidesParameter('query', name, view.operation);
    case 'path':
      return redaction.hidesParameter('path', name, view.operation);
    default:
      return hidesPlace(schemaOfRequest(view, redaction), path);
  }
}

/** @returns `a, b and c` */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

const LONGEST_TARGET = 120;

/** @returns a request as a sentence names it: `#4 POST /plants` */
export function nameRequest(
  { number, request }: KeptExchange,
  view: RequestView,
  redaction: Redaction,
): string {
  const showing = { redaction, operation: view.operation, secrets: [] };
  const target = showTarget(request.target, view, showing);
  const isLong = target.length > LONGEST_TARGET;
  return `#${number} ${request.method} ${isLong ? `${target.slice(0, LONGEST_TARGET)}…` : target}`;
}

/** What takes a request's secrets out of sentences about it. */
export function findSecrets(view: RequestView, redaction: Redaction): SecretTexts {
  const showing: Showing = { redaction, operation: view.operation, secrets: [] };
  if (!redaction.showsSecrets) {
    const { target, fields } = view.request;
    showTarget(target, view, showing);
    showFields(fields.entries(), showing);
    showParameters(view, showing);
    showRequestBody(view, showing);
  }
  return createSecretTexts(showing.secrets);
}
