import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { Problem } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import { createClient, createClusterClient, type SilenceWatch, watchSilence } from './client.ts';
import { explainError } from './diagnosis.ts';
import { globalKey } from './keys.ts';
import { createOutbox, type Outbox, type RedisArgument, toTexts } from './outbox.ts';
import { readRedisUrl } from './redis-url.ts';

const CLOSED = 'the connection was closed';
/** The end of the key that a check writes, and how long Redis keeps it; milliseconds. */
const CHECK_END = ':check';
const CHECK_KEPT = 60_000;
/** The memory that a check asks for, and the most that it asks for after a refused change. */
const LEAST_PROBE_BYTES = 16 * 1024;
const MOST_PROBE_BYTES = 1024 * 1024;

type MessageListener = (message: Uint8Array) => void;
/** The method of the client: `call` replies with texts, `callBuffer` with their bytes. */
type ReplyForm = 'call' | 'callBuffer';

/** A connection that reconnects by itself. While Redis is away, it refuses every command. */
export class RedisConnection {
  /** The address for messages: without secrets. */
  readonly place: string;
  /** The prefix of all keys, so that several mocks may share a Redis. */
  readonly namespace: string;
  readonly isCluster: boolean;
  readonly #redis: Redis | Cluster;
  /** Undefined for a cluster, which has a connection for each of its nodes. */
  readonly #single: Redis | undefined;
  readonly #silence: SilenceWatch | undefined;
  readonly #listeners = new Set<(isThere: boolean, reason: string) => void>();
  readonly #channels = new Map<string, Set<MessageListener>>();
  /** The last error of the connection itself. */
  #trouble = 'it has not answered yet';
  /** Undefined until the first attempt to connect has ended. */
  #isThere: boolean | undefined;
  readonly #outbox: Outbox | undefined;
  /** The scripts that this connection has run: Redis has them, so that none overtakes another. */
  readonly #known = new Set<Script>();
  /** The last change that Redis had no memory for: a check asks for as much, in the same slot. */
  #refused: { readonly key: string; readonly bytes: number } | undefined;
  /** Resolves when the first attempt to connect has ended, at the latest after the timeout. */
  readonly settled: Promise<void>;
  #settle: () => void = () => undefined;

