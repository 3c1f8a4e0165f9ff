import { toTimestamp } from '../base/clock.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { RequestView } from '../request/view.ts';
import type { KeptExchange } from './exchange.ts';
import type { Redaction } from './redact/redaction.ts';
import { createSecretTexts } from './redact/secret-texts.ts';
import { type BodyDescription, showBody } from './redact/show-body.ts';
import { showFields } from './redact/show-fields.ts';
import { showParameters } from './redact/show-parameters.ts';
import { showProblem } from './redact/show-problem.ts';
import { showRequestBody } from './redact/show-request-body.ts';
import { showTarget } from './redact/show-target.ts';
import type { Showing } from './redact/showing.ts';
import { schemaOfAnswer } from './redact/shown-schemas.ts';

/**
 * Describes an exchange whole, without its secrets: the request as it was sent and as values, what
 * was wrong with it, the answer, and what had a hand in it. What there is nothing to say of is left
 * out.
 *
 * @param view of the exchange's request
 * @param violations as a journal finds them again for an exchange that it keeps
 */
export function describeExchange(
  exchange: KeptExchange,
  view: RequestView,
  redaction: Redaction,
  violations: readonly Violation[] = exchange.problem?.violations ?? [],
): JsonObject {
  const { operation } = view;
  const showing: Showing = { redaction, operation, secrets: [] };
  const body = showRequestBody(view, showing);
  const request = showRequest(exchange, view, body, showing);
  const parameters = showParameters(view, showing);
  const answer = showAnswer(exchange, view, showing);
  const refusal = exchange.problem && showProblem(exchange.problem, violations, view, showing);
  const { removeFromValue } = createSecretTexts(showing.secrets);
  const { number, session, at, operationId, fault, replay } = exchange;
  return withoutUndefined({
    number,
    session,
    at: toExactTimestamp(at),
    operationId,
    request: removeFromValue(request),
    parameters: removeFromValue(parameters),
    body: body.value === undefined ? undefined : removeFromValue(body.value),
    violations: refusal && removeFromValue([...refusal.violations]),
    problem: refusal && removeFromValue(refusal.problem),
    source: exchange.source,
    answer: removeFromValue(answer),
    rules: [...exchange.rules],
    fault,
    delayMilliseconds: exchange.delayMilliseconds,
    milliseconds: exchange.milliseconds,
    replay,
  });
}

function showRequest(
  exchange: KeptExchange,
  view: RequestView,
  body: BodyDescription,
  showing: Showing,
): JsonObject {
  const { request, requestBodyLength } = exchange;
  return withoutUndefined({
    method: request.method,
    target: showTarget(request.target, view, showing),
    headers: showFields(request.fields.entries(), showing),
    ...body.raw,
    // What was cut off, or was never taken.
    bodyLength: requestBodyLength,
    bodyTooLarge: request.rawBody === 'too-large' ? true : undefined,
  });
}

function showAnswer(exchange: KeptExchange, view: RequestView, showing: Showing): JsonObject {
  const { status, mediaType, responseFields, responseBody, responseBodyLength } = exchange;
  const schema = schemaOfAnswer(exchange, view, showing.redaction);
  const bytes = responseBody ?? '';
  const { raw } = showBody({ bytes, mediaType, isCoded: false, value: undefined, schema }, showing);
  return withoutUndefined({
    status,
    mediaType,
    headers: showFields(Object.entries(responseFields), showing),
    ...raw,
    bodyLength: responseBodyLength,
  });
}

/** As {@link toTimestamp}, to the millisecond. */
function toExactTimestamp(at: number): string {
  const fraction = String(Math.floor(at) % 1000).padStart(3, '0');
  return toTimestamp(at).replace('Z', `.${fraction}Z`);
}

function withoutUndefined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) setMember(object, name, value);
  }
  return object;
}
