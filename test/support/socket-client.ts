import { connect } from 'node:net';
import type { CaseRequest } from './case-request.ts';
import { measureSilence, type Patience, type Seen, type SeenFault } from './outcome.ts';

/** The bytes of a connection, and how it ended. */
interface Received {
  readonly bytes: Buffer;
  readonly ending: 'end' | 'reset' | 'silence';
}

/**
 * Sends a request over a connection of its own, as it is written: an HTTP library would not let
 * the odd ones through, and hides how a connection ends.
 */
export async function sendOverSocket(
  port: number,
  request: CaseRequest,
  patience: Patience,
): Promise<Seen> {
  const received = await exchangeBytes(port, toBytes(request), patience);
  const fault = findConnectionFault(received);
  if (fault !== undefined) return { kind: 'fault', fault, part: undefined };
  const isHead = request.kind === 'request' && request.method === 'HEAD';
  return readAnswer(received, isHead);
}

/** @returns all bytes until the connection ended, or nothing came any more */
function exchangeBytes(port: number, bytes: Buffer, patience: Patience): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = (ending: Received['ending']): void => {
      silence.stop();
      resolve({ bytes: Buffer.concat(chunks), ending });
      socket.destroy();
    };
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const silence = measureSilence(
      () => (chunks.length === 0 ? patience.head : patience.body),
      () => finish('silence'),
    );
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      silence.heard();
    });
    socket.on('end', () => finish('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') return finish('reset');
      silence.stop();
      reject(error);
    });
  });
}

/** @returns what broke the connection before there was a whole head */
function findConnectionFault({ bytes, ending }: Received): SeenFault | undefined {
  if (bytes.length > 0 && !bytes.toString('latin1').startsWith('HTTP/')) {
    return 'RANDOM_DATA_THEN_CLOSE';
  }
  if (bytes.includes('\r\n\r\n')) return undefined;
  if (ending === 'reset') return 'CONNECTION_RESET_BY_PEER';
  return ending === 'silence' ? 'HANG' : 'EMPTY_RESPONSE';
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

function readAnswer({ bytes, ending }: Received, isHead: boolean): Seen {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d)(?: |$)/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`the response has no status: ${statusLine}`);
  const rest = bytes.subarray(end + 4);
  // 100 (Continue) only goes before the answer (RFC 9110 §15.2).
  if (status < 200) return readAnswer({ bytes: rest, ending }, isHead);
  const fields = readFields(lines);
  if (isHead) return { kind: 'answer', status, fields, body: rest };
  const { body, fault } = readBody({ bytes: rest, ending }, fields);
  const answer = { kind: 'answer', status, fields, body } as const;
  return fault === undefined ? answer : { kind: 'fault', fault, part: answer };
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

interface Body {
  /** As far as it came. */
  readonly body: Buffer;
  /** Why the rest is missing. */
  readonly fault?: SeenFault;
}

/** @throws when the framing does not fit the bytes (RFC 9112 §6), and no fault is like that */
function readBody({ bytes, ending }: Received, fields: ReadonlyMap<string, string>): Body {
  if (fields.get('transfer-encoding') === 'chunked') return readChunks(bytes, ending);
  const length = fields.get('content-length');
  if (length === undefined) {
    return ending === 'silence' ? { body: bytes, fault: 'SLOW_CLOSE' } : { body: bytes };
  }
  if (Number(length) === bytes.length) return { body: bytes };
  if (Number(length) < bytes.length) {
    throw new Error(`Content-Length is ${length}, the body has ${bytes.length} bytes`);
  }
  return { body: bytes, fault: ending === 'reset' ? 'CLOSE_MID_BODY' : 'WRONG_CONTENT_LENGTH' };
}

function readChunks(bytes: Buffer, ending: Received['ending']): Body {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    if (rest.length === 0 && ending === 'reset') {
      return { body: Buffer.concat(chunks), fault: 'CLOSE_MID_BODY' };
    }
    const end = rest.indexOf('\r\n');
    const size = /^[0-9a-f]+$/i.exec(rest.toString('latin1', 0, Math.max(end, 0)));
    if (size === null) return { body: Buffer.concat(chunks), fault: 'MALFORMED_RESPONSE_CHUNK' };
    const length = Number.parseInt(size[0], 16);
    if (length === 0) return { body: Buffer.concat(chunks) };
    chunks.push(rest.subarray(end + 2, end + 2 + length));
    rest = rest.subarray(end + 2 + length + 2);
  }
}
