import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { sendOn, until, write, writeHead } from './connection.ts';
import type { Pace } from './pace.ts';
import { cutByPace } from './pieces.ts';
import { planTransmission } from './plan-transmission.ts';
import { isLargeText, sendLargeText } from './send-large-text.ts';
import type { SpecialAnswer, Surroundings } from './special-answer.ts';
import { startStopwatch } from './stopwatch.ts';
import type { Ending } from './transmission.ts';

/**
 * Sends an answer that is spoiled, takes its time or is large over the connection that its request
 * came by. A client that goes away ends it at once.
 *
 * @returns what tells Hono's adapter that nothing is left to send; once the answer is out
 */
export function sendOverSocket(
  answer: SpecialAnswer,
  { clock, random, closing }: Surroundings,
  outgoing: ServerResponse,
): Promise<Response> {
  const { body, fault, pace } = answer;
  if (fault === undefined && pace === undefined && isLargeText(body)) {
    return sendLargeText(answer, body, outgoing);
  }
  return sendOn(outgoing, async (signal) => {
    const { head, bytes, ending } = planTransmission(answer, random);
    if (head === undefined) await write(outgoing.req.socket, bytes);
    else {
      writeHead(outgoing, head);
      await writeBody(outgoing, bytes, pace, clock, signal);
    }
    if (!signal.aborted) await end(outgoing, ending, signal, closing);
  });
}

async function writeBody(
  outgoing: ServerResponse,
  body: Uint8Array,
  pace: Pace | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const elapsed = startStopwatch(clock);
  for (const { bytes, due } of cutByPace(body, pace)) {
    const early = due - elapsed();
    if (early > 0) await clock.sleep(early, signal);
    if (signal.aborted) return;
    await write(outgoing, bytes);
  }
}

async function end(
  outgoing: ServerResponse,
  ending: Ending,
  signal: AbortSignal,
  closing: AbortSignal,
): Promise<void> {
  const { socket } = outgoing.req;
  switch (ending.kind) {
    case 'complete':
      outgoing.end();
      return;
    case 'reset':
      await settle(signal);
      socket.resetAndDestroy();
      return;
    case 'noise':
      socket.write(ending.bytes);
      break;
    case 'open':
      await until(signal, (done) => {
        if (closing.aborted) done();
        else closing.addEventListener('abort', done, { once: true, signal });
      });
      break;
    case 'closed':
      break;
  }
  socket.destroySoon();
}

const SETTLING_MILLISECONDS = 50;

/**
 * Gives the client a moment to read what was sent: what a reset overtakes is lost to some, and to
 * others the reset then looks like an end in good order.
 */
async function settle(signal: AbortSignal): Promise<void> {
  await until(signal, (done) => {
    // A client in this very process reads once more before the second turn.
    setTimeout(() => setImmediate(done), SETTLING_MILLISECONDS);
  });
}
