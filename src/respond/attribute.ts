import type { Problem, Violation } from '../base/problem.ts';
import type { Attribution } from '../journal/exchange.ts';
import type { PendingExchange } from './pipeline.ts';

/** Returns whose fault a refusal is. */
export function attribute(exchange: PendingExchange, problem: Problem): Attribution {
  const { culprit, title } = problem;
  const contradiction = culprit === 'client' ? findContradiction(exchange, problem) : undefined;
  if (contradiction !== undefined) return contradiction;
  if (MISSING.has(problem.problem)) {
    const reason = 'the document has no such operation; it may be of another version';
    return { culprit, confidence: 'low', reason };
  }
  return { culprit, confidence: 'high', reason: title };
}

/** A document of another version than the client lacks operations. */
const MISSING: ReadonlySet<string> = new Set(['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED']);

/** Returns how the document contradicts itself about an invalid request; undefined if it does not. */
function findContradiction({ pipeline, routed }: PendingExchange, { violations }: Problem) {
  if (routed === undefined || violations.length === 0) return undefined;
  const culprit = 'document' as const;
  const { body } = routed.operation;
  for (const { examples } of body?.contents ?? []) {
    const broken = examples.find((example) => violations.every((one) => isIn(example, one)));
    if (broken === undefined) continue;
    const reason = `the example at ${broken.pointer} breaks its schema in the same way`;
    return { culprit, confidence: 'high', reason } as const;
  }
  if (pipeline.ready().of(routed.operation) !== undefined) return undefined;
  const reason = 'no request to this operation is found that conforms to the document';
  return { culprit, confidence: 'low', reason } as const;
}

function isIn(example: { readonly violations: readonly Violation[] }, violation: Violation) {
  const { pointer, keyword } = violation;
  return (
    violation.in === 'body' &&
    example.violations.some((one) => one.pointer === pointer && one.keyword === keyword)
  );
}
