import { isJsonObject } from '../base/json/value.ts';
import { type ProblemName, problems } from '../base/problem.ts';
import { type ItemPace, type StreamEnd, StreamProgress } from '../delivery/transmission.ts';
import { readPackedFields, type WireBody } from '../http/message.ts';
import { type Exchange, type KeptExchange, KeptProblem } from '../journal/exchange.ts';
import { type Guard, type Guarded, is, parseAs } from './stored-data.ts';

/** The format of exchanges: replicas skip those that have another one. */
const VERSION = 1;
const LINE_END = 0x0a;
const MICROSECONDS = 1000;

const isBodyForm = (value: unknown) =>
  value === 'none' || value === 'bytes' || value === 'utf8' || value === 'utf16le';
const isProblemName: Guard<ProblemName> = (value): value is ProblemName =>
  is.text(value) && Object.hasOwn(problems, value);
const isFieldRecord: Guard<Exchange['responseFields']> = (
  value,
): value is Exchange['responseFields'] =>
  isJsonObject(value) && Object.values(value).every(is.text);
/** The form of a body, and its length in bytes. */
const isWrittenBody = is.tuple(isBodyForm, is.count);
type WrittenBody = Guarded<typeof isWrittenBody>;
/** The name of a problem, its message, and the number of its violations. */
const isRefusal = is.tuple(isProblemName, is.text, is.count);

const isStreamEnd: Guard<StreamEnd> = (value): value is StreamEnd =>
  value === 'complete' || value === 'broken' || value === 'left';
/** The end, the time and the kind of each item (`isComment`); when those sent were sent. */
const isWrittenStream = is.object({
  items: is.list(is.tuple(is.count, is.finite, is.flag)),
  times: is.list(is.finite),
  end: is.optional(isStreamEnd),
});

const isSentCallback = is.object({ name: is.text, cause: is.optional(is.count) });

/** An exchange without its bodies. Members that are undefined are left out. */
const isHead = is.object({
  number: is.count,
  session: is.text,
  at: is.finite,
  // Replicas that do not know it write exchanges without it.
  readyAt: is.optional(is.finite),
  leftAt: is.optional(is.finite),
  method: is.text,
  target: is.text,
  fields: is.text,
  sent: isWrittenBody,
  operationId: is.optional(is.text),
  status: is.count,
  mediaType: is.optional(is.text),
  headers: is.optional(isFieldRecord),
  answered: isWrittenBody,
  source: is.text,
  refusal: is.optional(isRefusal),
  deviations: is.optional(is.list(is.text)),
  rules: is.list(is.text),
  fault: is.optional(is.text),
  delayMilliseconds: is.finite,
  milliseconds: is.finite,
  replay: is.optional(is.text),
  callback: is.optional(isSentCallback),
  requestBodyLength: is.optional(is.count),
  responseBodyLength: is.optional(is.count),
  stream: is.optional(isWrittenStream),
});

/**
 * Writes an exchange as a line of JSON and its two bodies.
 *
 * @param maximumBodyLength longer bodies are cut: bytes, or UTF-16 units of a text
 */
export function writeExchange(exchange: Exchange, maximumBodyLength: number): Buffer {
  const { request, responseBody, responseFields, problem } = exchange;
  const body = request.rawBody === 'too-large' ? null : request.rawBody;
  const [sent, sentBytes] = writeBody(body, maximumBodyLength);
  const [answered, answeredBytes] = writeBody(responseBody, maximumBodyLength);
  // Member by member: a spread costs several times as much, for every request.
  const head: Guarded<typeof isHead> = {
    number: exchange.number,
    session: exchange.session,
    at: exchange.at,
    readyAt: exchange.readyAt,
    leftAt: exchange.leftAt,
    method: request.method,
    target: request.target,
    fields: request.fields.pack(),
    sent,
    operationId: exchange.operationId,
    status: exchange.status,
    mediaType: exchange.mediaType,
    headers: Object.keys(responseFields).length === 0 ? undefined : responseFields,
    answered,
    source: exchange.source,
    refusal: problem && [problem.problem, problem.message, countViolations(problem)],
    deviations: exchange.deviations.length === 0 ? undefined : exchange.deviations,
    rules: exchange.rules,
    fault: exchange.fault,
    delayMilliseconds: exchange.delayMilliseconds,
    milliseconds: Math.round(exchange.milliseconds * MICROSECONDS) / MICROSECONDS,
    replay: exchange.replay,
    callback: exchange.callback,
    requestBodyLength: lengthIfCut(body, maximumBodyLength),
    responseBodyLength: lengthIfCut(responseBody, maximumBodyLength),
    stream: exchange.stream && writeStream(exchange.stream),
  };
  // `JSON.stringify` is exact for these numbers. Scripts read the number of the exchange here.
  const line = `${VERSION} ${exchange.number} ${JSON.stringify(head)}\n`;
  return Buffer.concat([Buffer.from(line), sentBytes, answeredBytes]);
}

