import { type Awaitable, after, attempt } from '../base/awaitable.ts';
import {
  Problem,
  type ProblemName,
  problems,
  type Refusal,
  ReturnedRefusal,
  toProblem,
  type Violation,
} from '../base/problem.ts';
import { affectStream, resumeStream } from '../delivery/stream-effect.ts';
import { type ItemPace, isLargeText } from '../delivery/transmission.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { isFieldValue, NO_FIELDS, type ResponseFields } from '../http/message.ts';
import type { Attribution, Exchange } from '../journal/exchange.ts';
import type { RoutedRequest } from '../request/request.ts';
import { findRoute } from '../request/route.ts';
import type { Call } from '../session/call.ts';
import { writeReplay } from '../session/replay.ts';
import type { PendingExchange } from './pipeline.ts';
import { asProblemJson } from './refuse.ts';
import { type MockResponse, withFields } from './response.ts';
import { toleranceFields } from './tolerate.ts';

/** The response to a request, or in its place the fault that breaks its connection. */
export interface Delivered {
  readonly call: Call;
  readonly response: MockResponse;
}

/** Returns the response to a request that a stage refused. Every error becomes a problem. */
export function refuse(exchange: PendingExchange, error: unknown): MockResponse {
  const problem = exchange.redact(explain(error));
  exchange.problem = problem;
  const told = exchange.pipeline.refuse(problem, findRefusingOperation(exchange, problem));
  const { attribution, fields } = attribute(exchange, problem);
  exchange.attribution = attribution;
  return withFields(told, fields);
}

/** Whose fault a refusal is, with the fields that say so. */
interface Attributed {
  readonly attribution: Attribution;
  readonly fields: ResponseFields;
}

function attribute(exchange: PendingExchange, problem: Refusal): Attributed {
  const contradiction =
    problem.culprit === 'client' ? findContradiction(exchange, problem) : undefined;
  if (contradiction !== undefined) return toAttributed(contradiction);
  return attributed.get(problem.problem) ?? toAttributed(attributionOf(problem.problem));
}

function toAttributed(attribution: Attribution): Attributed {
  const { culprit, confidence } = attribution;
  return { attribution, fields: { 'mock-attribution': `${culprit}; confidence=${confidence}` } };
}

/** Returns whose fault a refusal is where the document does not contradict itself. */
function attributionOf(name: ProblemName): Attribution {
  const { culprit, title } = problems[name];
  if (!MISSING.has(name)) return { culprit, confidence: 'high', reason: title };
  const reason = 'the document has no such operation; it may be of another version';
  return { culprit, confidence: 'low', reason };
}

/** A document of another version than the client lacks operations. */
const MISSING: ReadonlySet<string> = new Set(['PATH_NOT_FOUND', 'METHOD_NOT_ALLOWED']);

/** Created once, so that refusals in the journal share their fields. */
const attributed: ReadonlyMap<string, Attributed> = new Map(
  (Object.keys(problems) as ProblemName[]).map((name) => [name, toAttributed(attributionOf(name))]),
);

/** Returns how the document contradicts itself about an invalid request; undefined if it does not. */
function findContradiction({ pipeline, routed }: PendingExchange, { violations }: Refusal) {
  if (routed === undefined || violations.length === 0) return undefined;
  const culprit = 'document' as const;
  const { body } = routed.operation;
  for (const { examples } of body?.contents ?? []) {
    const broken = examples.find((example) => violations.every((one) => isIn(example, one)));
    if (broken === undefined) continue;
    const reason = `the example at ${broken.pointer} breaks its schema in the same way`;
    return { culprit, confidence: 'high', reason } as const;
  }
  if (pipeline.ready().of(routed.operation) !== undefined) return undefined;
  const reason = 'no request to this operation is found that conforms to the document';
  return { culprit, confidence: 'low', reason } as const;
}

function isIn(example: { readonly violations: readonly Violation[] }, violation: Violation) {
  const { pointer, keyword } = violation;
  return (
    violation.in === 'body' &&
    example.violations.some((one) => one.pointer === pointer && one.keyword === keyword)
  );
}

