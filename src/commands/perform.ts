import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Ending } from '../report/drill/run-drill.ts';
import { UsageError } from '../settings/options.ts';
import type { Console } from './console.ts';

/** A program of the user, with its arguments. */
export type Program = readonly [name: string, ...words: string[]];

interface Surroundings {
  readonly console: Console;
  /** Variables besides those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
}

/** The end of the output that is kept. */
const LONGEST_OUTPUT = 64 * 1024;
/** A process that is still running this long after SIGTERM is killed. */
const GRACE_MILLISECONDS = 2000;

/** Runs a program to its end, and keeps the end of its output. */
export async function perform(program: Program, surroundings: Surroundings): Promise<Ending> {
  const { console, environment, timeoutMilliseconds } = surroundings;
  const [name, ...words] = program;
  const began = systemClock.monotonic();
  const child = spawn(name, words, {
    cwd: console.folder,
    env: { ...console.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the program starts ends with it.
    detached: true,
    // On Windows, npm is a script.
    shell: platform() === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-LONGEST_OUTPUT);
    });
  }
  const over = new AbortController();
  const end = async (): Promise<void> => {
    console.endGroup(child.pid, 'SIGTERM');
    await systemClock.sleep(GRACE_MILLISECONDS, over.signal);
    console.endGroup(child.pid, 'SIGKILL');
  };
  const ended = new Promise<number | undefined>((resolve, reject) => {
    child.once('error', ({ message }) => reject(new UsageError(`cannot run ${name}: ${message}`)));
    child.once('close', (code) => resolve(code ?? undefined));
    child.once('exit', async (code) => {
      // Its background processes keep its output open.
      console.endGroup(child.pid, 'SIGKILL');
      await systemClock.sleep(GRACE_MILLISECONDS, over.signal);
      resolve(code ?? undefined);
    });
  }).finally(() => over.abort());
  let isLate = false;
  void console.ended.then(end);
  void systemClock.sleep(timeoutMilliseconds, over.signal).then(() => {
    isLate = !over.signal.aborted;
    return isLate ? end() : undefined;
  });
  const code = await ended;
  const seconds = (systemClock.monotonic() - began) / 1000;
  const result = isLate ? 'timed out' : code === 0 ? 'passed' : 'failed';
  return { result, code, seconds, output };
}
