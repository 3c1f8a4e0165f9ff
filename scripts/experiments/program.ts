import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built program; `EXPERIMENT_PROGRAM` names another build of it. */
const builtProgram =
  process.env['EXPERIMENT_PROGRAM'] ??
  fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface StartOptions {
  /** Flags of Node itself, such as a limit on its heap. */
  readonly nodeFlags?: readonly string[];
  /** A command that is given the program's command as its last words, such as `unshare`. */
  readonly through?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** The user that it runs as; only root may say. */
  readonly user?: number;
  /** Leaves standard input open, so that it can be closed. */
  readonly hasInput?: boolean;
}

/** The result of a program that exited. */
export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The program as it runs: what it says, what it holds, how it ends. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';
  readonly #news = new EventEmitter();

  constructor(words: readonly string[], options: StartOptions = {}) {
    const { nodeFlags = [], through = [], user } = options;
    const command = [...through, process.execPath, ...nodeFlags, builtProgram, ...words];
    this.child = spawn(command[0] ?? process.execPath, command.slice(1), {
      ...(options.folder !== undefined && { cwd: options.folder }),
      ...(user !== undefined && { uid: user, gid: user }),
      // Every resource is one that the experiment has sent.
      env: {
        ...withoutSettings(process.env),
        COLDFRAME_EMPTY_STATE: 'nothing',
        ...options.environment,
      },
      stdio: [options.hasInput === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
      if (this.#stdout.length > LONGEST_LOG) this.#stdout = withoutRequests(this.#stdout);
      this.#news.emit('news');
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#news.emit('news');
    });
    this.child.on('error', (error) => {
      this.#stderr += error.message;
    });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.#news.emit('news');
        resolve({ code, signal });
      });
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error(`the program was not started: ${this.#stderr}`);
    return pid;
  }

  get isRunning(): boolean {
    return this.child.pid !== undefined && !this.hasEnded;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The log so far; a line that is no JSON is left out. */
  get log(): readonly LogLine[] {
    return this.#stdout
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [readLine(line)] : []));
  }

  /** Waits for a line of the log that tells this event. */
  async logged(event: string, milliseconds = 15_000): Promise<LogLine> {
    const deadline = AbortSignal.timeout(milliseconds);
    const expired = once(deadline, 'abort');
    for (;;) {
      const line = this.log.find((one) => one['event'] === event);
      if (line !== undefined) return line;
      if (this.hasEnded || deadline.aborted) break;
      await Promise.race([once(this.#news, 'news'), expired]);
    }
    throw new Error(`it never told of "${event}":\n${this.#stdout}\n${this.#stderr}`);
  }

  /** Waits until it listens; @returns where */
  async url(): Promise<string> {
    return String((await this.logged('listening'))['url']);
  }

  /** Asks it to end, and waits until it did. */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (this.isRunning) this.child.kill(signal);
    return this.ended;
  }

  /** Bytes of memory that are resident (Linux). */
  residentBytes(): number {
    return residentBytes(this.pid);
  }

  /** How many files and sockets are open (Linux). */
  openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }
}

/** @returns bytes of memory that a process has resident (Linux) */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** @returns the processes that a process has started and that still are (Linux) */
export function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Characters; of a longer log the lines of requests are dropped. */
const LONGEST_LOG = 64 * 1024 * 1024;

function withoutRequests(log: string): string {
  return log.replaceAll(/^.*"event":"request".*\n/gm, '');
}

function readLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !/^(?:COLDFRAME_|NODE_OPTIONS$|FORCE_COLOR$|NO_COLOR$)/.test(name),
    ),
  );
}
