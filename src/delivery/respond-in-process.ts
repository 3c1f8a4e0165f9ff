import type { Clock } from '../base/clock.ts';
import { describeBreak } from './broken-connection.ts';
import type { Pace } from './pace.ts';
import { cutByPace } from './pieces.ts';
import { planTransmission } from './plan-transmission.ts';
import type { SpecialAnswer, Surroundings } from './special-answer.ts';
import { startStopwatch } from './stopwatch.ts';
import type { Head, Transmission } from './transmission.ts';

/**
 * Gives an answer that is spoiled or takes its time to a program that asks without a connection:
 * what the platform's fetch would have given for it.
 *
 * @param request its signal ends all waiting at once
 * @throws {TypeError} `fetch failed` where no head would have come
 * @throws the reason of the signal
 */
export async function respondInProcess(
  answer: SpecialAnswer,
  { clock, random, closing }: Surroundings,
  request: Request,
): Promise<Response> {
  const transmission = planTransmission(answer, random);
  const { head, bytes, ending } = transmission;
  if (head === undefined) {
    if (ending.kind === 'open') await untilAborted({ request, closing });
    request.signal.throwIfAborted();
    throw describeBreak(ending, 'before the head');
  }
  request.signal.throwIfAborted();
  const init = { status: head.status, headers: toHeaders(head) };
  const isWhole = answer.pace === undefined && endsWell(transmission);
  if (bytes.length === 0 && endsWell(transmission)) return new Response(null, init);
  if (isWhole) return new Response(bytes, init);
  const waiting = { clock, request, stop: new AbortController(), closing };
  return new Response(toStream(streamParts(transmission, answer.pace, waiting), waiting), init);
}

/** What the waiting between the parts of a body goes by, and what ends it. */
interface Waiting {
  readonly clock: Clock;
  /** Held for as long as anyone waits: its signal dies with it. */
  readonly request: Request;
  /** Aborted when nobody reads on, whatever the reason. */
  readonly stop: AbortController;
  readonly closing: AbortSignal;
}

/** True where the client cannot know that something is missing. */
function endsWell({ head, ending }: Transmission): boolean {
  if (ending.kind === 'complete' || head?.framing.kind === 'none') return true;
  return ending.kind === 'closed' && head?.framing.kind === 'close';
}

function toHeaders({ fields, framing }: Head): Headers {
  const headers = new Headers(fields);
  if (framing.kind === 'length') headers.set('content-length', String(framing.bytes));
  return headers;
}

async function* streamParts(
  transmission: Transmission,
  pace: Pace | undefined,
  { clock, request, stop, closing }: Waiting,
): AsyncGenerator<Uint8Array, void> {
  const elapsed = startStopwatch(clock);
  for (const { bytes, due } of cutByPace(transmission.bytes, pace)) {
    const early = due - elapsed();
    if (early > 0) await clock.sleep(early, stop.signal);
    if (request.signal.aborted) return;
    yield bytes;
  }
  const { ending } = transmission;
  if (ending.kind === 'open') await untilAborted({ request, stop, closing });
  else if (!endsWell(transmission)) throw describeBreak(ending, 'after the head');
}

/** A body that is asked for part by part, so that nobody waits for what nobody reads. */
function toStream(
  parts: AsyncGenerator<Uint8Array, void>,
  { request, stop }: Waiting,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(request.signal.reason);
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
      cancel: () => stop.abort(),
    },
    { highWaterMark: 0 },
  );
}

/** Whoever waits is held by `closing`, which lives as long as the mock, and holds the request. */
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