  /**
   * @param setting the URL: the value of the setting `store`
   * @param timeout milliseconds after which a Redis that does not answer counts as away
   * @throws {StoreError} for a URL that cannot be read
   */
  constructor(setting: string, timeout: number) {
    const address = readRedisUrl(setting);
    this.place = address.place;
    this.namespace = address.namespace;
    this.isCluster = address.isCluster;
    this.#single = address.isCluster ? undefined : createClient(address, timeout);
    if (this.#single !== undefined) {
      this.#silence = watchSilence(this.#single, timeout);
      this.#outbox = createOutbox(this.#single, this.#silence);
    }
    this.#redis = this.#single ?? createClusterClient(address, timeout);
    this.settled = new Promise((resolve) => {
      const timer = setTimeout(resolve, timeout);
      this.#settle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    // Without a listener the client would throw or print errors.
    this.#redis.on('error', (error: Error) => this.#lose(describe(error)));
    this.#redis.on('close', () => this.#lose(CLOSED));
    // Connected, but not accepted: Redis may be loading its files.
    this.#redis.on('connect', () => {
      this.#trouble = 'it is there, and not ready: it may be reading its files';
    });
    this.#redis.on('ready', () => this.#find());
    this.#redis.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.#hear(channel.toString(), message),
    );
  }

  /** Sends a command and returns its reply: texts, numbers, null, or lists of these. */
  send(command: string, ...words: readonly RedisArgument[]): Promise<unknown> {
    return this.#explained(this.#call('call', command, words));
  }

  /** Runs a script, which no other command interrupts. */
  run(
    { digest, lua }: Script,
    keys: readonly string[],
    words: readonly RedisArgument[] = [],
    as: ReplyForm = 'call',
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...words];
    return this.#call(as, 'EVALSHA', [digest, ...rest])
      .catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return this.#call(as, 'EVAL', [lua, ...rest]);
      })
      .catch((error: unknown) => {
        throw this.#refuse(error, keys, words);
      });
  }

  /** Runs a task at the end of this turn of the event loop, before its commands are sent. */
  atTurnEnd(task: () => void): void {
    if (this.#outbox === undefined) setImmediate(task);
    else this.#outbox.atEnd(task);
  }

  /**
   * Resolves when all that is sent from then on comes after a script of this turn.
   *
   * @param reply that of the script
   */
  async inOrder(script: Script, reply: Promise<unknown>): Promise<void> {
    // A cluster has several connections, whose order is unknown.
    if (this.#outbox !== undefined && this.#known.has(script)) return await this.#outbox.sent;
    const learn = () => this.#known.add(script);
    await reply.then(learn, () => undefined);
  }

  /** Adds a listener to a channel, once; resolves when no message is missed. */
  async subscribe(channel: string, listener: MessageListener): Promise<void> {
    // Added before Redis is asked: another caller must not add it again meanwhile.
    remember(this.#channels, channel, () => new Set()).add(listener);
    try {
      if (this.#isThere === undefined) await this.settled;
      await this.#explained(this.#subscribe(channel));
    } catch (error) {
      this.unsubscribe(channel, listener);
      throw error;
    }
  }

  unsubscribe(channel: string, listener: MessageListener): void {
    const listeners = this.#channels.get(channel);
    if (listeners?.delete(listener) !== true || listeners.size > 0) return;
    this.#channels.delete(channel);
    this.#outbox?.flush();
    // Fails only while Redis is away, and then there is no subscription.
    this.#redis.unsubscribe(channel).catch(() => undefined);
  }

  /** Rejects with {@link Problem} STORE_UNAVAILABLE where Redis takes no changes. */
  async check(): Promise<void> {
    const key = globalKey(this.namespace, 'check');
    const probe = this.#refused ?? { key, bytes: LEAST_PROBE_BYTES };
    try {
      await this.run(PROBE, [probe.key], [CHECK_KEPT, Buffer.alloc(probe.bytes)]);
      if (this.#refused === probe) this.#refused = undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem('STORE_UNAVAILABLE', error.message, { cause: error });
    }
  }

  /** Adds a listener for the loss of the connection, with its reason, and for its return. */
  onChange(listener: (isThere: boolean, reason: string) => void): void {
    this.#listeners.add(listener);
  }

  /** Closes the connection after the replies that are on their way. */
  async close(): Promise<void> {
    this.#listeners.clear();
    this.#settle();
    this.#outbox?.flush();
    // Fails only where Redis is away already.
    if (this.#redis.status === 'ready') await this.#redis.quit().catch(() => undefined);
    this.#redis.disconnect();
    this.#silence?.stop();
  }

  /** Returns the explained error of a script, and remembers what Redis had no memory for. */
  #refuse(error: unknown, [key = '']: readonly string[], words: readonly RedisArgument[]): Error {
    const explained = this.#explain(error);
    if (explained instanceof Problem && explained.problem === 'STATE_FULL') {
      let bytes = 0;
      for (const word of words) bytes += typeof word === 'number' ? 1 : word.length;
      bytes = Math.min(4 * bytes + LEAST_PROBE_BYTES, MOST_PROBE_BYTES);
      this.#refused = { key: key.endsWith(CHECK_END) ? key : key + CHECK_END, bytes };
    }
    return explained;
  }

  #call(as: ReplyForm, command: string, words: readonly RedisArgument[]): Promise<unknown> {
    if (this.#isThere === undefined) return this.settled.then(() => this.#ask(as, command, words));
    return this.#ask(as, command, words);
  }

  #ask(as: ReplyForm, command: string, words: readonly RedisArgument[]): Promise<unknown> {
    const outbox = this.#outbox;
    if (outbox === undefined) return this.#redis[as](command, words.map(toArgument));
    return new Promise((resolve, reject) => {
      const succeed = as === 'call' ? (reply: unknown) => resolve(toTexts(reply)) : resolve;
      outbox.send(command, words, succeed, reject);
    });
  }

  async #subscribe(channel: string): Promise<void> {
    this.#outbox?.flush();
    this.#silence?.owe();
    try {
      await this.#redis.subscribe(channel);
    } finally {
      this.#silence?.pay();
    }
  }

  #explained(reply: Promise<unknown>): Promise<unknown> {
    return reply.catch((error: unknown) => {
      throw this.#explain(error);
    });
  }

  #explain(error: unknown): Error {
    return explainError(error, this.place, this.#trouble);
  }

  #hear(channel: string, message: Uint8Array): void {
    for (const listener of this.#channels.get(channel) ?? []) notify(() => listener(message));
  }

  #lose(trouble: string): void {
    // The reason why Redis cannot be reached says more than that the connection was closed.
    const isFirst = this.#isThere !== false;
    if (isFirst || trouble !== CLOSED) this.#trouble = trouble;
    this.#isThere = false;
    this.#known.clear();
    this.#settle();
    if (isFirst) this.#tell(false);
  }

  #find(): void {
    this.#trouble = '';
    if (this.#isThere === true) return;
    this.#isThere = true;
    this.#settle();
    this.#tell(true);
  }

  #tell(isThere: boolean): void {
    for (const listener of this.#listeners) notify(() => listener(isThere, this.#trouble));
  }
}

function toArgument(word: RedisArgument): string | number | Buffer {
  if (!(word instanceof Uint8Array) || Buffer.isBuffer(word)) return word;
  return Buffer.from(word.buffer, word.byteOffset, word.byteLength);
}

/** Returns the message of an error; one of several addresses has no message itself. */
function describe(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
}

/** Calls a listener and drops what it throws, so that the other listeners get the message. */
function notify(listener: () => void): void {
  try {
    listener();
  } catch {
    // Every error is the listener's own, and there is no caller that could handle it.
  }
}

export type Script = ReturnType<typeof defineScript>;

/**
 * Returns a Lua script, which Redis runs in one step, and its digest, by which Redis knows it.
 *
 * @param lua `KEYS` are keys of one session, `ARGV` all other arguments
 */
export function defineScript(lua: string) {
  return Object.freeze({ lua, digest: createHash('sha1').update(lua).digest('hex') });
}

/**
 * Writes a key that expires. A PING is not enough: a Redis that is full, a replica or without disk
 * answers it. ARGV: milliseconds; bytes that take as much memory as a change.
 */
const PROBE = defineScript(`return redis.call('SET', KEYS[1], '', 'PX', ARGV[1])`);
