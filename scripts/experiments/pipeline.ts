import { connect, type Socket } from 'node:net';

/** The response of a server. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly milliseconds: number;
  /** @returns the field's value; empty where the answer has no such field */
  readonly field: (name: string) => string;
}

export interface Sending {
  readonly method?: string;
  readonly body?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

interface Waiting {
  readonly sent: number;
  readonly resolve: (reply: Reply | undefined) => void;
}

const CREDENTIALS = 'Authorization: Bearer token\r\n';

/**
 * A connection on which requests follow each other without waiting for answers (RFC 9112 section
 * 9.3.2), so that thousands are under way at once on few sockets.
 */
export class Pipeline {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #waiting: Waiting[] = [];
  #received: Buffer = Buffer.alloc(0);
  #isOver = false;

  /** @param url of the server */
  constructor(url: string) {
    const { host, hostname, port } = new URL(url);
    this.#host = host;
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      while (this.#readReply());
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.close());
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns the answer; nothing where the connection ended before there was one */
  send(
    path: string,
    { method = 'GET', body = '', fields = {} }: Sending = {},
  ): Promise<Reply | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    const more = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = Buffer.byteLength(body);
    const content =
      length > 0 ? `Content-Type: application/json\r\nContent-Length: ${length}\r\n` : '';
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${CREDENTIALS}${more.join('')}${content}\r\n${body}`,
    );
    return new Promise((resolve) => {
      this.#waiting.push({ sent: performance.now(), resolve });
    });
  }

  close(): void {
    this.#isOver = true;
    this.#socket.destroy();
    for (const { resolve } of this.#waiting.splice(0)) resolve(undefined);
  }

  /** @returns true when a whole answer was there */
  #readReply(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = this.#received.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const length = status === 204 || status === 304 ? 0 : Number(fieldOf(head, 'content-length'));
    if (!Number.isInteger(length)) throw new Error(`an answer without a length:\n${head}`);
    const start = end + 4;
    if (this.#received.length < start + length) return false;
    const body = this.#received.toString('utf8', start, start + length);
    this.#received = this.#received.subarray(start + length);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) throw new Error(`an answer that nobody asked for:\n${head}`);
    const milliseconds = performance.now() - waiting.sent;
    waiting.resolve({ status, body, milliseconds, field: (name) => fieldOf(head, name) });
    return true;
  }
}

function fieldOf(head: string, name: string): string {
  return new RegExp(`^${name}:[ \t]*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
}
