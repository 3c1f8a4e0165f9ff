import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { NO_FIELDS } from '../http/message.ts';
import type { ValidRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Call } from '../session/call.ts';
import type { Change } from '../state/store.ts';
import { findViolations, notConforming, toResponse } from './conform/conform.ts';
import {
  type Candidate,
  type Effect,
  type MockResponse,
  type Outcome,
  type ResponseSource,
  withFields,
} from './response.ts';
import type { ToStream } from './stream/to-stream.ts';

/**
 * Asks the sources in their order for a response that conforms. A response that the client or a
 * rule asked for must conform; another one that does not is skipped. The changes of the request are
 * committed before the response is sent. If another request changed the same meanwhile, asks again
 * from the first source with a change.
 *
 * @throws {Problem} NOT_CONFORMING, NOT_GENERATED, STATE_BUSY
 */
export function respond(question: SourceInput): Awaitable<MockResponse> {
  return ask(question, 0, NOTHING);
}

interface SourceInput {
  readonly request: ValidRequest;
  readonly sources: readonly ResponseSource[];
  readonly call: Call;
  readonly view: RequestView;
  readonly toStream: ToStream;
}

interface PendingEffects {
  readonly effects: readonly Effect[];
  /** The first source with an effect. */
  readonly first: number;
  /** How often another request was faster. */
  readonly conflicts: number;
}

const NOTHING: PendingEffects = { effects: [], first: 0, conflicts: 0 };
const MOST_CONFLICTS = 50;
/** Milliseconds. */
const LONGEST_WAIT = 200;

function ask(question: SourceInput, from: number, before: PendingEffects): Awaitable<MockResponse> {
  const { request, sources, call, view } = question;
  let gathered = before;
  for (let index = from; index < sources.length; index++) {
    const outcome = sources[index]?.(request, call, view);
    if (outcome === undefined) continue;
    // Most sources return at once, so only a promise makes the rest wait.
    if (outcome instanceof Promise) return askLater(question, outcome, index, gathered);
    gathered = gather(gathered, outcome, index);
    const response = accept(question, outcome, gathered);
    if (response !== undefined) return response;
  }
  throw new Problem('NOT_GENERATED', `no source has a response for ${request.operation.id}`);
}

async function askLater(
  question: SourceInput,
  outcome: Promise<Outcome>,
  index: number,
  before: PendingEffects,
): Promise<MockResponse> {
  const late = await outcome;
  const gathered = gather(before, late, index);
  return accept(question, late, gathered) ?? ask(question, index + 1, gathered);
}

function gather(gathered: PendingEffects, outcome: Outcome, index: number): PendingEffects {
  if (outcome === undefined || 'payload' in outcome || outcome.effect === undefined) {
    return gathered;
  }
  const { effects, first, conflicts } = gathered;
  return {
    effects: [...effects, outcome.effect],
    first: effects.length === 0 ? index : first,
    conflicts,
  };
}

/** Returns undefined if there is no response, or none that conforms. */
function accept(question: SourceInput, outcome: Outcome, gathered: PendingEffects) {
  const found = outcome && ('payload' in outcome ? outcome : outcome.candidate);
  if (found === undefined) return undefined;
  const candidate = question.toStream(question.request, found);
  const violations = findViolations(candidate);
  if (violations.length > 0) {
    if (candidate.isMandatory) throw notConforming(candidate, violations);
    return undefined;
  }
  const response = toResponse(candidate);
  if (gathered.effects.length === 0) return response;
  const applied = gathered.effects.map((effect) => ({ effect, changes: effect.changes(response) }));
  return commit(question, { candidate, response, applied }, gathered);
}

interface AcceptedResponse {
  readonly candidate: Candidate;
  readonly response: MockResponse;
  readonly applied: readonly { readonly effect: Effect; readonly changes: readonly Change[] }[];
}

function commit(question: SourceInput, accepted: AcceptedResponse, pending: PendingEffects) {
  const { first, conflicts } = pending;
  const [only] = accepted.applied;
  const isOne = accepted.applied.length === 1 && only !== undefined;
  const changes = isOne ? only.changes : accepted.applied.flatMap((one) => one.changes);
  return after(question.call.session.state.commit(changes), (versions) => {
    if (versions !== undefined) {
      question.call.changes = changes;
      return finish(accepted, versions);
    }
    if (conflicts >= MOST_CONFLICTS) throw busy(question);
    const again = { effects: [], first, conflicts: conflicts + 1 };
    return after(waitForOthers(question, conflicts), () => ask(question, first, again));
  });
}

/** Waits for a random time, so that competing requests do not all come back at once. */
function waitForOthers({ call }: SourceInput, conflicts: number): Awaitable<void> {
  if (conflicts < 2) return undefined;
  const most = Math.min(LONGEST_WAIT, 8 * conflicts);
  const milliseconds = most * call.chanceOf(`conflict ${conflicts}`).next();
  return call.session.clock.sleep(milliseconds);
}

/** Adds to the response what is known only after the changes were made. */
function finish(accepted: AcceptedResponse, versions: readonly number[]): Awaitable<MockResponse> {
  const { candidate, response, applied } = accepted;
  let current = response;
  let from = 0;
  let settle: ReturnType<typeof bindSettle> | undefined;
  for (const { effect, changes } of applied) {
    const own = applied.length === 1 ? versions : versions.slice(from, from + changes.length);
    from += changes.length;
    current = withFields(current, effect.fields?.(own, candidate) ?? NO_FIELDS);
    if (effect.settle !== undefined) settle ??= bindSettle(effect, own);
  }
  return current === response || settle === undefined ? current : settle(current);
}

function bindSettle(effect: Effect, versions: readonly number[]) {
  return (final: MockResponse): Awaitable<MockResponse> =>
    after(effect.settle?.(final, versions), () => final);
}

function busy({ request }: SourceInput): Problem {
  return new Problem(
    'STATE_BUSY',
    `other requests changed the resources of ${request.operation.id} ${MOST_CONFLICTS} times: try again`,
  );
}