/** What happens to an exchange after it was recorded. */
export type LaterFacts = Pick<Exchange, 'leftAt' | 'stream'>;

/** Returns the members to add to the JSON object of an exchange. The last of one name counts. */
export function writeLaterFacts({ leftAt, stream }: LaterFacts): string {
  const members = JSON.stringify({ leftAt, stream: stream && writeStream(stream) });
  return `,${members.slice(1, -1)}`;
}

function writeStream({ items, progress }: ItemPace): Guarded<typeof isWrittenStream> {
  return {
    items: items.map(({ end, due, isComment = false }) => [end, due, isComment] as const),
    times: progress.times,
    end: progress.end,
  };
}

function readStream({ items, times, end }: Guarded<typeof isWrittenStream>): ItemPace {
  return {
    kind: 'items',
    items: items.map(([at, due, isComment]) => ({ end: at, due, isComment })),
    progress: new StreamProgress(times, end),
  };
}

/** Returns true for an exchange that a replica of another version has written. */
export function isOfAnotherVersion(bytes: Uint8Array): boolean {
  const [, version] = /^(\d+) /.exec(Buffer.from(bytes.subarray(0, 16)).toString('latin1')) ?? [];
  return version !== undefined && version !== String(VERSION);
}

/** Returns the exchange that {@link writeExchange} wrote; undefined for anything else. */
export function readExchange(bytes: Uint8Array): KeptExchange | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.indexOf(LINE_END);
  const [, version, json] = /^(\d+) \d+ (.*)$/s.exec(buffer.toString('utf8', 0, end)) ?? [];
  if (version !== String(VERSION) || json === undefined) return undefined;
  const head = parseAs(json, isHead);
  if (head === undefined) return undefined;
  // Members that are undefined were left out.
  const {
    method,
    target,
    fields,
    sent,
    answered,
    headers,
    refusal,
    deviations = [],
    stream,
    ...rest
  } = head;
  const middle = end + 1 + sent[1];
  if (middle + answered[1] !== buffer.length) return undefined;
  const sentBody = readBody(sent, buffer.subarray(end + 1, middle));
  const answeredBody = readBody(answered, buffer.subarray(middle));
  const rawBody: WireBody = sentBody instanceof Uint8Array ? sentBody : 'too-large';
  return {
    ...rest,
    readyAt: rest.readyAt ?? rest.at + rest.milliseconds,
    request: { method, target, fields: readPackedFields(fields), rawBody },
    responseFields: headers ?? {},
    responseBody: answeredBody,
    deviations,
    stream: stream && readStream(stream),
    problem: refusal && new KeptProblem(...refusal),
  };
}

type Body = Exchange['responseBody'];

function countViolations(problem: NonNullable<Exchange['problem']>): number {
  return problem instanceof KeptProblem ? problem.violationCount : problem.violations.length;
}

const NOTHING = Buffer.alloc(0);

function writeBody(body: Body, maximumLength: number): readonly [WrittenBody, Uint8Array] {
  if (body === null) return [['none', 0], NOTHING];
  if (typeof body !== 'string') {
    const kept = body.subarray(0, maximumLength);
    return [['bytes', kept.length], kept];
  }
  const text = body.slice(0, maximumLength);
  // UTF-8 cannot write a lone surrogate.
  const form = text.isWellFormed() ? 'utf8' : 'utf16le';
  const kept = Buffer.from(text, form);
  return [[form, kept.length], kept];
}

function readBody([form, length]: WrittenBody, bytes: Buffer): Body {
  if (form === 'none') return null;
  const body = bytes.subarray(0, length);
  return form === 'bytes' ? body : body.toString(form);
}

function lengthIfCut(body: Body, maximumLength: number): number | undefined {
  return body !== null && body.length > maximumLength ? body.length : undefined;
}
