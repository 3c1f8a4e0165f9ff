import type { JsonObject } from '../../base/json/value.ts';
import type { Operation } from '../../contract/contract.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { findNearMisses } from '../../journal/near-misses.ts';
import type { RequestView } from '../../request/view.ts';
import { distanceOf } from '../../rules/text-distance.ts';
import type { ControlCall } from '../call.ts';

const MOST_TOLD = 3;
/** Farther than this is no miss, but something else. */
const FARTHEST = 0.6;

/**
 * What a request nearly was, the nearest first: the rules that it nearly matched or, where it was
 * for no operation, the operations that it was nearly for.
 */
export function findNearby(
  { session, serving }: ControlCall,
  exchange: KeptExchange,
): readonly JsonObject[] {
  const view = session.journal.view(exchange);
  if (view.operation === undefined) return findNearOperations(view, serving.contract.operations);
  const rules = session.fixtures.list().flatMap(({ rule, isOn }) => (isOn ? [rule] : []));
  return findNearMisses(view, rules, serving.redaction, MOST_TOLD).map(
    ({ name, distance, reasons, message }) => ({
      fixture: name,
      distance,
      reasons: [...reasons],
      message,
    }),
  );
}

/** The operations whose method and path are much like those of the request. */
function findNearOperations(
  { request, path }: RequestView,
  operations: readonly Operation[],
): readonly JsonObject[] {
  return operations
    .map((operation) => ({ operation, distance: distanceTo(operation, request.method, path) }))
    .filter(({ distance }) => distance <= FARTHEST)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, MOST_TOLD)
    .map(({ operation, distance }) => {
      const reasons = explainOperation(operation, request.method, path);
      const message = `would have matched ${operation.id}, but ${reasons.join(' and ')}`;
      return { operationId: operation.id, distance, reasons, message };
    });
}

function explainOperation(operation: Operation, method: string, path: string): string[] {
  const reasons: string[] = [];
  if (operation.method !== method)
    reasons.push(`the method was ${method}, not ${operation.method}`);
  if (pathDistance(operation.path, path) > 0) {
    reasons.push(`the path was ${JSON.stringify(path.slice(0, 80))}, not ${operation.path}`);
  }
  return reasons;
}

const METHOD_WEIGHT = 0.3;

function distanceTo(operation: Operation, method: string, path: string): number {
  const wrongMethod = operation.method === method ? 0 : METHOD_WEIGHT;
  return wrongMethod + (1 - METHOD_WEIGHT) * pathDistance(operation.path, path);
}

const MOST_SEGMENTS = 50;

/** From 0, the template matches, to 1: a segment that is missing or more counts as a wrong one. */
function pathDistance(template: string, path: string): number {
  const expected = template.split('/').slice(1, MOST_SEGMENTS);
  const came = path.split('/').slice(1, MOST_SEGMENTS);
  const length = Math.max(expected.length, came.length);
  let distance = 0;
  for (let index = 0; index < length; index++) {
    distance += segmentDistance(expected[index], came[index]);
  }
  return distance / length;
}

function segmentDistance(expected: string | undefined, came: string | undefined): number {
  if (expected === undefined || came === undefined) return 1;
  if (expected.startsWith('{') && expected.endsWith('}')) return came === '' ? 1 : 0;
  return distanceOf(expected, came);
}
