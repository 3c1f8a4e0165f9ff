import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type RedisServer,
  type RedisServerOptions,
  startRedis,
} from '../../test/support/redis-server.ts';
import { Program, type StartOptions } from './program.ts';

/** One run of an experiment: what it starts is ended with it, what it sees is printed. */
export class Trial {
  /** True where a test waits: what takes long is left out, and said to be. */
  readonly isShort = process.argv.includes('--short');
  readonly #programs: Program[] = [];
  readonly #folders: string[] = [];
  readonly #endings: (() => unknown)[] = [];
  #failures = 0;

  /** Starts the program; it is killed when the trial is over. */
  start(words: readonly string[], options: StartOptions = {}): Program {
    const program = new Program(words, options);
    this.#programs.push(program);
    return program;
  }

  /** Starts a mock on a free port without watching, and waits until it listens. */
  async startMock(
    words: readonly string[] = [],
    options: StartOptions = {},
  ): Promise<{ readonly program: Program; readonly url: string }> {
    const program = this.start(['mock', '--no-watch', '--port', '0', ...words], options);
    return { program, url: await program.url() };
  }

  /** Makes a folder with these files, that any user may read; it goes with the trial. */
  async createFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'coldframe-experiment-'));
    this.#folders.push(folder);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return folder;
  }

  /** Starts a Redis that keeps what it tells; it is killed when the trial is over. */
  startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
    const owner = { teardown: (end: () => Promise<void>) => this.atEnd(end) };
    return startRedis(owner, { persistent: true, ...options });
  }

  /**
   * Mounts a disk in memory, which only root may; it goes with the trial.
   *
   * @param options of mount, such as `-o`, `size=12m`
   * @returns the folder; undefined where it cannot be done here
   */
  async mountMemory(options: readonly string[]): Promise<string | undefined> {
    const folder = await this.createFolder();
    const words = ['-t', 'tmpfs', ...options, 'coldframe-experiment', folder];
    if (spawnSync('mount', words, { stdio: 'ignore' }).status !== 0) {
      this.lack('a disk in memory: this user may not mount one');
      return undefined;
    }
    this.atEnd(() => spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' }));
    return folder;
  }

  /** Does this when the trial is over, after its programs have ended; the last first. */
  atEnd(act: () => unknown): void {
    this.#endings.unshift(act);
  }

  /** Prints a figure. */
  measured(what: string, value: string | number): void {
    console.log(`  ${what}: ${value}`);
  }

  /** Prints what must hold, and whether it does. */
  expect(isSo: boolean, what: string): void {
    console.log(`  ${isSo ? 'ok  ' : 'FAIL'} ${what}`);
    if (!isSo) this.#failures++;
  }

  /** Prints what this machine lacks to try it: a failure where it must be there (`CI` is set). */
  lack(what: string): void {
    if (process.env['CI'] === undefined) this.leaveOut(what);
    else this.expect(false, `the machine has what it takes: ${what}`);
  }

  /** Prints that a command is not installed, by its package of Debian. @returns whether it is */
  hasCommand(command: string, debianPackage = command): boolean {
    const { status } = spawnSync(command, ['--version'], { stdio: 'ignore' });
    if (status !== 0) this.lack(`${command} is not installed (apt-get install ${debianPackage})`);
    return status === 0;
  }

  /** Prints what is left out because it takes long, or could not be tried. */
  leaveOut(what: string): void {
    console.log(`  left out: ${what}`);
  }

  get failures(): number {
    return this.#failures;
  }

  async close(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.end('SIGKILL')));
    for (const act of this.#endings) await act();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}

/** An experiment that hangs has failed. */
const LONGEST_MILLISECONDS = 300_000;

/**
 * Runs an experiment as a process of its own: prints what it saw, and exits with 0 when all that
 * was expected held, with 1 when not.
 *
 * @param longestMilliseconds after which it is broken off, as failed
 */
export async function conduct(
  title: string,
  run: (trial: Trial) => Promise<void>,
  longestMilliseconds = LONGEST_MILLISECONDS,
): Promise<void> {
  console.log(title);
  const trial = new Trial();
  const deadline = setTimeout(async () => {
    console.log(`  BROKE it was not done within ${longestMilliseconds / 1000} s`);
    await trial.close();
    process.exit(1);
  }, longestMilliseconds);
  const started = performance.now();
  let hasBroken = false;
  try {
    await run(trial);
  } catch (error) {
    hasBroken = true;
    console.log(`  BROKE ${error instanceof Error ? error.stack : String(error)}`);
  }
  clearTimeout(deadline);
  await trial.close();
  trial.measured('took', `${((performance.now() - started) / 1000).toFixed(1)} s`);
  process.exitCode = hasBroken || trial.failures > 0 ? 1 : 0;
}
