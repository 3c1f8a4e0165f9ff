import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestFn } from 'ava';
import { findFreePort } from '../../scripts/free-port.ts';

/** Whoever the server belongs to: a test, or a script that ends it itself. */
export interface ServerOwner {
  teardown(end: () => Promise<void>): void;
}

export interface RedisServerOptions {
  /** True writes each change to the disk before it is answered; false forgets all at its end. */
  readonly persistent?: boolean;
  /** True listens on a port of this machine as well, for what cannot use a socket of Unix. */
  readonly tcp?: boolean;
  /** More of its settings, as its command line takes them: `['--maxmemory', '10mb']`. */
  readonly settings?: readonly string[];
}

/** A Redis of one's own, run as users run it. */
export interface RedisServer {
  /** As `--store` takes it. */
  readonly url: string;
  /** Where its files are. */
  readonly folder: string;
  /** The id of its process; undefined where it does not run. */
  readonly pid: number | undefined;
  /** Starts it again, with what it kept; waits until it answers. */
  start(): Promise<void>;
  /** Starts it again, and does not wait: it may be loading yet. */
  startSlowly(): void;
  /** Waits until it answers. */
  untilReady(): Promise<void>;
  /** Lets it end by itself. */
  stop(): Promise<void>;
  /** Kills the process, to simulate a power cut. */
  kill(): Promise<void>;
  /** Holds it still: connections stay, nothing is answered. */
  pause(): void;
  resume(): void;
  /** Sends one command; @returns its answer as redis-cli prints it */
  command(...words: readonly string[]): string;
}

/** No server is to outlive a run of tests that breaks off. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Starts a Redis that is ended with its owner. */
export async function startRedis(
  owner: ServerOwner,
  options: RedisServerOptions = {},
): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'coldframe-redis-'));
  const port = options.tcp === true ? await findFreePort() : 0;
  const server = new RedisProcess(folder, port, options);
  owner.teardown(async () => {
    await server.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  await server.start();
  return server;
}

/** Starts a Redis for all tests of a file, each of which takes a namespace of its own. */
export function shareRedis(test: TestFn, options: RedisServerOptions = {}): () => RedisServer {
  const ends: (() => Promise<void>)[] = [];
  let server: RedisServer | undefined;
  test.before('a Redis is started', async () => {
    server = await startRedis({ teardown: (end) => ends.push(end) }, options);
  });
  test.after.always('the Redis is ended', async () => {
    for (const end of ends) await end();
  });
  return () => {
    if (server === undefined) throw new Error('the Redis is started with the first test');
    return server;
  };
}

class RedisProcess implements RedisServer {
  readonly folder: string;
  readonly #port: number;
  readonly #options: RedisServerOptions;
  #child: ChildProcess | undefined;

  constructor(folder: string, port: number, options: RedisServerOptions) {
    this.folder = folder;
    this.#port = port;
    this.#options = options;
  }

  get url(): string {
    return this.#port === 0 ? `redis+unix://${this.#socket}` : `redis://127.0.0.1:${this.#port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get #socket(): string {
    return join(this.folder, 'redis.sock');
  }

  async start(): Promise<void> {
    this.startSlowly();
    await this.untilReady();
  }

  async untilReady(): Promise<void> {
    for (let tries = 0; tries < 1000; tries++) {
      if (this.#child?.exitCode !== null) throw new Error('redis-server does not start');
      if (this.#answers()) return;
      await sleep(10);
    }
    throw new Error('redis-server does not answer');
  }

  startSlowly(): void {
    if (this.#child !== undefined) throw new Error('redis-server runs already');
    const { persistent = false, settings = [] } = this.#options;
    const kept = persistent ? ['--appendonly', 'yes', '--appendfsync', 'always'] : [];
    const words = [
      ...['--port', String(this.#port), '--bind', '127.0.0.1', '--unixsocket', this.#socket],
      ...['--dir', this.folder, '--save', '', '--loglevel', 'warning', '--logfile', 'redis.log'],
      ...kept,
      ...settings,
    ];
    const child = spawn('redis-server', words, { stdio: 'ignore' });
    this.#child = child;
    alive.add(child);
    child.once('error', () => alive.delete(child));
    child.once('exit', () => alive.delete(child));
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  command(...words: readonly string[]): string {
    return runCli(['-s', this.#socket, ...words]).trimEnd();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // What is held still does not hear that it is to end.
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  /** One that is loading, or wants a password, answers as well, but not so. */
  #answers(): boolean {
    try {
      return /^PONG|NOAUTH/.test(this.command('PING'));
    } catch {
      return false;
    }
  }
}

/** Starts a Redis Cluster of three nodes; @returns them, each of which leads to the others */
export async function startCluster(owner: ServerOwner): Promise<readonly RedisServer[]> {
  const nodes = await Promise.all([1, 2, 3].map(() => startNode(owner)));
  const places = nodes.map(({ url }) => new URL(url).host);
  runCli(['--cluster', 'create', ...places, '--cluster-yes']);
  const isWhole = (node: RedisServer) => /^cluster_state:ok/.test(node.command('CLUSTER', 'INFO'));
  while (!nodes.every(isWhole)) await sleep(50);
  return nodes;
}

async function startNode(owner: ServerOwner): Promise<RedisServer> {
  const port = String(await findFreePort());
  const place = ['--cluster-port', port, '--cluster-announce-ip', '127.0.0.1'];
  return startRedis(owner, { tcp: true, settings: ['--cluster-enabled', 'yes', ...place] });
}

function runCli(words: readonly string[]): string {
  return execFileSync('redis-cli', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
