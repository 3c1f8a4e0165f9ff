import { isAbsolute, relative } from 'node:path';
import { createMock, type ListenAddress, type ListeningMock, type Mock } from '../assemble/mock.ts';
import { systemClock } from '../base/clock.ts';
import { createLog, type Log } from '../events/log.ts';
import { describeStore } from '../redis/describe-store.ts';
import type { RunningServer } from '../serve/server.ts';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';
import { writePortFile } from './port-file.ts';

/** Processes that serve the same, of which one tells where. */
export interface Crew {
  /** Says that this one listens. @returns whether it is the one to tell */
  isFirst(): Promise<boolean>;
}

/** What a pipe takes in one piece, whoever else writes to it: POSIX says at least so much. */
const LARGEST_SHARED_WRITE = 4096;

/**
 * Serves a document until the process is asked to end.
 *
 * @param crew whom this process belongs to; undefined where it serves alone
 * @returns the exit code
 */
export async function runMock(settings: Settings, console: Console, crew?: Crew): Promise<number> {
  const log = createLog({
    level: settings.verboseLevel,
    form: console.isTerminal ? 'lines' : 'json',
    hasColor: console.hasColor,
    write: console.writeLog,
    now: systemClock.now,
    ...(crew !== undefined && { largestWrite: LARGEST_SHARED_WRITE }),
  });
  const mock = await createMock({ ...settings, log });
  try {
    return await serve(mock, settings, console, log, crew);
  } finally {
    // Whatever it is that ends it: a connection to a store would keep the process.
    await mock.close();
    log.flush();
    console.leave();
  }
}

async function serve(
  mock: Mock,
  settings: Settings,
  console: Console,
  log: Log,
  crew: Crew | undefined,
): Promise<number> {
  const server = await mock.listen(limitConnections(console.openFiles));
  if (crew === undefined || (await crew.isFirst())) {
    if (settings.portFile !== '' && !(await tellPort(settings.portFile, server, console))) return 1;
    await announce(mock, server, settings, console, log);
  }
  const stopWatching = settings.watch ? startWatching(mock, log) : undefined;
  const code = await Promise.race([console.ended.then(() => 0), meetBug(console, log)]);
  log.info('closing', {});
  stopWatching?.();
  return code;
}

/** What the program has open besides its connections, and some more to be safe. */
const OWN_FILES = 40;
const FEWEST_CONNECTIONS = 16;

/** A connection for which no file is left is closed by the system, which tells nobody. */
function limitConnections(openFiles: number | undefined): ListenAddress {
  if (openFiles === undefined) return {};
  return { maximumConnections: Math.max(FEWEST_CONNECTIONS, openFiles - OWN_FILES) };
}

/** @returns whether the port file is written; why not is complained of */
async function tellPort(file: string, server: RunningServer, console: Console): Promise<boolean> {
  try {
    await writePortFile(file, server.port);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.complain(`coldframe: the port file cannot be written: ${reason}\n`);
    return false;
  }
}

/**
 * A bug outside of any request leaves who knows what behind: it is told, and the mock closes as if
 * it were asked to.
 *
 * @returns the exit code, at the first bug
 */
function meetBug(console: Console, log: Log): Promise<number> {
  return new Promise((resolve) => {
    console.onBug((error) => {
      log.error('a bug, outside of any request: please report it', error);
      console.complain(`coldframe: ${error instanceof Error ? error.stack : String(error)}\n`);
      resolve(1);
    });
  });
}

/** What the first answer does not need is loaded after it could have been given. */
function startWatching(mock: Mock, log: Log): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  const timer = setTimeout(async () => {
    const { watchFiles } = await import('../assemble/watch.ts');
    const { createBackgroundCheck } = await import('./background-check.ts');
    if (isStopped) return;
    const check = createBackgroundCheck(log, systemClock);
    check.start(mock.contract);
    const stopWatching = watchFiles(
      () => mock.stamps,
      async () => {
        try {
          await mock.reload();
          log.info('reloaded', { operations: mock.contract.operations.length });
          check.start(mock.contract);
        } catch (error) {
          log.error('not reloaded, what was read before is served on', error);
        }
      },
    );
    stop = () => {
      check.stop();
      stopWatching();
    };
  }, 50);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stop?.();
  };
}

async function announce(
  mock: Mock,
  server: ListeningMock,
  settings: Settings,
  console: Console,
  log: Log,
): Promise<void> {
  if (!console.isTerminal) {
    log.info('listening', {
      url: server.url,
      ...(server.adminUrl !== undefined && { adminUrl: server.adminUrl }),
      document: [settings.document].flat().join(', '),
      operations: mock.contract.operations.length,
      mode: settings.mode,
      ...(settings.store !== 'memory' && { store: describeStore(settings.store) }),
    });
    log.flush();
    return;
  }
  if (settings.verboseLevel === 'silent') return;
  const { describeStart } = await import('./welcome.ts');
  const document = [settings.document]
    .flat()
    .map((one) => (isAbsolute(one) ? relative(console.folder, one) : one))
    .join(', ');
  console.write(describeStart(mock, server, document, console.hasColor));
}
