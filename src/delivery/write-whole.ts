import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, toHttpDate } from '../base/clock.ts';
import { keepLast } from '../base/remember.ts';
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

/** A response that is ready to be written. */
interface WholeText {
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly socket: Socket;
  readonly outgoing: ServerResponse;
}

/** The lines that many responses begin with. */
interface Start {
  readonly mediaType: string | undefined;
  readonly text: string;
}

/** With fewer requests in one turn, responses do not wait for each other. */
const FEWEST_HELD = 4;

/** Responses of one turn of the event loop. */
interface Turn {
  /** Those that are written after all of them are made; undefined if each is written at once. */
  readonly responses: WholeText[] | undefined;
  /** Called after they are written. */
  readonly tasks: (() => void)[];
  /** The end of their heads. */
  readonly end: string;
}

/** Writes whole responses on connections of a server of ours, where no middleware listens. */
export class WholeWriter {
  readonly #clock: Clock;
  /** Returns the lines that end each head; they change once a second. */
  readonly #endOfHead: (second: number) => string;
  /** The last one of each status code. */
  readonly #starts = new Map<number, Start>();
  #turn: Turn | undefined;

  /** @param keepAliveSeconds how long the server keeps an idle connection */
  constructor(clock: Clock, keepAliveSeconds: number) {
    this.#clock = clock;
    const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
    this.#endOfHead = keepLast(
      (second: number) => `Date: ${toHttpDate(second * SECOND)}\r\n${keepAlive}`,
    );
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
    let head = this.#startOf(status, fields['content-type']);
    for (const name in fields) {
      if (name === 'content-type') continue;
      if (LEFT_TO_NODE.has(name)) return false;
      head += `${name}: ${fields[name]}\r\n`;
    }
    const length = Buffer.byteLength(body);
    head += `content-length: ${length}\r\n${this.#turn?.end ?? this.#endNow()}`;
    const { text, encoding } = join(head, body, length);
    const whole = { text, encoding, socket, outgoing };
    if (this.#turn?.responses === undefined) send(whole);
    else this.#turn.responses.push(whole);
    return true;
  }

  /**
   * Handles the requests of one turn, and writes their responses when all are made: the code of the
   * system and that of the mock then displace each other from the processor's caches once, and not
   * for each response. With few requests, that saves less than the first response would wait.
   *
   * @param count how many requests there are
   * @param work handles them
   */
  together(count: number, work: () => void): void {
    const responses = count < FEWEST_HELD ? undefined : [];
    const turn: Turn = { responses, tasks: [], end: this.#endNow() };
    this.#turn = turn;
    try {
      work();
    } finally {
      this.#turn = undefined;
      for (const whole of turn.responses ?? []) send(whole);
      for (const task of turn.tasks) task();
    }
  }

  /**
   * Calls a task after the responses that are written together.
   *
   * @returns false outside of {@link together}
   */
  afterTurn(task: () => void): boolean {
    this.#turn?.tasks.push(task);
    return this.#turn !== undefined;
  }

  /** Returns the status line, and the line of the media type if there is one. */
  #startOf(status: number, mediaType: string | undefined): string {
    const last = this.#starts.get(status);
    if (last !== undefined && last.mediaType === mediaType) return last.text;
    const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}`;
    const lines = mediaType === undefined ? [line] : [line, `content-type: ${mediaType}`];
    // `join` gives one string, `+` a tree of strings.
    const text = [...lines, ''].join('\r\n');
    this.#starts.set(status, { mediaType, text });
    return text;
  }

  #endNow(): string {
    return this.#endOfHead(Math.floor(this.#clock.now() / SECOND));
  }
}

/** Returns head and body as one text: fields are Latin-1, whatever the body has. */
function join(head: string, body: string, length: number): Pick<WholeText, 'text' | 'encoding'> {
  if (length === body.length) return { text: head + body, encoding: 'latin1' };
  if (isAscii(head)) return { text: head + body, encoding: 'utf8' };
  return { text: head + Buffer.from(body).toString('latin1'), encoding: 'latin1' };
}

function send({ socket, text, encoding, outgoing }: WholeText): void {
  socket.write(text, encoding);
  // The two signs by which Node knows that a response is complete.
  outgoing.finished = true;
  outgoing.emit('finish');
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
