import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../clock.ts';
import type { Pace } from '../fixtures/pace.ts';
import { cutByPace } from './pieces.ts';
import { planTransmission } from './plan-transmission.ts';
import type { SpecialAnswer, Surroundings } from './special-answer.ts';
import { startStopwatch } from './stopwatch.ts';
import type { Ending, Framing, Head } from './transmission.ts';

/**
 * Sends an answer that is spoiled or takes its time over the connection that its request came by.
 * A client that goes away ends it at once.
 *
 * @returns what tells Hono's adapter that nothing is left to send; once the answer is out
 */
export async function sendOverSocket(
  answer: SpecialAnswer,
  { clock, random, closing }: Surroundings,
  outgoing: ServerResponse,
): Promise<Response> {
  const { socket } = outgoing.req;
  const departure = new AbortController();
  const depart = (): void => departure.abort();
  socket.once('close', depart);
  try {
    if (socket.destroyed) depart();
    await awaitTurn(outgoing, departure.signal);
    const { head, bytes, ending } = planTransmission(answer, random);
    if (departure.signal.aborted) return RESPONSE_ALREADY_SENT;
    if (head === undefined) await write(socket, bytes);
    else {
      writeHead(outgoing, head);
      await writeBody(outgoing, bytes, answer.pace, clock, departure.signal);
    }
    if (!departure.signal.aborted) await end(outgoing, socket, ending, departure.signal, closing);
  } finally {
    socket.off('close', depart);
  }
  return RESPONSE_ALREADY_SENT;
}

/** Of several requests on one connection each is answered when those before it are. */
async function awaitTurn(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  if (outgoing.socket !== null || signal.aborted) return;
  await until(signal, (done) => outgoing.once('socket', done));
}

function writeHead(outgoing: ServerResponse, { status, fields, framing }: Head): void {
  if (framing.kind === 'close') outgoing.useChunkedEncodingByDefault = false;
  outgoing.writeHead(status, { ...withoutFraming(fields), ...frame(framing) });
  outgoing.flushHeaders();
}

function frame(framing: Framing): OutgoingHttpHeaders {
  switch (framing.kind) {
    case 'length':
      return { 'content-length': framing.bytes };
    case 'close':
    case 'none':
      return { connection: 'close' };
    case 'chunks':
      // Node frames so by itself, and knows for which clients it must not.
      return {};
  }
}

const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding', 'connection']);

function withoutFraming(fields: Head['fields']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !FRAMING_FIELDS.has(name)));
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
    // A client that reads slowly holds up the pieces, so that they do not pile up here.
    await write(outgoing, bytes);
  }
}

/** Waits until the operating system has the bytes, or will never have them. */
function write(stream: Socket | ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write(bytes, () => resolve()));
}

async function end(
  outgoing: ServerResponse,
  socket: Socket,
  ending: Ending,
  signal: AbortSignal,
  closing: AbortSignal,
): Promise<void> {
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
  if (signal.aborted) return;
  await until(signal, (done) => {
    // A client in this very process reads once more before the second turn.
    setTimeout(() => setImmediate(done), SETTLING_MILLISECONDS);
  });
}

/** Waits for something that calls `done`, or for the signal. */
function until(signal: AbortSignal, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    begin(resolve);
  });
}
