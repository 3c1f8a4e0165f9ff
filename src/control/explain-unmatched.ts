import type { JsonObject } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { KeptExchange } from '../journal/exchange.ts';
import { findNearMisses } from '../journal/near-misses.ts';
import { beginShowing } from '../journal/redact/redaction.ts';
import { showPath } from '../journal/redact/show-fields.ts';
import type { RequestView } from '../request/view.ts';
import { distanceOf } from '../rules/text-distance.ts';
import type { ControlCall, ControlPipeline } from './call.ts';

const MOST_NEAR_MISSES = 3;
/** The greatest distance at which an operation counts as a near miss. */
const FARTHEST = 0.6;

/**
 * Returns the near misses of a request, the nearest first: rules or, when the request has no
 * operation, operations.
 */
export function explainUnmatched(
  { session, pipeline }: ControlCall,
  exchange: KeptExchange,
): readonly JsonObject[] {
  const view = session.journal.view(exchange);
  if (view.operation === undefined) return findNearOperations(view, pipeline);
  const rules = session.fixtures.list().flatMap(({ rule, isEnabled }) => (isEnabled ? [rule] : []));
  return findNearMisses(view, rules, pipeline.redaction, MOST_NEAR_MISSES).map(
    ({ name, distance, reasons, message }) => ({
      fixture: name,
      distance,
      reasons: [...reasons],
      message,
    }),
  );
}

/** Returns the operations whose method and path resemble those of the request. */
function findNearOperations(
  view: RequestView,
  { contract, redaction }: ControlPipeline,
): readonly JsonObject[] {
  const { request, path } = view;
  const shown = showPath(path, beginShowing(redaction, view));
  return contract.operations
    .map((operation) => ({ operation, distance: distanceTo(operation, request.method, path) }))
    .filter(({ distance }) => distance <= FARTHEST)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MOST_NEAR_MISSES)
    .map(({ operation, distance }) => {
      const reasons = explainOperation(operation, request.method, path, shown);
      const message = `would have matched ${operation.id}, but ${reasons.join(' and ')}`;
      return { operationId: operation.id, distance, reasons, message };
    });
}

function explainOperation(
  operation: Operation,
  method: string,
  path: string,
  shownPath: string,
): string[] {
  const reasons: string[] = [];
  if (operation.method !== method)
    reasons.push(`the method was ${method}, not ${operation.method}`);
  if (pathDistance(operation.path, path) > 0) {
    reasons.push(`the path was ${JSON.stringify(shownPath.slice(0, 80))}, not ${operation.path}`);
  }
  return reasons;
}

const METHOD_WEIGHT = 0.3;

function distanceTo(operation: Operation, method: string, path: string): number {
  const wrongMethod = operation.method === method ? 0 : METHOD_WEIGHT;
  return wrongMethod + (1 - METHOD_WEIGHT) * pathDistance(operation.path, path);
}

const MOST_SEGMENTS = 50;

/** Returns 0 when the template matches, up to 1; a missing or extra segment counts as wrong. */
function pathDistance(template: string, path: string): number {
  const expected = template.split('/').slice(1, MOST_SEGMENTS);
  const actual = path.split('/').slice(1, MOST_SEGMENTS);
  const length = Math.max(expected.length, actual.length);
  let distance = 0;
  for (let index = 0; index < length; index++) {
    distance += segmentDistance(expected[index], actual[index]);
  }
  return distance / length;
}

function segmentDistance(expected: string | undefined, actual: string | undefined): number {
  if (expected === undefined || actual === undefined) return 1;
  if (expected.startsWith('{') && expected.endsWith('}')) return actual === '' ? 1 : 0;
  return distanceOf(expected, actual);
}
