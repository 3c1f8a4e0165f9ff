import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { Problem } from '../base/problem.ts';
import { createClient, createClusterClient, SilenceWatch } from './client.ts';
import { explainError } from './diagnosis.ts';
import { globalKey } from './keys.ts';
import { type RedisAddress, readRedisUrl } from './redis-url.ts';

export type RedisArgument = string | number | Uint8Array;

/** A Redis that comes and goes; whoever asks it while it is away is told at once. */
export interface RedisConnection {
  /** For people: without secrets. */
  readonly place: string;
  /** What all keys begin with, so that several mocks may share a Redis. */
  readonly namespace: string;
  readonly isCluster: boolean;
  /**
   * Sends one command.
   *
   * @returns its reply: texts, numbers, null for nothing, lists of these
   */
  send(command: string, ...words: readonly RedisArgument[]): Promise<unknown>;
  /** Runs a script, which is one step for all others. */
  run(script: Script, keys: readonly string[], words?: readonly RedisArgument[]): Promise<unknown>;
  /** As {@link run}; texts of the reply are the bytes that they were stored as. */
  runForBytes(
    script: Script,
    keys: readonly string[],
    words?: readonly RedisArgument[],
  ): Promise<unknown>;
  /** Tells whoever listens at this moment, on any connection. */
  publish(channel: string, message: string | Uint8Array): Promise<void>;
  /** @returns ends the listening; resolves once everything that is published from now on is heard */
  subscribe(channel: string, listener: (message: Uint8Array) => void): Promise<() => void>;
  /** Resolves once it was found, or found to be away: at the latest after the timeout. */
  settled(): Promise<void>;
  /** Rejects with {@link Problem} STORE_UNAVAILABLE where nothing can be changed. */
  check(): Promise<void>;
  /** Hears when it goes away, and why, and when it is there again. */
  onChange(listener: (isThere: boolean, reason: string) => void): () => void;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** Milliseconds after which a Redis that does not answer counts as away. */
  readonly timeout: number;
}

/**
 * Returns at once, and connects; a Redis that is not there is looked for until it is.
 *
 * @param setting the URL, as the setting `store` has it
 * @throws {StoreError} for a URL that cannot be read
 */
export function connectRedis(setting: string, options: ConnectionOptions): RedisConnection {
  return new LastingConnection(readRedisUrl(setting), options);
}

const CLOSED = 'the connection was closed';
/** How long the trace of a check stays; milliseconds. */
const CHECK_KEPT = 60_000;

/** With texts, or with their bytes. */
type ReplyForm = 'call' | 'callBuffer';

class LastingConnection implements RedisConnection {
  readonly place: string;
  readonly namespace: string;
  readonly isCluster: boolean;
  readonly #redis: Redis | Cluster;
  /** Undefined for a cluster, which has a connection for each of its nodes. */
  readonly #single: Redis | undefined;
  readonly #silence: SilenceWatch | undefined;
  readonly #listeners = new Set<(isThere: boolean, reason: string) => void>();
  readonly #channels = new Map<string, Set<(message: Uint8Array) => void>>();
  /** What was last heard of the connection itself. */
  #trouble = 'it has not answered yet';
  /** Undefined until it was there, or was found not to be. */
  #isThere: boolean | undefined;
  #isCorked = false;
  readonly #settled: Promise<void>;
  #settle: () => void = () => undefined;

