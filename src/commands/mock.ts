import { isAbsolute, relative } from 'node:path';
import { systemClock } from '../clock.ts';
import { createLog, type Log } from '../log.ts';
import { createMock, type Mock } from '../mock.ts';
import type { RunningServer } from '../server.ts';
import type { Settings } from '../settings.ts';
import type { Console } from './console.ts';

/**
 * Serves a document until the process is asked to end.
 *
 * @returns the exit code
 */
export async function runMock(settings: Settings, console: Console): Promise<number> {
  const log = createLog({
    level: settings.verboseLevel,
    form: console.isTerminal ? 'lines' : 'json',
    hasColor: console.hasColor,
    write: console.write,
    now: systemClock.now,
  });
  const mock = await createMock({ ...settings, log });
  const server = await mock.listen();
  await announce(mock, server, settings, console, log);
  const stopWatching = settings.watch ? startWatching(mock, log) : undefined;
  await console.ended;
  log.info('closing', {});
  stopWatching?.();
  await mock.close();
  log.flush();
  return 0;
}

/** What the first answer does not need is loaded after it could have been given. */
function startWatching(mock: Mock, log: Log): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  const timer = setTimeout(async () => {
    const { watchFiles } = await import('../watch.ts');
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
  server: RunningServer,
  settings: Settings,
  console: Console,
  log: Log,
): Promise<void> {
  if (!console.isTerminal) {
    log.info('listening', {
      url: server.url,
      document: [settings.document].flat().join(', '),
      operations: mock.contract.operations.length,
      mode: settings.mode,
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
  console.write(describeStart(mock, server.url, document, console.hasColor));
}
