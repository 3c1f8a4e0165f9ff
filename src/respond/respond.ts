import type { Call } from '../call.ts';
import type { OperationRequest } from '../contract/operation-request.ts';
import type { RequestView } from '../contract/request-view.ts';
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
  call: Call,
  view: RequestView,
): MockResponse | Promise<MockResponse> {
  return ask({ request, call, view }, sources, 0, NO_CHANGES);
}

/** What every source is asked. */
interface Question {
  readonly request: OperationRequest;
  readonly call: Call;
  readonly view: RequestView;
}

/** What the sources so far want to change once there is an answer. */
type Changes = readonly (() => void)[];

const NO_CHANGES: Changes = [];

function ask(
  question: Question,
  sources: readonly ResponseSource[],
  from: number,
  gathered: Changes,
): MockResponse | Promise<MockResponse> {
  const { request, call, view } = question;
  let before = gathered;
  for (let index = from; index < sources.length; index++) {
    const outcome = sources[index]?.(request, call, view);
    if (outcome === undefined) continue;
    if (outcome instanceof Promise) {
      // Most sources answer at once: only one that waits makes the rest wait.
      const waited = before;
      return outcome.then((late) => {
        const all = gather(waited, late);
        return accept(late, all) ?? ask(question, sources, index + 1, all);
      });
    }
    before = gather(before, outcome);
    const response = accept(outcome, before);
    if (response !== undefined) return response;
  }
  throw new Problem('NOT_GENERATED', `no source has an answer for ${request.operation.id}`);
}

function gather(gathered: Changes, outcome: Outcome): Changes {
  if (outcome === undefined || 'payload' in outcome || outcome.effect === undefined) {
    return gathered;
  }
  return [...gathered, outcome.effect];
}

/** @returns undefined when there is no answer, or none that conforms */
function accept(outcome: Outcome, effects: Changes): MockResponse | undefined {
  if (outcome === undefined) return undefined;
  const answer = 'payload' in outcome ? outcome : outcome.answer;
  if (answer === undefined) return undefined;
  const violations = findViolations(answer);
  if (violations.length > 0) {
    if (answer.isInsisted) throw notConforming(answer, violations);
    return undefined;
  }
  for (const effect of effects) effect();
  return toResponse(answer);
}