/** A fault of the document may show only when a schema is first used. */
function explain(error: unknown): Refusal {
  if (error instanceof ReturnedRefusal) return error;
  if (!(error instanceof DiagnosticError)) return toProblem(error);
  return new Problem('NOT_SERVED', error.message, { cause: error });
}

/** Returns the request whose operation declares how it is refused; a faulty one cannot. */
function findRefusingOperation(exchange: PendingExchange, { culprit }: Refusal) {
  // The session may have failed before routing. A malformed request names no operation.
  if (culprit === 'mock') exchange.routed ??= tryRoute(exchange);
  return exchange.routed?.operation.fault === undefined ? exchange.routed : undefined;
}

function tryRoute({ pipeline, request }: PendingExchange): RoutedRequest | undefined {
  try {
    return findRoute(pipeline.contract, request);
  } catch {
    // The request is refused for another reason already, whatever this error is.
    return undefined;
  }
}

/** Returns the response, or a refusal where a field would have characters that none can have. */
export function conform(exchange: PendingExchange, response: MockResponse): MockResponse {
  if (isSendable(response)) return response;
  const { problem } = exchange;
  const refusal = problem === undefined ? refuse(exchange, unsendable(response)) : response;
  if (isSendable(refusal)) return refusal;
  return { ...asProblemJson(exchange.problem ?? unsendable(refusal)), fields: NO_FIELDS };
}

/** Node checks fields when they are written, which is too late to answer otherwise. */
function isSendable({ mediaType, fields }: MockResponse): boolean {
  if (mediaType !== undefined && !isFieldValue(mediaType)) return false;
  for (const name in fields) if (!isFieldValue(fields[name] ?? '', name)) return false;
  return true;
}

function unsendable({ mediaType = '', fields, source }: MockResponse): Problem {
  const all = Object.entries({ ...fields, 'content-type': mediaType });
  const names = all.filter(([name, value]) => !isFieldValue(value, name)).map(([name]) => name);
  return new Problem(
    'NOT_CONFORMING',
    `the response of ${source} would have characters that no field can have (RFC 9110 §5.5) ` +
      `in ${names.join(', ')}`,
  );
}

/** Adds the effects of the rules that acted, whatever the source is, and waits for the delay. */
export function deliver(exchange: PendingExchange, given: MockResponse) {
  const { pipeline, call } = exchange;
  const response = given.pace?.kind === 'items' ? sendItems(exchange, given, given.pace) : given;
  const { effects } = call;
  if (effects.isIdle) return response;
  const { delayMilliseconds = 0, pace, spoiling, fields } = effects.recorded;
  const affected = {
    ...response,
    fields: { ...response.fields, ...fields },
    delayMilliseconds,
    ...(pace !== undefined && { pace }),
    fault: response.fault ?? spoiling,
  };
  if (delayMilliseconds === 0) return affected;
  return waitFor(delayMilliseconds, exchange).then(
    () => affected,
    (error: unknown) => pipeline.refuse(explain(error), undefined),
  );
}

/** Waits until the delay is over, the client leaves or the mock closes. */
async function waitFor(milliseconds: number, exchange: PendingExchange): Promise<void> {
  const { client, call, pipeline } = exchange;
  const { clock } = call.session;
  client?.delay();
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  const forget = client?.onLeave(() => {
    exchange.leftAt = clock.now();
    stop();
  });
  pipeline.closed.addEventListener('abort', stop);
  if (pipeline.closed.aborted) stop();
  await clock.sleep(milliseconds, waiting.signal);
  pipeline.closed.removeEventListener('abort', stop);
  forget?.();
}

/** Returns a stream from the item on that the client wants, with what a rule does to its items. */
function sendItems({ call, request }: PendingExchange, response: MockResponse, pace: ItemPace) {
  const { stream } = call.effects.recorded;
  const last = request.fields.get('last-event-id');
  if (stream === undefined && last === undefined) return response;
  const whole = { body: Buffer.from(response.body ?? ''), pace };
  const rest = last === undefined ? whole : resumeStream(whole, last);
  const sent = stream === undefined ? rest : affectStream(rest, stream, call.chanceOf('stream'));
  return { ...response, ...sent };
}

