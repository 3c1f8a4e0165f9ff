import { rename, writeFile } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import {
  createProgramMock,
  type ListenAddress,
  type ListeningMock,
  type ProgramMock,
} from '../assemble/mock.ts';
import { systemClock } from '../base/clock.ts';
import { reasonOf } from '../base/problem.ts';
import { once } from '../base/remember.ts';
import { createLog, type Log } from '../events/log.ts';
import { describeStore } from '../redis/redis-url.ts';
import { formatSummary, type Summary } from '../report/summary.ts';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';
import { openKeptDocuments, type StoredDocuments } from './kept-documents.ts';
import { showReading } from './reading.ts';

/** Several processes that serve the same mock. */
export interface Crew {
  /** Reports that this process listens; resolves if it is to announce the mock. */
  chosen(): Promise<void>;
  /** Reports that it has. */
  announced(): void;
}

/** Linux writes this much to a pipe atomically, so that processes can share one (PIPE_BUF). */
const LARGEST_SHARED_WRITE = 4096;

function isPretty({ log }: Settings, { isTerminal, hasColor }: Console): boolean {
  return log === 'pretty' || (log === 'auto' && (isTerminal || hasColor));
}

function isSilent({ log, verboseLevel }: Settings): boolean {
  return log === 'silent' || verboseLevel === 'silent';
}

export function createProcessLog(settings: Settings, console: Console, crew?: Crew): Log {
  const { log } = settings;
  return createLog({
    level: log === 'silent' ? log : settings.verboseLevel,
    form: isPretty(settings, console) ? 'lines' : 'json',
    hasColor: console.hasColor,
    write: console.writeLog,
    now: systemClock.now,
    ...(crew !== undefined && { largestWrite: LARGEST_SHARED_WRITE }),
  });
}

/** Serves a document until a signal stops the process, and returns the exit code. */
export async function runMock(settings: Settings, console: Console, crew?: Crew): Promise<number> {
  const log = createProcessLog(settings, console, crew);
  const stored = settings.cache ? openKeptDocuments(console.cacheFolder) : undefined;
  const showsLine = console.isTerminal && isPretty(settings, console) && !isSilent(settings);
  const endReading = showReading(settings, log, showsLine ? console.write : undefined);
  const mock = await createProgramMock({ ...settings, watch: false, log }, stored).finally(
    endReading,
  );
  if (await isStopped(console)) {
    await mock.close();
    console.exitSoon();
    return 0;
  }
  const storeCode = once(() => settings.cache && console.storeCode?.());
  const keepAll = async (): Promise<void> => {
    storeCode();
    await stored?.keepFound();
  };
  setTimeout(keepAll, FIRST_REQUESTS).unref();
  try {
    return await serve({ mock, settings, console, log, stored }, crew);
  } finally {
    await keepAll();
    // An open connection to a store would keep the process running.
    await mock.close();
    log.flush();
    if (settings.summary) console.write(writeSummary(mock.summary(), settings, console));
    console.exitSoon();
  }
}

/** Returns true if a signal to stop came while the document was read, when nothing else runs. */
async function isStopped({ ended }: Console): Promise<boolean> {
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  // The event loop reads signals where it waits for input, which the first turn may have behind it.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return isEnded;
}

/** The time in which most mocks get their first requests; milliseconds. */
const FIRST_REQUESTS = 1_000;

interface Started {
  readonly mock: ProgramMock;
  readonly settings: Settings;
  readonly console: Console;
  readonly log: Log;
  readonly stored?: StoredDocuments | undefined;
}

/** Returns the summary of a run in the form of the log. */
function writeSummary(summary: Summary, settings: Settings, console: Console): string {
  if (isPretty(settings, console)) return formatSummary(summary, console.hasColor);
  const time = systemClock.now();
  return `${JSON.stringify({ time, level: 'info', event: 'summary', ...summary })}\n`;
}

