import type { OperationRequest } from '../contract/operation-request.ts';
import { Problem } from '../problem.ts';
import type { MockResponse, Outcome, ResponseSource } from './answer.ts';
import { findViolations, notConforming, toResponse } from './conform.ts';

/**
 * Asks the sources in their order for an answer that conforms. One that was asked for by the
 * client or a fixture must conform; any other that does not makes way for the next.
 *
 * @throws {Problem} NOT_CONFORMING or NOT_GENERATED
 */
export function respond(
  request: OperationRequest,
  sources: readonly ResponseSource[],
): MockResponse | Promise<MockResponse> {
  return ask(request, sources, 0, 0);
}

function ask(
  request: OperationRequest,
  sources: readonly ResponseSource[],
  from: number,
  delayMilliseconds: number,
): MockResponse | Promise<MockResponse> {
  let delay = delayMilliseconds;
  for (let index = from; index < sources.length; index++) {
    const outcome = sources[index]?.(request);
    if (outcome instanceof Promise) {
      // Most sources answer at once: only one that waits makes the rest wait.
      const waited = delay;
      return outcome.then(
        (late) => accept(late, waited) ?? ask(request, sources, index + 1, waited + delayOf(late)),
      );
    }
    const response = accept(outcome, delay);
    if (response !== undefined) return response;
    delay += delayOf(outcome);
  }
  throw new Problem(
    'NOT_GENERATED',
    `no answer could be found that ${request.operation.id} allows`,
  );
}

function accept(outcome: Outcome, delay: number): MockResponse | undefined {
  if (outcome === undefined) return undefined;
  const answer = 'payload' in outcome ? outcome : outcome.answer;
  if (answer === undefined) return undefined;
  const violations = findViolations(answer);
  if (violations.length === 0) return toResponse(answer, delay + delayOf(outcome));
  if (answer.isInsisted) throw notConforming(answer, violations);
  return undefined;
}

function delayOf(outcome: Outcome): number {
  return outcome !== undefined && 'delayMilliseconds' in outcome ? outcome.delayMilliseconds : 0;
}
