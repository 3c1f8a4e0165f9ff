import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { readdir, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../events/log.ts';
import { isRedisSetting } from '../redis/redis-url.ts';
import { readCoverageFile, writeCoverageFile } from '../report/coverage/coverage-file.ts';
import { closeAll, listenOn, portOf } from '../serve/listen.ts';
import { UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';
import { type Crew, createProcessLog, runMock } from './mock.ts';

/** The variable of a worker with the ports that the supervisor has found. */
const PORTS = 'MOCK_WORKER_PORTS';

/**
 * Serves a document with several worker processes until a signal stops this one, which replaces
 * workers that die.
 */
export async function runWorkers(settings: Settings, console: Console): Promise<number> {
  if (!isRedisSetting(settings.store)) {
    throw new UsageError('--workers needs a shared store, such as --store redis://localhost:6379');
  }
  if (cluster.worker !== undefined) return work(cluster.worker, settings, console);
  // Workers accept connections themselves. A connection that this process had accepted and was
  // passing to a worker would stay open without an answer if the worker died meanwhile.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const log = createProcessLog(settings, console);
  const count = settings.workers === 0 ? availableParallelism() : settings.workers;
  const findEnvironment = async () => ({ [PORTS]: JSON.stringify(await findPorts(settings)) });
  const code = await supervise(count, findEnvironment, log, console.ended);
  if (settings.coverageFile !== '') await mergeParts(settings.coverageFile, log);
  log.flush();
  console.exitSoon();
  return code;
}

/** Returns the ports of the settings, and a free one for each 0: every worker takes the same. */
async function findPorts({ port, adminPort, host }: Settings): Promise<Partial<Settings>> {
  return {
    port: port === 0 ? await findFreePort(host) : port,
    adminPort: adminPort === 0 ? await findFreePort(host) : adminPort,
  };
}

async function findFreePort(host: string): Promise<number> {
  const server = createServer();
  const listening = await listenOn(server, { port: 0, host });
  const port = portOf(server);
  await closeAll(listening);
  return port;
}

/** The messages of a worker: it listens; it has announced the mock; a port it got is in use. */
const READY = 'ready';
const ANNOUNCED = 'announced';
const TAKEN = 'taken';
/** The messages to a worker: announce the mock; end. */
const ANNOUNCE = 'announce';
const END = 'end';

async function work(worker: Worker, settings: Settings, console: Console): Promise<number> {
  const ports = JSON.parse(console.environment[PORTS] ?? '{}') as Partial<Settings>;
  const hear = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      worker.on('message', (message) => message === wanted && resolve());
    });
  // Signals alone would not do: the second one ends a process at once, and a terminal or a service
  // manager sends the first to every process.
  const ended = Promise.race([console.ended, hear(END)]);
  const chosen = hear(ANNOUNCE);
  const crew: Crew = {
    chosen() {
      tell(worker, READY);
      return chosen;
    },
    announced: () => tell(worker, ANNOUNCED),
  };
  try {
    const coverageFile = partOf(settings.coverageFile, worker.id);
    return await runMock({ ...settings, ...ports, coverageFile }, { ...console, ended }, crew);
  } catch (error) {
    if (!isTaken(error, settings, ports)) throw error;
    tell(worker, TAKEN);
    return 1;
  } finally {
    // An open channel would keep the process running.
    worker.disconnect();
  }
}

/** Returns whether another program has taken a port that the supervisor found free. */
function isTaken(error: unknown, settings: Settings, found: Partial<Settings>): boolean {
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const isFound = (name: 'port' | 'adminPort') => settings[name] === 0 && found[name] === port;
  return code === 'EADDRINUSE' && (isFound('port') || isFound('adminPort'));
}

/** Returns the file of a worker's coverage; empty for none. */
function partOf(file: string, worker: number): string {
  return file === '' ? '' : `${file}.${worker}`;
}

