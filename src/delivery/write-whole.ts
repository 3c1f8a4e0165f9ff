import { type ServerResponse, STATUS_CODES } from 'node:http';
import { type Clock, toHttpDate } from '../base/clock.ts';
import { isFramed } from '../http/message.ts';
import type { WireResponse } from './transmission.ts';

/** Fields that decide how a response is framed, or that Node writes differently from others. */
const LEFT_TO_NODE: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const SECOND = 1_000;

/** Writes whole responses on connections of a server of ours, where no middleware listens. */
export class WholeWriter {
  readonly #clock: Clock;
  readonly #keepAlive: string;
  #second = Number.NaN;
  #connectionLines = '';

  /** @param keepAliveSeconds how long the server keeps an idle connection */
  constructor(clock: Clock, keepAliveSeconds: number) {
    this.#clock = clock;
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
  }

  /**
   * Writes head and body to the socket as one text, the same that Node writes. Node checks each
   * field again, holds the socket back and writes an empty piece behind the body.
   *
   * @returns false for a response that only Node can send: one of many on its connection that waits
   *   for its turn, the last one, or one with bytes or fields of its own that concern the connection
   */
  write({ isHead, status, fields, body }: WireResponse, outgoing: ServerResponse): boolean {
    const { socket } = outgoing;
    if (socket === null || isHead || typeof body !== 'string' || !isFramed(status)) return false;
    if (!outgoing.shouldKeepAlive || outgoing.hasHeader('connection')) return false;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    for (const name in fields) {
      if (LEFT_TO_NODE.has(name)) return false;
      head += `${name}: ${fields[name]}\r\n`;
    }
    const length = Buffer.byteLength(body);
    head += `content-length: ${length}\r\n${this.#endOfHead()}`;
    if (length === body.length) socket.write(head + body, 'latin1');
    else if (isAscii(head)) socket.write(head + body, 'utf8');
    else socket.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]));
    // The two signs by which Node knows that a response is complete.
    outgoing.finished = true;
    outgoing.emit('finish');
    return true;
  }

  /** Returns the lines that end each head; they change once a second. */
  #endOfHead(): string {
    const now = this.#clock.now();
    const second = now - (now % SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#connectionLines = `Date: ${toHttpDate(second)}\r\n${this.#keepAlive}`;
    }
    return this.#connectionLines;
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
