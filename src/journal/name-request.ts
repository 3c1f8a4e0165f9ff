import type { RequestView } from '../request/view.ts';
import type { KeptExchange } from './exchange.ts';
import type { Redaction } from './redact/redaction.ts';
import { showTarget } from './redact/show-target.ts';

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
