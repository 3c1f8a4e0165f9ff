import type { Mismatch } from '../request/request-pattern.ts';
import type { RequestView } from '../request/view.ts';
import { hidesPlace } from './redact/hidden-schema.ts';
import type { Redaction } from './redact/redaction.ts';
import { findSecrets } from './redact/secrets-of-request.ts';
import { schemaOfRequest } from './redact/shown-schemas.ts';

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
