import { toTimestamp } from '../base/clock.ts';
import { toPath } from '../base/json/pointer.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { ToldProblem, Violation } from '../base/problem.ts';
import type { RequestView } from '../request/view.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { type KeptExchange, KeptProblem } from './exchange.ts';
import { isSecretAt, type Redaction, type Showing } from './redact/redaction.ts';
import { createSecretTexts, REDACTED } from './redact/secrets.ts';
import {
  type BodyDescription,
  schemaOfRequest,
  schemaOfResponse,
  showBody,
  showRequestBody,
} from './redact/show-body.ts';
import { showFields, showParameters, showTarget } from './redact/show-fields.ts';

/**
 * Describes all of an exchange, redacted: the request as it was sent and as values, its violations,
 * the response, and the rules that acted. Members without a value are left out.
 *
 * @param view of the exchange's request
 * @param violations those that the journal has found again, for an exchange that it keeps
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
  const answer = showResponse(exchange, view, showing);
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
    // Undefined unless the body was cut or refused.
    bodyLength: requestBodyLength,
    bodyTooLarge: request.rawBody === 'too-large' ? true : undefined,
  });
}

function showResponse(exchange: KeptExchange, view: RequestView, showing: Showing): JsonObject {
  const { status, mediaType, responseFields, responseBody, responseBodyLength } = exchange;
  const schema = schemaOfResponse(exchange, view, showing.redaction);
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

/** Returns a timestamp with milliseconds. */
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
 * Describes a refusal and its violations, without the secrets that they quote.
 *
 * @param violations of the problem, which does not keep them
 * @param view of the request that was refused
 */
function showProblem(
  problem: ToldProblem,
  violations: readonly Violation[],
  view: RequestView,
  showing: Showing,
): { readonly problem: JsonObject; readonly violations: readonly JsonObject[] } {
  const body = schemaOfRequest(view, showing.redaction);
  const isLost = problem instanceof KeptProblem && problem.violationCount > violations.length;
  // Without its violations, it is not known what the message quotes.
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
  if (path.some((name) => redaction.redactsMember(name))) return true;
  const [name = ''] = path;
  if (location !== 'body') return redaction.redactsParameter(location, name, operation);
  return isSecretAt(body, path);
}

/** The texts of a violation for a value that is missing or does not matter. */
const NOTHING = new Set(['nothing', 'it']);

function withoutQuote(violation: Violation): Violation {
  const { got, message } = violation;
  if (NOTHING.has(got)) return violation;
  return { ...violation, got: REDACTED, message: message.replaceAll(got, () => REDACTED) };
}