async function serve(started: Started, crew: Crew | undefined): Promise<number> {
  const { mock, settings, console, log } = started;
  const server = await mock.listen({ ...limitConnections(console.openFiles), worksAhead: true });
  const announce = async (): Promise<boolean> => {
    await crew?.chosen();
    if (!(await writePortFile(server.port, started))) return false;
    await describe(server, started);
    if (mock.contract.operations.length === 0) log.warn(NO_OPERATIONS);
    crew?.announced();
    return true;
  };
  const failed = new Promise<number>((resolve) => {
    void announce().then((isDone) => isDone || resolve(1));
  });
  const stopWatching = settings.watch ? startWatching(started) : undefined;
  const ended = Promise.race([console.ended, ...(crew === undefined ? quit(server, started) : [])]);
  const code = await Promise.race([ended.then(() => 0), catchBug(console, log), failed]);
  log.info('closing', {});
  stopWatching?.();
  return code;
}

/** Returns a promise that resolves when the user types the key to quit; none without a terminal. */
function quit({ url }: ListeningMock, { mock, console, log }: Started): readonly Promise<void>[] {
  const { keyboard } = console;
  if (keyboard === undefined) return [];
  const keys = import('./welcome.ts');
  return [keys.then(({ obeyKeys }) => obeyKeys(keyboard, { mock, url, console, log }))];
}

const NO_OPERATIONS = 'the document declares no operations, so every request is refused with 404';

/** The files that the program itself has open, with a margin. */
const OWN_FILES = 40;
const FEWEST_CONNECTIONS = 16;

/** Beyond the limit of open files, the system would drop connections silently. */
function limitConnections(openFiles: number | undefined): ListenAddress {
  if (openFiles === undefined) return {};
  return { maximumConnections: Math.max(FEWEST_CONNECTIONS, openFiles - OWN_FILES) };
}

/**
 * Writes the port and a line end to a file; returns false if it cannot. The file appears complete,
 * so that a program which waits for it can read it at once.
 */
async function writePortFile(port: number, { settings, console }: Started): Promise<boolean> {
  const { portFile: file } = settings;
  if (file === '') return true;
  try {
    const draft = `${file}.${port}.tmp`;
    await writeFile(draft, `${port}\n`);
    await rename(draft, file);
    return true;
  } catch (error) {
    console.writeError(`coldframe: cannot write the port file: ${reasonOf(error)}\n`);
    return false;
  }
}

/** Logs every uncaught error and resolves to the exit code 1, so that the mock closes in order. */
export function catchBug(console: Console, log: Log): Promise<number> {
  return new Promise((resolve) => {
    console.onUncaught((error) => {
      log.error('a bug outside of any request; please report it', error);
      console.writeError(`coldframe: ${error instanceof Error ? error.stack : String(error)}\n`);
      resolve(1);
    });
  });
}

/** Watches files and checks the document, from shortly after the start. */
export function startWatching({ mock, log, ...started }: Started): () => void {
  let stop: (() => void) | undefined;
  let isStopped = false;
  const timer = setTimeout(async () => {
    const { watchMock } = await import('../assemble/watch.ts');
    const { createBackgroundCheck } = await import('./background-check.ts');
    if (isStopped) return;
    const check = createBackgroundCheck({ mock, log, ...started });
    check.start();
    const stopWatching = watchMock(mock, log, () => check.start());
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

async function describe(server: ListeningMock, started: Started): Promise<void> {
  const { mock, settings, console, log } = started;
  if (!isPretty(settings, console)) {
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
  if (isSilent(settings)) return;
  const { describeStart } = await import('./welcome.ts');
  const document = [settings.document]
    .flat()
    .map(String)
    .map((one) => (isAbsolute(one) ? relative(console.folder, one) : one))
    .join(', ');
  const { hasColor } = console;
  console.write(describeStart(mock, server, { document, hasColor, tokens: settings.token }));
}
