import { toTimestamp } from '../base/clock.ts';
import { toPath } from '../base/json/pointer.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { ToldProblem, Violation } from '../base/problem.ts';
import type { RequestView } from '../request/view.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { type KeptExchange, KeptProblem } from './exchange.ts';
import { hidesPlace } from './redact/hidden-schema.ts';
import type { Redaction, Showing } from './redact/redaction.ts';
import { createSecretTexts, REDACTED } from './redact/secrets.ts';
import {
  type BodyDescription,
  schemaOfAnswer,
  schemaOfRequest,
  showBody,
  showRequestBody,
} from './redact/show-body.ts';
import { showFields, showParameters, showTarget } from './redact/show-fields.ts';

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

/**
 * Describes a refusal and each of its violations, without what they quote of secrets.
 *
 * @param violations of the problem, where they are not its own
 * @param view of the request that was refused
 */
export function showProblem(
  problem: ToldProblem,
  violations: readonly Violation[],
  view: RequestView,
  showing: Showing,
): { readonly problem: JsonObject; readonly violations: readonly JsonObject[] } {
  const body = schemaOfRequest(view, showing.redaction);
  const isLost = problem instanceof KeptProblem && problem.violationCount > violations.length;
  // What cannot be told apart any more may quote a secret.
  let detail = isLost && !showing.redaction.showsSecrets ? REDACTED : problem.message;
  const shownViolations = violations.map((violation) => {
    const shown = isOnSecret(violation, body, showing) ? withoutQuote(violation) : violation;
    if (shown !== violation) detail = detail.replaceAll(violation.message, () => shown.message);
    const { in: location, pointer, keyword, expected, got, message } = shown;
    return { in: location, pointer, keyword, expected, got, message };
  });
  const { type, title, status } = problem;
  return { problem: { type, title, status, detail }, violations: shownViolations };
}

function isOnSecret(
  { in: location, pointer }: Violation,
  body: SchemaNode | undefined,
  { redaction, operation }: Showing,
): boolean {
  if (redaction.showsSecrets) return false;
  const path = toPath(pointer);
  if (path.some((name) => redaction.hidesMember(name))) return true;
  const [name = ''] = path;
  if (location !== 'body') return redaction.hidesParameter(location, name, operation);
  return hidesPlace(body, path);
}

/** What a violation got where nothing came, or where the value does not matter. */
const NOTHING = new Set(['nothing', 'it']);

function withoutQuote(violation: Violation): Violation {
  const { got, message } = violation;
  if (NOTHING.has(got)) return violation;
  return { ...violation, got: REDACTED, message: message.replaceAll(got, () => REDACTED) };
}
