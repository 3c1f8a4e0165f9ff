import type { Command, Redis } from 'ioredis';
import type { SilenceWatch } from './client.ts';

export type RedisArgument = string | number | Uint8Array;
/** Receives a reply: numbers, null, bytes, or lists of these. */
type Succeed = (reply: unknown) => void;
type Fail = (error: Error) => void;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Sends commands to a Redis. Those of one turn of the event loop go to the socket as one text: the
 * client writes each in parts, and the system puts them together at several times the cost.
 */
export function createOutbox(redis: Redis, silence: SilenceWatch) {
  let texts: string[] = [];
  let tasks: (() => void)[] = [];
  let turn: { readonly sent: Promise<void>; readonly end: () => void } | undefined;

  const begin = () => {
    if (turn !== undefined) return turn;
    const { stream } = redis;
    let resolve = (): void => undefined;
    const sent = new Promise<void>((done) => {
      resolve = done;
    });
    const end = (): void => {
      if (turn !== begun) return;
      for (const task of tasks) task();
      tasks = [];
      turn = undefined;
      if (texts.length > 0) stream.write(texts.join(''), 'latin1');
      texts = [];
      resolve();
    };
    const begun = { sent, end };
    turn = begun;
    setImmediate(end);
    return begun;
  };

  /** Takes what the client would write, as a pipeline of its own does. */
  const batch = {
    isPipeline: true as const,
    destination: { redis },
    write(text: string | Buffer): void {
      begin();
      texts.push(text.toString('latin1'));
    },
  };

  return {
    /** Runs a task at the end of this turn. It may send more. */
    atEnd(task: () => void): void {
      begin();
      tasks.push(task);
    },
    /** Resolves when the commands of this turn are sent. */
    get sent(): Promise<void> {
      return begin().sent;
    },
    /** Sends a command. It fails at once while Redis is away. */
    send(name: string, words: readonly RedisArgument[], succeed: Succeed, fail: Fail): void {
      silence.owe();
      const command = new BriefCommand(name, words, succeed, fail, silence);
      // The client uses no other member of a command.
      redis.sendCommand(command as unknown as Command, batch);
    },
    /** Ends the turn, before a command that the client writes itself. */
    flush: () => turn?.end(),
  };
}

/** A command of the client without what its own have for other uses. */
class BriefCommand {
  /** The client names both in an error. */
  readonly name: string;
  readonly args: readonly RedisArgument[];
  readonly inTransaction = false;
  /** True hides the command from subscribers of `node:diagnostics_channel`. */
  readonly isTraced = true;
  readonly #succeed: Succeed;
  readonly #fail: Fail;
  readonly #silence: SilenceWatch;

  constructor(
    name: string,
    args: readonly RedisArgument[],
    succeed: Succeed,
    fail: Fail,
    silence: SilenceWatch,
  ) {
    this.name = name;
    this.args = args;
    this.#succeed = succeed;
    this.#fail = fail;
    this.#silence = silence;
  }

  setReplyContext(): void {}

  /** Returns its bytes as Latin-1. */
  toWritable(): string {
    let text = `*${this.args.length + 1}\r\n${writeWord(this.name)}`;
    for (const word of this.args) text += writeWord(word);
    return text;
  }

  resolve(reply: unknown): void {
    this.#silence.pay();
    this.#succeed(reply);
  }

  reject(error: Error): void {
    this.#silence.pay();
    this.#fail(error);
  }
}

function writeWord(word: RedisArgument): string {
  const text = toLatin1(word);
  return `$${text.length}\r\n${text}\r\n`;
}

function toLatin1(word: RedisArgument): string {
  if (typeof word === 'number') return String(word);
  if (typeof word !== 'string') {
    return Buffer.from(word.buffer, word.byteOffset, word.byteLength).toString('latin1');
  }
  return Buffer.byteLength(word) === word.length ? word : Buffer.from(word).toString('latin1');
}

/** Returns a reply with texts in place of bytes. */
export function toTexts(reply: unknown): unknown {
  if (Buffer.isBuffer(reply)) return reply.toString();
  return Array.isArray(reply) ? reply.map(toTexts) : reply;
}
