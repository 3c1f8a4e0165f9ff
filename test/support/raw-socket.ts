import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';

/** One answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** How the server ends a connection. */
export type Ending = 'FIN' | 'RST';

/** A connection that sends bytes and gives the answers that come, in their order. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #ending: Ending | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
    socket.on('close', () => {
      this.#isClosed = true;
    });
    socket.on('end', () => {
      this.#ending ??= 'FIN';
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#ending ??= error.code === 'ECONNRESET' ? 'RST' : undefined;
    });
  }

  /** Received bytes that belong to no response. */
  get received(): Buffer {
    return this.#received;
  }

  /** Waits for the end of what comes; @returns `open` where there is none in that time */
  async ending(milliseconds = 10_000): Promise<Ending | 'open'> {
    for (let waited = 0; waited < milliseconds && this.#ending === undefined; waited += 5) {
      await sleep(5);
    }
    return this.#ending ?? 'open';
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Waits for the next answer. */
  async answer(milliseconds = 10_000): Promise<RawAnswer> {
    for (let waited = 0; waited < milliseconds; waited += 5) {
      const answer = this.#take();
      if (answer !== undefined) return answer;
      if (this.#isClosed) throw new Error(`closed after ${JSON.stringify(String(this.#received))}`);
      await sleep(5);
    }
    throw new Error(`no answer, only ${JSON.stringify(String(this.#received))}`);
  }

  /** Waits until the server closes the connection. */
  async closed(milliseconds = 10_000): Promise<boolean> {
    for (let waited = 0; waited < milliseconds && !this.#isClosed; waited += 5) await sleep(5);
    return this.#isClosed;
  }

  #take(): RawAnswer | undefined {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [statusLine = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n');
    const fields = new Map(lines.map(readField));
    const length = Number(fields.get('content-length') ?? 0);
    if (this.#received.length < end + 4 + length) return undefined;
    const body = this.#received.toString('utf8', end + 4, end + 4 + length);
    this.#received = this.#received.subarray(end + 4 + length);
    return { status: Number(statusLine.split(' ')[1]), fields, body };
  }
}

function readField(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** Connects; the connection is destroyed when the test ends. */
export async function openRaw(t: ExecutionContext, port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return new RawConnection(socket);
}

/** Sends one request on a connection of its own. */
export async function sendRaw(
  t: ExecutionContext,
  port: number,
  bytes: string | Uint8Array,
): Promise<RawAnswer> {
  const connection = await openRaw(t, port);
  connection.send(bytes);
  return connection.answer();
}

/** The head of a create, up to but without its end. */
export function headOfCreate(...fields: readonly string[]): string {
  return [
    'POST /plants HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer token',
    'Content-Type: application/json',
    ...fields,
  ].join('\r\n');
}

/** A whole create. */
export function rawCreate(body: string | Uint8Array, ...fields: readonly string[]): Buffer {
  const bytes = Buffer.from(body);
  const head = headOfCreate(`Content-Length: ${bytes.length}`, ...fields);
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes]);
}
