import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { type Image, userId } from './image.ts';
import { asUser, inNamespace, type Machine } from './machine.ts';

export interface ContainerOptions {
  readonly image: Image;
  readonly machine: Machine;
  /** The folder of `node`. */
  readonly binaries: string;
  readonly port: number;
  /** Besides what the image has. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The image's program, run as nearly as this machine can to the way that an engine would. */
export class Container {
  readonly #options: ContainerOptions;
  #process: ChildProcess | undefined;
  #output = '';

  constructor(options: ContainerOptions) {
    this.#options = options;
  }

  /** All that it wrote. */
  get output(): string {
    return this.#output;
  }

  start(): void {
    const { image, machine } = this.#options;
    if (!machine.isRoot) {
      // Its files belong to the user that runs it here, who can be kept from writing at least.
      spawnSync('chmod', ['-R', 'a-w', join(image.root, image.workdir)]);
    }
    const command = this.#inside([...image.entrypoint, ...image.command]);
    this.#process = this.#spawn(
      machine.hasNamespaces ? inNamespace(machine.hasReadOnlyRoot, command) : command,
    );
  }

  /** Asks as an engine does. @returns whether the answer was that it is well */
  async isHealthy(): Promise<boolean> {
    const { healthcheck } = this.#options.image;
    if (healthcheck === undefined) throw new Failure('there is no HEALTHCHECK');
    const child = this.#spawn(this.#inside(healthcheck.command));
    const startedAt = performance.now();
    const [code] = await once(child, 'close');
    const limit = readSeconds(healthcheck.flags.get('timeout'));
    const seconds = (performance.now() - startedAt) / 1_000;
    if (seconds > limit) throw new Failure(`HEALTHCHECK took ${seconds.toFixed(1)} s of ${limit}`);
    return code === 0;
  }

  /** @returns milliseconds until it was */
  async waitUntilHealthy(): Promise<number> {
    const startedAt = performance.now();
    const limit = readSeconds(this.#options.image.healthcheck?.flags.get('start-period'));
    while (performance.now() - startedAt < limit * 1_000) {
      if (await this.isHealthy()) return performance.now() - startedAt;
      if (this.#process?.exitCode !== null) throw new Failure('the container ended by itself');
      await sleep(100);
    }
    throw new Failure(`the container is not healthy after ${limit} s`);
  }

  /** Signals would not reach a program that a shell or npm had started. */
  checkFirstProcess(): void {
    const { machine, binaries } = this.#options;
    const id = this.#findProgram();
    const program = realpathSync(`/proc/${id}/exe`);
    if (program !== realpathSync(join(binaries, 'node'))) {
      throw new Failure(`the container's first process is ${program}, not node`);
    }
    const [, numbers = ''] =
      /^NSpid:\s*(.*)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    if (machine.hasNamespaces && !/\s1$/.test(numbers)) {
      throw new Failure(`node is not PID 1 of the container, its numbers are ${numbers}`);
    }
  }

  /** Ends it as `docker stop` does. @returns milliseconds that it took */
  async stop(limitMilliseconds: number): Promise<number> {
    const child = this.#process;
    if (child === undefined) throw new Failure('the container was not started');
    const startedAt = performance.now();
    const closed = once(child, 'close');
    process.kill(this.#findProgram(), 'SIGTERM');
    const isLate = await Promise.race([
      closed.then(() => false),
      sleep(limitMilliseconds, true, { ref: false }),
    ]);
    if (isLate) throw new Failure(`the container runs on ${limitMilliseconds} ms after SIGTERM`);
    if (child.exitCode !== 0) {
      throw new Failure(`after SIGTERM it ended with ${child.signalCode ?? child.exitCode}, not 0`);
    }
    return performance.now() - startedAt;
  }

  /** Whatever state it is in. */
  kill(): void {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // The first process of a namespace takes all others with it; who made the namespace does not.
    const program = this.#findProgram();
    if (program > 0) process.kill(program, 'SIGKILL');
    child.kill('SIGKILL');
  }

  #spawn([file = '', ...words]: readonly string[]): ChildProcess {
    const { image, binaries, port, environment } = this.#options;
    const child = spawn(file, words, {
      cwd: join(image.root, image.workdir),
      // Nothing of this machine's: an engine passes nothing on either.
      env: {
        ...Object.fromEntries(image.environment),
        PATH: `${binaries}:${image.environment.get('PATH')}`,
        HOME: '/nonexistent',
        COLDFRAME_PORT: String(port),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    child.on('error', (error) => {
      this.#output += `${error.message}\n`;
    });
    return child;
  }

  /** @returns the command with the image's user and the image's files */
  #inside(command: readonly string[]): readonly string[] {
    const { image, machine } = this.#options;
    const words = command.map((word) => {
      const file = join(image.root, word);
      return word.startsWith('/') && existsSync(file) ? file : word;
    });
    return machine.isRoot ? asUser(userId(image.user) ?? 0, words) : words;
  }

  /** @returns the number that this machine knows the container's first process by */
  #findProgram(): number {
    const outer = this.#process?.pid ?? 0;
    if (!this.#options.machine.hasNamespaces) return outer;
    const children = readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8');
    return Number(children.trim().split(' ')[0]);
  }
}

/** Of a duration as Dockerfiles have it; what is left out is 30 s there. */
function readSeconds(duration = '30s'): number {
  const [, number, unit] = /^(\d+)(ms|s|m)$/.exec(duration) ?? [];
  if (number === undefined) throw new Failure(`HEALTHCHECK: ${duration} is not known here`);
  return Number(number) * (unit === 'm' ? 60 : unit === 's' ? 1 : 0.001);
}
