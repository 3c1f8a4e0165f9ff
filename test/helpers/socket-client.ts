import { connect } from 'node:net';
import type { CaseRequest } from './case-request.ts';
import type { Outcome, ReceivedAnswer } from './outcome.ts';

type Seen = Omit<ReceivedAnswer, 'delayMilliseconds'> | Exclude<Outcome, ReceivedAnswer>;

/** Longer than the slowest that a case waits for: a server that gives up on half a request. */
const PATIENCE_MILLISECONDS = 30_000;

/**
 * Sends a request over a connection of its own, as it is written: an HTTP library would not let
 * the odd ones through, and hides how a connection ends.
 */
export async function sendOverSocket(port: number, request: CaseRequest): Promise<Seen> {
  const received = await exchangeBytes(port, toBytes(request));
  if (received === 'reset') return { kind: 'fault', fault: 'CONNECTION_RESET_BY_PEER' };
  if (received.length === 0) return { kind: 'fault', fault: 'EMPTY_RESPONSE' };
  const isHead = request.kind === 'request' && request.method === 'HEAD';
  return readAnswer(received, isHead);
}

/** @returns all bytes until the other side ended, or that it reset the connection */
function exchangeBytes(port: number, bytes: Buffer): Promise<Buffer | 'reset'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(PATIENCE_MILLISECONDS, () => socket.destroy(new Error('no answer came')));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' && chunks.length === 0) resolve('reset');
      else reject(error);
    });
  });
}

function toBytes(request: CaseRequest): Buffer {
  if (request.kind === 'raw') return request.bytes;
  const { method, target, fields, body } = request;
  const given = new Set(fields.map(([name]) => name.toLowerCase()));
  const usual = [
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ...(body.length > 0 ? [['Content-Length', String(body.length)]] : []),
  ].filter(([name = '']) => !given.has(name.toLowerCase()));
  const lines = [...usual, ...fields].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`), body]);
}

function readAnswer(bytes: Buffer, isHead: boolean): Seen {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`the answer has no whole head: ${bytes.toString()}`);
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d)(?: |$)/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`the answer has no status: ${statusLine}`);
  const rest = bytes.subarray(end + 4);
  // 100 (Continue) only goes before the answer (RFC 9110 §15.2).
  if (status < 200) return readAnswer(rest, isHead);
  const fields = readFields(lines);
  return { kind: 'answer', status, fields, body: isHead ? rest : readBody(rest, fields) };
}

function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const end = line.indexOf(':');
    const name = line.slice(0, end).toLowerCase();
    const value = line.slice(end + 1).trim();
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}

/** @throws when the framing does not fit the bytes (RFC 9112 §6) */
function readBody(bytes: Buffer, fields: ReadonlyMap<string, string>): Buffer {
  if (fields.get('transfer-encoding') === 'chunked') return readChunks(bytes);
  const length = fields.get('content-length');
  if (length !== undefined && Number(length) !== bytes.length) {
    throw new Error(`Content-Length is ${length}, the body has ${bytes.length} bytes`);
  }
  return bytes;
}

function readChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.subarray(0, end).toString(), 16);
    if (end < 0 || Number.isNaN(size)) throw new Error('a chunk has no size');
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    rest = rest.subarray(end + 2 + size + 2);
  }
}
