import type { Clock } from '../base/clock.ts';
import { isFramed, type ResponseFields, toFieldLines } from '../http/message.ts';
import { planTransmission } from './plan-transmission.ts';
import {
  type Ending,
  finishStream,
  type Head,
  isPlain,
  type Pace,
  type SendingContext,
  sendByPace,
  type Transmission,
  type WireResponse,
} from './transmission.ts';

/**
 * Returns a response for a program that called without a connection: what the platform's `fetch`
 * would have returned.
 *
 * @param context read for a response that is broken or slow
 * @param request its signal ends all waiting at once
 * @throws {TypeError} `fetch failed` where no head would have arrived
 * @throws the reason of the signal
 */
export async function respondInProcess(
  response: WireResponse,
  context: () => SendingContext,
  request: Request,
): Promise<Response> {
  const { isHead, status, fields, body, pace } = response;
  request.signal.throwIfAborted();
  if (isPlain(response)) {
    const isEmpty = body === null && !isHead && isFramed(status);
    return new Response(isHead ? null : body, {
      status,
      headers: toHeaderLines(isEmpty ? { ...fields, 'content-length': '0' } : fields),
    });
  }
  const { clock, random, closing } = context();
  const transmission = planTransmission(response, random);
  const { head, bytes, ending } = transmission;
  if (head === undefined) {
    if (ending.kind === 'open') await untilAborted({ request, closing });
    request.signal.throwIfAborted();
    throw describeBreak(ending, 'before the head');
  }
  const init = { status: head.status, headers: toHeaders(head) };
  const isWhole = pace === undefined && endsWell(transmission);
  if (bytes.length === 0 && endsWell(transmission)) return new Response(null, init);
  if (isWhole) return new Response(bytes, init);
  const leave = () => finishStream(response, 'left');
  const waiting = { clock, request, stop: new AbortController(), closing, leave };
  const finish = () => finishStream(response, ending.kind);
  return new Response(toStream(streamParts(transmission, pace, waiting, finish), waiting), init);
}

/** The clock and the signal of the waits between the parts of a body. */
interface Waiting {
  readonly clock: Clock;
  /** Held for as long as anyone waits: its signal dies with it. */
  readonly request: Request;
  /** Aborts when the body is complete or no longer read. */
  readonly stop: AbortController;
  readonly closing: AbortSignal;
  /** Called when the client does not wait for the end. */
  readonly leave: () => void;
}

/** True where the client cannot know that something is missing. */
function endsWell({ head, ending }: Transmission): boolean {
  if (ending.kind === 'complete' || head?.framing.kind === 'none') return true;
  return ending.kind === 'closed' && head?.framing.kind === 'close';
}

function toHeaders({ fields, framing }: Head): Headers {
  const headers = new Headers(toHeaderLines(fields));
  if (framing.kind === 'length') headers.set('content-length', String(framing.bytes));
  return headers;
}

/** A list of values is for `Headers` a field that is repeated. */
function toHeaderLines(fields: ResponseFields): Headers | ResponseFields {
  const lines = toFieldLines(fields);
  if (lines === fields) return fields;
  const headers = new Headers();
  for (const [name, value] of Object.entries(lines)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}

async function* streamParts(
  transmission: Transmission,
  pace: Pace | undefined,
  { clock, request, stop, closing }: Waiting,
  finish: () => void,
): AsyncGenerator<Uint8Array, void> {
  const { bytes, ending } = transmission;
  yield* sendByPace(bytes, pace, { clock, signal: stop.signal });
  if (stop.signal.aborted) return;
  finish();
  if (ending.kind === 'open') await untilAborted({ request, stop, closing });
  else if (!endsWell(transmission)) throw describeBreak(ending, 'after the head');
}

/** Returns a stream that reads one part at a time, when its reader asks for it. */
function toStream(parts: AsyncGenerator<Uint8Array, void>, { request, stop, leave }: Waiting) {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(request.signal.reason);
          leave();
          stop.abort();
        };
        request.signal.addEventListener('abort', abort, { signal: stop.signal });
      },
      async pull(controller) {
        const part = await parts.next();
        if (stop.signal.aborted) return;
        if (!part.done) return controller.enqueue(part.value);
        controller.close();
        stop.abort();
      },
      cancel() {
        leave();
        stop.abort();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Removes its listeners at the end: `closing` lives as long as the mock. */
function untilAborted({
  request,
  stop,
  closing,
}: Pick<Waiting, 'request' | 'closing'> & Partial<Waiting>): Promise<void> {
  return new Promise((resolve) => {
    const signals = (): AbortSignal[] => [
      request.signal,
      closing,
      ...(stop === undefined ? [] : [stop.signal]),
    ];
    const end = (): void => {
      for (const signal of signals()) signal.removeEventListener('abort', end);
      resolve();
    };
    if (signals().some(({ aborted }) => aborted)) return resolve();
    for (const signal of signals()) signal.addEventListener('abort', end);
  });
}

/**
 * Creates the error that the platform's fetch, or its body, throws when a connection breaks: that
 * of undici, with the code of its cause.
 *
 * @param when before or after the head has come
 */
function describeBreak(ending: Ending, when: 'before the head' | 'after the head'): Error {
  const message = when === 'before the head' ? 'fetch failed' : 'terminated';
  return new TypeError(message, { cause: causeOf(ending, when) });
}

function causeOf(ending: Ending, when: 'before the head' | 'after the head'): Error {
  switch (ending.kind) {
    case 'reset':
      return named('Error', 'ECONNRESET', 'read ECONNRESET');
    case 'noise':
      return when === 'before the head'
        ? wrongHttp('HPE_INVALID_CONSTANT', 'Expected HTTP/')
        : wrongHttp('HPE_INVALID_CHUNK_SIZE', 'Invalid character in chunk size');
    default:
      return named('SocketError', 'UND_ERR_SOCKET', 'other side closed');
  }
}

function wrongHttp(code: string, reason: string): Error {
  const message = `Response does not match the HTTP/1.1 protocol (${reason})`;
  return named('HTTPParserError', code, message);
}

function named(name: string, code: string, message: string): Error {
  return Object.assign(new Error(message), { name, code });
}
