import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Awaitable } from '../base/awaitable.ts';
import { isFramed, toFieldLines } from '../http/message.ts';
import { leaveAtEnd } from './client-watch.ts';
import { planTransmission } from './plan-transmission.ts';
import {
  type Ending,
  type Framing,
  finishStream,
  type Head,
  isLargeText,
  type SendingContext,
  sendByPace,
  type WireResponse,
} from './transmission.ts';
import type { WholeWriter } from './write-whole.ts';

/**
 * Sends a plain response on the connection of its request; a small one without waiting.
 *
 * @param writer undefined on a server that is not ours
 * @returns a promise if sending takes time
 */
export function sendPlain(
  response: WireResponse,
  outgoing: ServerResponse,
  writer: WholeWriter | undefined,
): Awaitable<void> {
  const { body } = response;
  if (isLargeText(body)) return sendLargeText(response, body, outgoing);
  if (!writer?.write(response, outgoing)) sendWhole(response, outgoing);
  return undefined;
}

function sendWhole({ isHead, status, fields, body }: WireResponse, outgoing: ServerResponse): void {
  if (isHead) {
    outgoing.writeHead(status, toFieldLines(fields)).end();
    return;
  }
  // Without a length Node would send chunks.
  const framed: OutgoingHttpHeaders = toFieldLines(fields);
  if (isFramed(status)) framed['content-length'] ??= body === null ? 0 : Buffer.byteLength(body);
  outgoing.writeHead(status, framed);
  if (body === null) outgoing.end();
  // Node would encode the head as it does a text behind it, in UTF-8.
  else outgoing.end(Buffer.from(body));
}

/** Sends a broken or slow response on the connection of its request, until the client leaves. */
export function sendPlanned(
  response: WireResponse,
  { clock, random, closing }: SendingContext,
  outgoing: ServerResponse,
): Promise<void> {
  return sendOn(outgoing, async (signal) => {
    const { head, bytes, ending } = planTransmission(response, random);
    if (response.pace !== undefined || ending.kind === 'open') leaveAtEnd(outgoing);
    if (head === undefined) await write(outgoing.req.socket, bytes);
    else {
      writeHead(outgoing, head);
      const pieces = sendByPace(bytes, response.pace, { clock, signal });
      for await (const piece of pieces) await write(outgoing, piece);
    }
    finishStream(response, signal.aborted ? 'left' : ending.kind);
    if (!signal.aborted) await end(outgoing, ending, { signal, closing });
  });
}

/** The signals that end a wait: that of the client's departure, and that of the server's end. */
type Signals = Readonly<Record<'signal' | 'closing', AbortSignal>>;

async function end(outgoing: ServerResponse, ending: Ending, signals: Signals): Promise<void> {
  const { socket } = outgoing.req;
  const { signal, closing } = signals;
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
 * Gives the client a moment to read what was sent: some clients lose what a reset
 * overtakes, and to others the reset then looks like a proper end.
 */
async function settle(signal: AbortSignal): Promise<void> {
  await until(signal, (done) => {
    // A client in this very process reads once more before the second turn.
    setTimeout(() => setImmediate(done), SETTLING_MILLISECONDS);
  });
}

const PIECE_CHARACTERS = 64 * 1024;

/**
 * Sends a large text as fast as the client reads it. Only one piece at a time becomes bytes, so
 * that clients which do not read hold no copies of the text, which they may share.
 */
function sendLargeText(
  { isHead, status, fields }: WireResponse,
  text: string,
  outgoing: ServerResponse,
): Promise<void> {
  return sendOn(outgoing, async (signal) => {
    const framing = { kind: 'length', bytes: Buffer.byteLength(text) } as const;
    writeHead(outgoing, { status, fields, framing });
    if (!isHead) {
      for (const piece of cutText(text)) {
        if (signal.aborted) return;
        await write(outgoing, piece);
      }
    }
    outgoing.end();
  });
}

/** Cuts a text into pieces, none of which ends within a character. */
export function* cutText(text: string, most: number = PIECE_CHARACTERS): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    let to = from + most;
    // The two halves of a character beyond the first plane stay together.
    if (to < text.length && (text.codePointAt(to - 1) ?? 0) > 0xffff) to--;
    yield text.slice(from, to);
    from = to;
  }
}

/**
 * Sends a response when those to earlier requests on its connection are out.
 *
 * @param send its signal aborts when the client disconnects
 */
async function sendOn(outgoing: ServerResponse, send: (signal: AbortSignal) => Promise<void>) {
  const { socket } = outgoing.req;
  const departure = new AbortController();
  const depart = (): void => departure.abort();
  socket.once('close', depart);
  try {
    if (socket.destroyed) depart();
    await awaitTurn(outgoing, departure.signal);
    if (!departure.signal.aborted) await send(departure.signal);
  } finally {
    socket.off('close', depart);
  }
}

async function awaitTurn(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  if (outgoing.socket !== null) return;
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
      // Node does this itself, and knows for which clients it must not.
      return {};
  }
}

const FRAMING_FIELDS = new Set(['content-length', 'transfer-encoding', 'connection']);

function withoutFraming(fields: Head['fields']): OutgoingHttpHeaders {
  const lines = Object.entries(toFieldLines(fields));
  return Object.fromEntries(lines.filter(([name]) => !FRAMING_FIELDS.has(name)));
}

/**
 * Waits until the operating system has the bytes, or will never have them. So a client that
 * reads slowly delays later parts, and they do not pile up here.
 */
function write(stream: Socket | ServerResponse, part: Uint8Array | string): Promise<void> {
  if (part.length === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write(part, () => resolve()));
}

/** Waits for something that calls `done`, or for the signal. */
function until(signal: AbortSignal, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    begin(resolve);
  });
}
