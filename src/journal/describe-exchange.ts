import { toExactTimestamp } from '../base/clock.ts';
import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { problems, type ToldProblem, typeOf, type Violation } from '../base/problem.ts';
import type { KeptExchange } from './exchange.ts';
import type { Showing } from './redact/redaction.ts';
import { SecretTexts } from './redact/secrets.ts';
import {
  type BodyDescription,
  schemaOfResponse,
  showBody,
  showRequestBody,
  showStream,
} from './redact/show-body.ts';
import { showFields, showParameters, showTarget } from './redact/show-fields.ts';

/**
 * Describes all of an exchange, redacted: the request as it was sent and as values, its violations,
 * the response, and the rules that acted. Members without a value are left out.
 *
 * @param violations those that the journal has found again, for an exchange that it keeps
 */
export function describeExchange(
  exchange: KeptExchange,
  showing: Showing,
  violations: readonly Violation[] = exchange.problem?.violations ?? [],
): JsonObject {
  const body = showRequestBody(showing);
  const request = showRequest(exchange, body, showing);
  const parameters = showParameters(showing);
  const answer = showResponse(exchange, showing);
  const refusal = exchange.problem && showProblem(exchange.problem, violations);
  const secrets = new SecretTexts(showing.secrets);
  const removeFromValue = (value: JsonValue): JsonValue => secrets.removeFromValue(value);
  const { number, session, at, readyAt, leftAt, operationId, deviations, fault, replay, callback } =
    exchange;
  return withoutUndefined({
    number,
    session,
    at: toExactTimestamp(at),
    readyAt: toExactTimestamp(readyAt),
    leftAt: leftAt === undefined ? undefined : toExactTimestamp(leftAt),
    operationId,
    callback: callback?.name,
    cause: callback?.cause,
    request: removeFromValue(request),
    parameters: removeFromValue(parameters),
    body: body.value === undefined ? undefined : removeFromValue(body.value),
    violations: refusal && removeFromValue([...refusal.violations]),
    problem: refusal && removeFromValue(refusal.problem),
    deviations: deviations.length === 0 ? undefined : removeFromValue([...deviations]),
    source: exchange.source,
    answer: removeFromValue(answer),
    rules: [...exchange.rules],
    fault,
    delayMilliseconds: exchange.delayMilliseconds,
    milliseconds: exchange.milliseconds,
    replay,
  });
}

function showRequest(exchange: KeptExchange, body: BodyDescription, showing: Showing): JsonObject {
  const { request, requestBodyLength } = exchange;
  return withoutUndefined({
    method: request.method,
    target: showTarget(showing),
    headers: showFields(request.fields.entries(), showing),
    ...body.raw,
    // Undefined unless the body was cut or refused.
    bodyLength: requestBodyLength,
    bodyTooLarge: request.rawBody === 'too-large' ? true : undefined,
  });
}

function showResponse(exchange: KeptExchange, showing: Showing): JsonObject {
  const { status, mediaType, responseFields, responseBody, responseBodyLength } = exchange;
  const schema = schemaOfResponse(exchange, showing);
  const bytes = responseBody ?? '';
  const { raw } = showBody({ bytes, mediaType, isCoded: false, value: undefined, schema }, showing);
  return withoutUndefined({
    status,
    mediaType,
    headers: showFields(Object.entries(responseFields), showing),
    ...raw,
    bodyLength: responseBodyLength,
    stream: showStream(exchange, showing),
  });
}

function withoutUndefined(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) setMember(object, name, value);
  }
  return object;
}

/** Describes a refusal, which quotes no secrets. The problem itself may not keep its violations. */
function showProblem({ problem, message }: ToldProblem, all: readonly Violation[]) {
  const { title, status } = problems[problem];
  const violations = all.map(({ in: location, pointer, keyword, expected, got, message }) => {
    return { in: location, pointer, keyword, expected, got, message };
  });
  return { problem: { type: typeOf(problem), title, status, detail: message }, violations };
}