/** Writes the coverage of all workers that have ended in order, and removes their files. */
async function mergeParts(file: string, log: Log): Promise<void> {
  const { mergeCoverage } = await import('../report/coverage/coverage-file.ts');
  try {
    const names = await readdir(dirname(file));
    const parts = names
      .filter((name) => name.startsWith(`${basename(file)}.`) && /\.\d+$/.test(name))
      .map((name) => join(dirname(file), name));
    const read = parts.map(async (name) => ({ name, coverage: await readCoverageFile(name) }));
    const [first, ...others] = await Promise.all(read);
    if (first === undefined) return;
    await writeCoverageFile(file, mergeCoverage([first, ...others]));
    await Promise.all(parts.map((part) => unlink(part)));
  } catch (error) {
    log.error(`the coverage is not in ${file}`, error);
  }
}

/** Sends a message. Without a callback, a process that has just died would be an uncaught error. */
function tell(worker: Worker, message: string): void {
  worker.send(message, () => {});
}

/** The pause before a worker that failed to start is replaced. */
const PAUSE_MILLISECONDS = 1_000;
/** Longer than a server takes to close; then workers are killed. */
const DRAIN_MILLISECONDS = 12_000;

/**
 * Starts workers and replaces those that die. Returns the exit code: that of a worker that fails at
 * the start, otherwise 0.
 */
async function supervise(
  count: number,
  findEnvironment: () => Promise<Readonly<Record<string, string>>>,
  log: Log,
  ended: Promise<void>,
): Promise<number> {
  // Its reason is the exit code.
  const end = new AbortController();
  const running = new Set<Worker>();
  const ready = new Set<Worker>();
  let hasStarted = false;
  let isAnnounced = false;
  let isTaken = false;
  let environment = await findEnvironment();

  const fork = (): void => {
    const worker = cluster.fork(environment);
    running.add(worker);
    worker.on('message', (message) => {
      if (message === READY) admit(worker);
      if (message === TAKEN) isTaken = !hasStarted;
      if (message !== ANNOUNCED || isAnnounced) return;
      isAnnounced = true;
      log.info('workers', { count });
    });
    worker.once('exit', (code, signal) => void replace(worker, code, signal));
  };

  /** Forks the others once one is ready: what is wrong with the settings is reported once. */
  const admit = (worker: Worker): void => {
    ready.add(worker);
    if (!hasStarted) for (let others = 1; others < count; others++) fork();
    hasStarted = true;
    const [first] = ready;
    if (first !== undefined && !isAnnounced && ready.size === count) tell(first, ANNOUNCE);
  };

  /**
   * Forks a worker in place of one that was killed or failed later; before the mock is announced, a
   * failure is one of the settings and ends the start.
   */
  const replace = async (worker: Worker, code: number, signal: string | null): Promise<void> => {
    running.delete(worker);
    const wasReady = ready.delete(worker);
    if (isTaken) {
      isTaken = false;
      environment = await findEnvironment();
      if (!end.signal.aborted) fork();
      return;
    }
    if (!isAnnounced && code > 0) end.abort(code);
    if (end.signal.aborted) return;
    if (wasReady) log.warn('worker-replaced', { worker: worker.id });
    else {
      log.warn('worker-not-started', { code: signal ?? code });
      await systemClock.sleep(PAUSE_MILLISECONDS, end.signal);
    }
    if (!end.signal.aborted) fork();
  };

  const aborted = once(end.signal, 'abort');
  void ended.then(() => end.abort(0));
  fork();
  await aborted;
  if (running.size > 0) log.info('closing', {});
  await stop(running, ready);
  return end.signal.reason as number;
}

async function stop(running: ReadonlySet<Worker>, ready: ReadonlySet<Worker>): Promise<void> {
  const done = new AbortController();
  const ends = [...running].map((worker) => once(worker, 'exit'));
  for (const worker of running) {
    if (ready.has(worker)) tell(worker, END);
    else worker.kill('SIGKILL');
  }
  void systemClock.sleep(DRAIN_MILLISECONDS, done.signal).then(() => {
    for (const worker of running) worker.kill('SIGKILL');
  });
  await Promise.all(ends);
  done.abort();
}
