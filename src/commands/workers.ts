import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '../base/clock.ts';
import { createLog, type Log } from '../events/log.ts';
import { isRedisSetting } from '../redis/redis-url.ts';
import { UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';
import { type Crew, runMock } from './mock.ts';

/**
 * Serves a document with several processes, until this one is asked to end: it answers nothing
 * itself, and sees to it that there are always as many as there are to be.
 *
 * @returns the exit code
 * @throws {UsageError} for a store that the processes would not share
 */
export async function runWorkers(settings: Settings, console: Console): Promise<number> {
  if (!isRedisSetting(settings.store)) {
    throw new UsageError(
      '--workers needs a store that several processes share: --store redis://localhost:6379',
    );
  }
  if (cluster.worker !== undefined) return work(cluster.worker, settings, console);
  const log = createLog({
    level: settings.verboseLevel,
    form: console.isTerminal ? 'lines' : 'json',
    hasColor: console.hasColor,
    write: console.writeLog,
    now: systemClock.now,
  });
  const count = settings.workers === 0 ? availableParallelism() : settings.workers;
  const code = await new Supervisor(count, log, systemClock).run(console.ended);
  log.flush();
  console.leave();
  return code;
}

/** What a worker says once it listens. */
const READY = 'ready';
/** What it is told then: to say where it listens, or to be still. */
const ANNOUNCE = 'announce';
const BE_STILL = 'be-still';

async function work(worker: Worker, settings: Settings, console: Console): Promise<number> {
  try {
    return await runMock(settings, console, joinCrew(worker));
  } finally {
    // Otherwise the process would wait for what it is told, for ever.
    worker.disconnect();
  }
}

function joinCrew(worker: Worker): Crew {
  return {
    isFirst: () =>
      new Promise((resolve) => {
        worker.on('message', (message) => resolve(message === ANNOUNCE));
        worker.send(READY);
      }),
  };
}

/** How long one that does not even begin is waited for until the next is made. */
const PAUSE_MILLISECONDS = 1_000;
/** How long requests under way may take when all end; a server closes sooner. */
const DRAIN_MILLISECONDS = 12_000;

/** Makes workers, and others in place of those that die. */
class Supervisor {
  readonly #count: number;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #running = new Set<Worker>();

  constructor(count: number, log: Log, clock: Clock) {
    this.#count = count;
    this.#log = log;
    this.#clock = clock;
  }

  /** @returns the exit code: that of the first worker if it does not even begin */
  async run(ended: Promise<void>): Promise<number> {
    const first = await this.#begin();
    if (typeof first === 'number') return first;
    const others = Array.from({ length: this.#count - 1 }, () => this.#keep());
    await Promise.all(others);
    first.send(ANNOUNCE);
    this.#watch(first);
    this.#log.info('workers', { count: this.#count });
    await ended;
    await this.#stop();
    return 0;
  }

  /** @returns a worker that listens, or the code with which it has ended before */
  #begin(): Promise<Worker | number> {
    const worker = cluster.fork();
    this.#running.add(worker);
    return new Promise((resolve) => {
      worker.once('message', () => resolve(worker));
      worker.once('exit', (code) => {
        this.#running.delete(worker);
        resolve(code ?? 1);
      });
    });
  }

  /** Sees to it that there is one more, from now on. */
  async #keep(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const worker = await this.#begin();
      if (typeof worker !== 'number') {
        worker.send(BE_STILL);
        this.#watch(worker);
        return;
      }
      this.#log.warn('worker-did-not-begin', { code: worker });
      await this.#clock.sleep(PAUSE_MILLISECONDS, this.#end.signal);
    }
  }

  #watch(worker: Worker): void {
    const replace = (): void => {
      if (this.#end.signal.aborted) return;
      this.#log.warn('worker-replaced', { worker: worker.id });
      void this.#keep();
    };
    if (worker.isDead()) replace();
    else worker.once('exit', replace);
  }

  async #stop(): Promise<void> {
    this.#log.info('closing', {});
    this.#end.abort();
    const done = new AbortController();
    const ends = [...this.#running].map(
      (worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())),
    );
    this.#signal('SIGTERM');
    void this.#clock.sleep(DRAIN_MILLISECONDS, done.signal).then(() => this.#signal('SIGKILL'));
    await Promise.all(ends);
    done.abort();
  }

  #signal(signal: NodeJS.Signals): void {
    for (const { process: child } of this.#running) child.kill(signal);
  }
}
