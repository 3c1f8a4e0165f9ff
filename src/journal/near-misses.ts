import { shorten } from '../base/words.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import type { Mismatch, RequestPattern, RequestView } from '../request/view.ts';
import type { KeptExchange } from './exchange.ts';
import { isFor, type Journal } from './keep/journal.ts';
import { findSecrets } from './redact/redact-problem.ts';
import { beginShowing, isSecretAt, type Redaction, type Showing } from './redact/redaction.ts';
import { isSecretName } from './redact/secrets.ts';
import { schemaOfRequest } from './redact/show-body.ts';
import { showTarget } from './redact/show-fields.ts';

export interface NearMiss extends Distance {
  readonly name: string;
  /** `would have matched slow-create, but body.tag was "cactus"` */
  readonly message: string;
}

export interface NearRequest extends Distance {
  readonly exchange: KeptExchange;
  /** `#4 POST /plants would have matched, but body.tag was "cactus"` */
  readonly message: string;
}

export const MOST_NEAR_MISSES = 3;

/** Returns the rules that a request nearly matched, the nearest first. */
export function findNearMisses(
  view: RequestView,
  rules: readonly { readonly name: string; readonly pattern: RequestPattern }[],
  redaction: Redaction,
): readonly NearMiss[] {
  const candidates = rules.map(({ name, pattern }) => {
    return { name, mismatches: pattern.explain(view) };
  });
  return rankNearest(candidates).map(({ name, mismatches }) => {
    const { distance, reasons } = explainMismatches(mismatches, beginShowing(redaction, view));
    const message = `would have matched ${name}, but ${joinWords(reasons)}`;
    return { name, distance, reasons, message };
  });
}

/** Returns the requests that nearly matched a pattern, the nearest first, then the newest. */
export function findNearestRequests(journal: Journal, pattern: RequestPattern): NearRequest[] {
  const wanted = journal.list().filter((exchange) => isFor(pattern, exchange));
  const candidates = wanted.map((exchange) => {
    return { exchange, mismatches: pattern.explain(journal.view(exchange)) };
  });
  return rankNearest(candidates).map(({ exchange, mismatches }) => {
    const { distance, reasons } = explainMismatches(mismatches, journal.show(exchange));
    const message = `${nameRequest(journal, exchange)} would have matched, but ${joinWords(reasons)}`;
    return { exchange, distance, reasons, message };
  });
}

interface Candidate {
  readonly mismatches: readonly Mismatch[];
}

function rankNearest<One extends Candidate>(candidates: readonly One[]): One[] {
  const sumOf = ({ mismatches }: Candidate): number =>
    mismatches.reduce((sum, { distance }) => sum + distance, 0);
  return candidates
    .filter(({ mismatches }) => mismatches.length > 0)
    .map((candidate) => ({ candidate, sum: sumOf(candidate) }))
    .sort((left, right) => left.sum - right.sum)
    .slice(0, MOST_NEAR_MISSES)
    .map(({ candidate }) => candidate);
}

/** The distance of a request from a pattern, and its reasons. */
interface Distance {
  /** From 0, the same, to 1, nothing in common. */
  readonly distance: number;
  /** Ends of a sentence: `body.tag was "cactus"`. */
  readonly reasons: string[];
}

/** Describes mismatches of a request, without the secrets that they quote. */
function explainMismatches(mismatches: readonly Mismatch[], showing: Showing): Distance {
  const sum = mismatches.reduce((total, { distance }) => total + distance, 0);
  const secrets = findSecrets(showing);
  const reasons = mismatches.map(({ subject, message }) =>
    isSecretSubject(subject, showing) ? `${subject} was another` : secrets.removeFrom(message),
  );
  return { distance: sum / (1 + sum), reasons };
}

/** @param subject a part of the request: `body.tag`, `headers.x-trace`, `credential` */
function isSecretSubject(subject: string, { redaction, view }: Showing): boolean {
  if (redaction.showsSecrets) return false;
  const [place = '', ...path] = subject.split('.');
  const name = path.join('.');
  if (place === 'credential' || isSecretName(name)) return true;
  const location = LOCATIONS.get(place);
  return location === undefined
    ? isSecretAt(schemaOfRequest(view, redaction), path)
    : redaction.redactsParameter(location, name, view.operation);
}

const LOCATIONS: ReadonlyMap<string, ParameterLocation> = new Map([
  ['header', 'header'],
  ['headers', 'header'],
  ['cookie', 'cookie'],
  ['cookies', 'cookie'],
  ['query', 'query'],
  ['path', 'path'],
]);

/** Returns `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

const LONGEST_TARGET = 120;

/** Returns the name of a request in a sentence: `#4 POST /plants`. */
export function nameRequest(journal: Journal, exchange: KeptExchange): string {
  const { number, request } = exchange;
  const target = shorten(showTarget(journal.show(exchange)), LONGEST_TARGET);
  return `#${number} ${request.method} ${target}`;
}