  constructor(address: RedisAddress, options: ConnectionOptions) {
    this.place = address.place;
    this.namespace = address.namespace;
    this.isCluster = address.isCluster;
    this.#single = address.isCluster ? undefined : createClient(address, options.timeout);
    this.#silence = this.#single && new SilenceWatch(this.#single, options.timeout);
    this.#redis = this.#single ?? createClusterClient(address, options.timeout);
    this.#settled = new Promise((resolve) => {
      const timer = setTimeout(resolve, options.timeout);
      this.#settle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    // An error that nobody listens to would be thrown, or printed.
    this.#redis.on('error', (error: Error) => this.#lose(describe(error)));
    this.#redis.on('close', () => this.#lose(CLOSED));
    // Connected, and not let in: that is how it looks while it reads its files.
    this.#redis.on('connect', () => {
      this.#trouble = 'it is there, and not ready: it may be reading its files';
    });
    this.#redis.on('ready', () => this.#find());
    this.#redis.on('messageBuffer', (channel: Buffer, message: Buffer) =>
      this.#hear(channel.toString(), message),
    );
  }

  send(command: string, ...words: readonly RedisArgument[]): Promise<unknown> {
    return this.#explained(this.#call('call', command, words));
  }

  run(script: Script, keys: readonly string[], words: readonly RedisArgument[] = []) {
    return this.#run('call', script, keys, words);
  }

  runForBytes(script: Script, keys: readonly string[], words: readonly RedisArgument[] = []) {
    return this.#run('callBuffer', script, keys, words);
  }

  async publish(channel: string, message: string | Uint8Array): Promise<void> {
    await this.send('PUBLISH', channel, message);
  }

  async subscribe(channel: string, listener: (message: Uint8Array) => void): Promise<() => void> {
    const known = this.#channels.get(channel);
    const listeners = known ?? new Set();
    listeners.add(listener);
    this.#channels.set(channel, listeners);
    const end = (): void => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      // Where it is away there is nothing to end.
      this.#redis.unsubscribe(channel).catch(() => undefined);
    };
    try {
      if (this.#isThere === undefined) await this.#settled;
      await this.#explained(this.#watch(this.#redis.subscribe(channel)));
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  settled(): Promise<void> {
    return this.#settled;
  }

  async check(): Promise<void> {
    // Written, as one that is full, or a replica, or cannot write its files, answers a PING.
    try {
      await this.send('SET', globalKey(this.namespace, 'check'), '', 'PX', CHECK_KEPT);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem('STORE_UNAVAILABLE', error.message, { cause: error });
    }
  }

  onChange(listener: (isThere: boolean, reason: string) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Waits for the replies that are on their way. */
  async close(): Promise<void> {
    this.#listeners.clear();
    this.#settle();
    if (this.#redis.status === 'ready') {
      // What fails here was away already.
      await this.#redis.quit().catch(() => undefined);
    }
    this.#redis.disconnect();
    this.#silence?.stop();
  }

  async #run(
    as: ReplyForm,
    { digest, lua }: Script,
    keys: readonly string[],
    words: readonly RedisArgument[],
  ): Promise<unknown> {
    const rest = [keys.length, ...keys, ...words];
    try {
      return await this.#call(as, 'EVALSHA', [digest, ...rest]);
    } catch (error) {
      if (!isUnknownScript(error)) throw this.#explain(error);
      return await this.#explained(this.#call(as, 'EVAL', [lua, ...rest]));
    }
  }

  async #call(as: ReplyForm, command: string, words: readonly RedisArgument[]): Promise<unknown> {
    if (this.#isThere === undefined) await this.#settled;
    this.#cork();
    return await this.#watch(this.#redis[as](command, words.map(toArgument)));
  }

  #watch(answer: Promise<unknown>): Promise<unknown> {
    return this.#silence?.watch(answer) ?? answer;
  }

  /** All that is sent in one turn goes in one piece: a write of its own costs as much as the rest. */
  #cork(): void {
    if (this.#isCorked || this.#single?.status !== 'ready') return;
    const { stream } = this.#single;
    this.#isCorked = true;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  async #explained(reply: Promise<unknown>): Promise<unknown> {
    try {
      return await reply;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): Error {
    return explainError(error, this.place, this.#trouble);
  }

  #hear(channel: string, message: Uint8Array): void {
    for (const listener of this.#channels.get(channel) ?? []) notify(() => listener(message));
  }

  #lose(trouble: string): void {
    // Why it cannot be reached says more than that it was closed.
    const isFirst = this.#isThere !== false;
    if (isFirst || trouble !== CLOSED) this.#trouble = trouble;
    this.#isThere = false;
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

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** An error of several addresses has no text of its own. */
function describe(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map(String).join('; ');
  return error.message;
}

/** Calls a listener and drops whatever it throws: nobody else must miss the message by it. */
function notify(listener: () => void): void {
  try {
    listener();
  } catch {
    // Every error is the listener's own, and there is no caller that could handle it.
  }
}

/** Lua that Redis runs in one step: nothing comes between its commands. */
export interface Script {
  readonly lua: string;
  /** What Redis knows it by, once it has seen it. */
  readonly digest: string;
}

/** @param lua is given its keys as `KEYS`, of which all are of one session, the rest as `ARGV` */
export function defineScript(lua: string): Script {
  return Object.freeze({ lua, digest: createHash('sha1').update(lua).digest('hex') });
}
