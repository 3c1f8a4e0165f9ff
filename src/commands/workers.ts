import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Log } from '../events/log.ts';
import { isRedisSetting } from '../redis/redis-url.ts';
import { UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';
import { type Crew, createProcessLog, runMock } from './mock.ts';

/**
 * Serves a document with several worker processes until a signal stops this one, which replaces
 * workers that die.
 *
 * @returns the exit code
 * @throws {UsageError} for a store that processes cannot share
 */
export async function runWorkers(settings: Settings, console: Console): Promise<number> {
  if (!isRedisSetting(settings.store)) {
    throw new UsageError('--workers needs a shared store, such as --store redis://localhost:6379');
  }
  if (cluster.worker !== undefined) return work(cluster.worker, settings, console);
  const log = createProcessLog(settings, console);
  const count = settings.workers === 0 ? availableParallelism() : settings.workers;
  const code = await new Supervisor(count, log, systemClock).run(console.ended);
  log.flush();
  console.exitSoon();
  return code;
}

/** The message of a worker that listens. */
const READY = 'ready';
/** The replies: one worker announces the mock, the others stay silent. */
const ANNOUNCE = 'announce';
const STAY_SILENT = 'stay-silent';

async function work(worker: Worker, settings: Settings, console: Console): Promise<number> {
  try {
    return await runMock(settings, console, joinCrew(worker));
  } finally {
    // An open channel would keep the process running.
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

/** The pause before a worker that failed to start is replaced. */
const PAUSE_MILLISECONDS = 1_000;
/** Longer than a server takes to close; then workers are killed. */
const DRAIN_MILLISECONDS = 12_000;

/** Starts workers and replaces those that die. */
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

  /** Returns the exit code: that of the first worker when it fails to start, otherwise 0. */
  async run(ended: Promise<void>): Promise<number> {
    const first = await this.#fork();
    if (typeof first === 'number') return first;
    const others = Array.from({ length: this.#count - 1 }, () => this.#add());
    await Promise.all(others);
    first.send(ANNOUNCE);
    this.#watch(first);
    this.#log.info('workers', { count: this.#count });
    await ended;
    await this.#stop();
    return 0;
  }

  /** Resolves to a worker that listens, or to the exit code of one that failed to start. */
  #fork(): Promise<Worker | number> {
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

  /** Starts one more worker, until one succeeds. */
  async #add(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const worker = await this.#fork();
      if (typeof worker !== 'number') {
        worker.send(STAY_SILENT);
        this.#watch(worker);
        return;
      }
      this.#log.warn('worker-not-started', { code: worker });
      await this.#clock.sleep(PAUSE_MILLISECONDS, this.#end.signal);
    }
  }

  #watch(worker: Worker): void {
    const replace = (): void => {
      if (this.#end.signal.aborted) return;
      this.#log.warn('worker-replaced', { worker: worker.id });
      void this.#add();
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