/**
 * Writes the exchange to the journal and the log, and sends callbacks. The response goes first where
 * its client needs none of this: other processes may read a shared journal once the client has its
 * response. A failure never spoils the response.
 */
export function record(exchange: PendingExchange, response: MockResponse): Awaitable<Delivered> {
  const { call, client, routed } = exchange;
  const described = describe(exchange, response);
  const { replay } = described;
  const explained = withFields(response, toleranceFields(exchange));
  const replayable = withFields(explained, replay ? { 'mock-replay': replay } : NO_FIELDS);
  const delivered = { call, response: addDeprecation(replayable, routed) };
  const write = (): Awaitable<void> => writeExchange(exchange, described, response);
  if (!call.session.isShared && client?.afterResponse(write) === true) return delivered;
  return after(write(), () => delivered);
}

function writeExchange(exchange: PendingExchange, described: Exchange, response: MockResponse) {
  const { pipeline, call } = exchange;
  const recorded = attempt(
    () => call.session.record(described),
    (error) => pipeline.log.error('not in the journal', error),
  );
  watchTransmission(exchange, response);
  return after(recorded, () => publish(exchange, described, response));
}

/** Adds to the journal when the client leaves during a response that takes time or never ends. */
function watchTransmission({ client, call, leftAt }: PendingExchange, response: MockResponse) {
  const { fault, pace } = response;
  const { session, number } = call;
  // A client may leave a stream when it likes; its items are recorded with it.
  if (pace?.kind === 'items') pace.progress.onEnd(() => session.finishStream(number, pace));
  if (client === undefined || leftAt !== undefined) return;
  const isSlow = pace === undefined ? isLargeText(response.body) : pace.kind !== 'items';
  if (fault !== 'HANG' && !(isSlow && client.seesEnd)) return;
  client.onLeave(() => session.leave(number));
}

/** Shared, so that an exchange in the journal keeps no list of its own. */
const NO_DEVIATIONS: readonly string[] = [];

function describe(exchange: PendingExchange, response: MockResponse): Exchange {
  const { call, request, at, started, routed, problem, attribution, deviations } = exchange;
  const { session } = call;
  const rules = call.effects.recorded.acted;
  const operationId = routed?.operation.id;
  return {
    number: call.number,
    session: session.id,
    at,
    readyAt: session.clock.now(),
    leftAt: exchange.leftAt,
    request,
    operationId,
    status: response.status,
    mediaType: response.mediaType,
    responseFields: response.fields,
    responseBody: response.body,
    stream: response.pace?.kind === 'items' ? response.pace : undefined,
    source: response.source,
    problem,
    attribution,
    deviations: deviations.length === 0 ? NO_DEVIATIONS : deviations,
    rules,
    fault: response.fault,
    delayMilliseconds: response.delayMilliseconds,
    milliseconds: session.clock.monotonic() - started,
    replay: rules.length === 0 ? undefined : writeReplay(call.describe(operationId)),
  };
}

function publish(exchange: PendingExchange, described: Exchange, response: MockResponse): void {
  const { pipeline, call, valid } = exchange;
  try {
    pipeline.listen(described);
    pipeline.cover(exchange, response);
    if (valid !== undefined) pipeline.callBack(valid, response, call);
  } catch (error) {
    pipeline.log.error('a listener failed', error);
  }
}

/** Every response of a deprecated operation says so; its own fields take precedence. */
function addDeprecation(response: MockResponse, routed: RoutedRequest | undefined): MockResponse {
  const operation = routed?.operation;
  const warning = operation?.fault === undefined ? operation?.deprecation : undefined;
  if (warning === undefined || warning === NO_FIELDS) return response;
  return { ...response, fields: { ...warning, ...response.fields } };
}
