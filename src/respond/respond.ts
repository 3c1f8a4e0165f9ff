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
  return ask(request, sources, 0, NO_PRELUDE);
}

/** What the sources so far want to go before the answer. */
interface Gathered {
  readonly delayMilliseconds: number;
  readonly effects: readonly (() => void)[];
}

const NO_PRELUDE: Gathered = { delayMilliseconds: 0, effects: [] };

function ask(
  request: OperationRequest,
  sources: readonly ResponseSource[],
  from: number,
  gathered: Gathered,
): MockResponse | Promise<MockResponse> {
  let before = gathered;
  for (let index = from; index < sources.length; index++) {
    const outcome = sources[index]?.(request);
    if (outcome === undefined) continue;
    if (outcome instanceof Promise) {
      // Most sources answer at once: only one that waits makes the rest wait.
      const waited = before;
      return outcome.then((late) => {
        const all = gather(waited, late);
        return accept(late, all) ?? ask(request, sources, index + 1, all);
      });
    }
    before = gather(before, outcome);
    const response = accept(outcome, before);
    if (response !== undefined) return response;
  }
  throw new Problem('NOT_GENERATED', `no source has an answer for ${request.operation.id}`);
}

function gather(gathered: Gathered, outcome: Outcome): Gathered {
  if (outcome === undefined || 'payload' in outcome) return gathered;
  const { delayMilliseconds = 0, effect } = outcome;
  return {
    delayMilliseconds: gathered.delayMilliseconds + delayMilliseconds,
    effects: effect === undefined ? gathered.effects : [...gathered.effects, effect],
  };
}

/** @returns undefined when there is no answer, or none that conforms */
function accept(outcome: Outcome, { delayMilliseconds, effects }: Gathered) {
  if (outcome === undefined) return undefined;
  const answer = 'payload' in outcome ? outcome : outcome.answer;
  if (answer === undefined) return undefined;
  const violations = findViolations(answer);
  if (violations.length > 0) {
    if (answer.isInsisted) throw notConforming(answer, violations);
    return undefined;
  }
  for (const effect of effects) effect();
  return toResponse(answer, delayMilliseconds);
}
