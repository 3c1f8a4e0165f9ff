import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

/** The built program, as a user runs it. */
export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface RunOptions {
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The result of a program that exited. */
export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A program that runs; it is ended with its test. */
export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';
  readonly #news = new EventEmitter();

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      this.#tell();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#tell();
    });
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.#tell();
      return { code, signal, stdout: this.#stdout, stderr: this.#stderr } as Ended;
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The log so far. */
  get lines(): readonly LogLine[] {
    return this.#stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** Waits until the output has what is looked for. */
  async until<Found>(find: () => Found | undefined | false, milliseconds = 30_000): Promise<Found> {
    const deadline = AbortSignal.timeout(milliseconds);
    const expired = once(deadline, 'abort');
    while (!deadline.aborted) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      if (this.child.exitCode !== null) break;
      await Promise.race([once(this.#news, 'news'), expired]);
    }
    throw new Error(`it was never said:\n${this.#stdout}\n${this.#stderr}`);
  }

  /** Waits for a line of the log that tells this event. */
  logged(event: string, count = 1): Promise<LogLine> {
    return this.until(() => this.lines.filter((line) => line['event'] === event)[count - 1]);
  }

  /** Waits until it listens; @returns where */
  async url(): Promise<string> {
    return String((await this.logged('listening'))['url']);
  }

  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  #tell(): void {
    this.#news.emit('news');
  }
}

/** What the programs of tests keep is not the user's. */
const cacheFolder = join(tmpdir(), 'coldframe-tests');

/** A run of tests that breaks off skips its teardowns: no program is to outlive it. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Starts the program. */
export function start(
  t: ExecutionContext,
  words: readonly string[],
  { folder, environment = {} }: RunOptions = {},
): Running {
  return startCommand(t, process.execPath, [program, ...words], {
    ...(folder && { folder }),
    environment,
  });
}

/** Starts any command, with the surroundings that the program gets. */
export function startCommand(
  t: ExecutionContext,
  command: string,
  words: readonly string[],
  { folder, environment = {} }: RunOptions = {},
): Running {
  const child = spawn(command, words, {
    ...(folder !== undefined && { cwd: folder }),
    env: { ...withoutSettings(process.env), XDG_CACHE_HOME: cacheFolder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = new Running(child);
  alive.add(child);
  child.once('close', () => alive.delete(child));
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

/** Runs the program to its end. */
export function run(
  t: ExecutionContext,
  words: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  return start(t, words, options).ended;
}

/** Starts a mock on a free port, and waits until it listens. */
export async function startMock(
  t: ExecutionContext,
  words: readonly string[] = [],
  options: RunOptions = {},
): Promise<{ readonly running: Running; readonly url: string }> {
  const running = start(t, [...words, '--port', '0'], options);
  return { running, url: await running.url() };
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !/^(?:COLDFRAME_|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$)/.test(name),
    ),
  );
}
