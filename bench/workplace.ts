import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { descendantsOf } from './processor.ts';

export interface Job {
  readonly child: ChildProcess;
  readonly outputFile: string;
  readonly errorFile: string;
}

/**
 * Everything that the benchmark leaves outside its own process: children and temporary files.
 * `clear` takes all of it away, whatever state a run is in.
 */
export class Workplace {
  readonly directory = mkdtempSync(join(tmpdir(), 'coldframe-bench-'));
  readonly #children = new Set<ChildProcess>();
  #jobCount = 0;

  /** Starts a command in the temporary directory with its output in files. */
  start(command: readonly string[], inputFile?: string): Job {
    const [executable, ...argv] = command;
    if (executable === undefined) {
      throw new Error('A command needs at least the name of an executable');
    }
    const files = join(this.directory, `job-${this.#jobCount++}`);
    const outputFile = `${files}.out`;
    const errorFile = `${files}.err`;
    const input = inputFile === undefined ? undefined : openSync(inputFile, 'r');
    const output = openSync(outputFile, 'w');
    const error = openSync(errorFile, 'w');
    const child = spawn(executable, argv, {
      // Not the project: a settings file there must not change what is measured.
      cwd: this.directory,
      env: plainEnvironment(),
      stdio: [input ?? 'ignore', output, error],
    });
    for (const file of [input, output, error]) {
      if (file !== undefined) {
        closeSync(file);
      }
    }
    this.#children.add(child);
    child.on('exit', () => this.#children.delete(child));
    // Without a listener a missing executable would end the benchmark with a bare stack trace.
    child.on('error', () => this.#children.delete(child));
    return { child, outputFile, errorFile };
  }

  /**
   * Runs a program of this folder in a process of its own, and returns the JSON that it prints.
   *
   * @param flags of Node.js
   */
  runProgram(name: string, words: readonly string[], flags: readonly string[] = []): unknown {
    const program = fileURLToPath(new URL(name, import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, program, ...words], {
      encoding: 'utf8',
      cwd: this.directory,
      env: plainEnvironment(),
    });
    if (status !== 0) throw new Error(`${name} ${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Ends a job if it still runs and removes its files: a log of a few rounds fills a disk. */
  async stop({ child, outputFile, errorFile }: Job): Promise<void> {
    if (isRunning(child)) {
      const exited = once(child, 'exit');
      kill(child);
      await exited;
    }
    rmSync(outputFile, { force: true });
    rmSync(errorFile, { force: true });
  }

  /** Synchronous, because it is the last thing before the process exits. */
  clear(): void {
    for (const child of this.#children) {
      kill(child);
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Returns a workplace that is cleared when this process ends, or a signal ends it. */
export function openWorkplace(): Workplace {
  const workplace = new Workplace();
  process.once('exit', () => workplace.clear());
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(exitCode));
  }
  return workplace;
}

/** With what it has started: a launcher that is killed leaves its server behind. */
function kill(child: ChildProcess): void {
  const started = child.pid === undefined ? [] : descendantsOf(child.pid);
  child.kill('SIGKILL');
  for (const pid of started) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}

export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

const quotedLength = 2_000;

/** The end of what a job wrote, for an error message. */
export function lastWords({ outputFile, errorFile }: Job): string {
  const text = [outputFile, errorFile].map(readEnd).join('').trim();
  return text === '' ? 'It wrote nothing.' : `It wrote: ${text}`;
}

/** Not the whole file: the log of a few seconds of load does not fit into a string. */
function readEnd(path: string): string {
  const file = openSync(path, 'r');
  try {
    const end = Buffer.alloc(quotedLength);
    const length = readSync(
      file,
      end,
      0,
      quotedLength,
      Math.max(0, fstatSync(file).size - quotedLength),
    );
    return end.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** The environment without what would change how Node or Coldframe runs. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const settings = /^(NODE_|COLDFRAME_|UV_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
}
