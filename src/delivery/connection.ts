import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Framing, Head } from './transmission.ts';

/**
 * Sends an answer over the connection that its request came by, once it is its turn.
 *
 * @param send its signal aborts when the client goes away
 * @returns what tells Hono's adapter that nothing is left to send; once the answer is out
 */
export async function sendOn(
  outgoing: ServerResponse,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<Response> {
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
  return RESPONSE_ALREADY_SENT;
}

/** Of several requests on one connection each is answered when those before it are. */
async function awaitTurn(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  if (outgoing.socket !== null) return;
  await until(signal, (done) => outgoing.once('socket', done));
}

/** Sends the head at once, whenever the body comes. */
export function writeHead(outgoing: ServerResponse, { status, fields, framing }: Head): void {
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

/**
 * Waits until the operating system has the bytes, or will never have them. A client that reads
 * slowly so holds up what comes after, instead of it piling up here.
 */
export function write(stream: Socket | ServerResponse, part: Uint8Array | string): Promise<void> {
  if (part.length === 0) return Promise.resolve();
  return new Promise((resolve) => stream.write(part, () => resolve()));
}

/** Waits for something that calls `done`, or for the signal. */
export function until(signal: AbortSignal, begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    begin(resolve);
  });
}
