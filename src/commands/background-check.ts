import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { ProgramMock } from '../assemble/mock.ts';
import { isPlantStoreAsBuilt } from '../assemble/plant-store.ts';
import { systemClock } from '../base/clock.ts';
import { readRegularFile } from '../document/read.ts';
import type { Log } from '../events/log.ts';
import { defaultDocument, type Settings } from '../settings/settings.ts';
import type { CheckOrder, CheckResult } from './check-worker.ts';
import type { Console } from './console.ts';
import type { StoredDocuments } from './kept-documents.ts';
import { identifyProgram, type KeptFiles, keepResults, openKeptFiles } from './kept-files.ts';
import { LARGE_BYTES } from './reading.ts';

/** The mock whose documents are checked, with its settings and its log. */
export interface CheckedMock {
  readonly mock: Pick<ProgramMock, 'stamps' | 'requests' | 'isPreparing'>;
  readonly settings: Settings;
  readonly console: Pick<Console, 'cacheFolder' | 'availableMemory'>;
  readonly log: Log;
  /** The stored results of the documents; undefined if nothing is stored. */
  readonly stored?: Pick<StoredDocuments, 'hasMissedValue' | 'keepFound'> | undefined;
}

/** The time without a request after which a check goes on. */
const QUIET_MILLISECONDS = 250;
/** The memory of a check: for its thread, and for each byte of the documents. */
const FEWEST_BYTES = 64 * 1024 * 1024;
const BYTES_FOR_BYTE = 40;

/**
 * Creates a check of the served documents, which logs its findings. A thread of its own makes it, so
 * that the memory is given back at the end; it waits while requests come. What it finds is kept:
 * documents that have not changed are not checked again.
 */
export function createBackgroundCheck({ mock, settings, console, log, stored }: CheckedMock) {
  let current = new AbortController();
  const kept = openKept(settings, console);
  const run = async (signal: AbortSignal): Promise<void> => {
    // The check needs the same.
    await stored?.keepFound();
    const { digest, bytes } = await readAll(mock, settings);
    // Only a check stores the value of a YAML text.
    const known = stored?.hasMissedValue() ? undefined : await kept?.read(digest);
    if (signal.aborted) return;
    if (known !== undefined) {
      logFindings(known, log);
      return;
    }
    if (console.availableMemory() < FEWEST_BYTES + BYTES_FOR_BYTE * bytes) {
      log.warn('the document is not checked, as memory is short; run coldframe check');
      return;
    }
    const isLong = bytes >= LARGE_BYTES;
    if (isLong) log.info('checking', { bytes });
    const start = systemClock.monotonic();
    const result = await check({ mock, settings, console }, signal);
    if (signal.aborted || result === undefined) return;
    await kept?.keep(digest, result);
    logFindings(result, log);
    const findings = result.findings.length + result.hidden;
    const milliseconds = Math.round(systemClock.monotonic() - start);
    if (isLong) log.info('checked', { findings, milliseconds });
  };
  return {
    /** Aborts a running check. */
    start(): void {
      current.abort();
      if (isKnownToBeSound(settings)) return;
      current = new AbortController();
      const { signal } = current;
      run(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error('the document could not be checked', error);
      });
    },
    stop: () => current.abort(),
  };
}

/** Returns true for the plant store as it was built, of which the tests know that nothing is found. */
function isKnownToBeSound({ document, overlay }: Settings): boolean {
  const isPlantStore = String(document) === defaultDocument && overlay.length === 0;
  return isPlantStore && isPlantStoreAsBuilt();
}

/** Checks the documents in a thread; undefined if it is aborted. */
async function check(
  { mock, settings, console }: Omit<CheckedMock, 'log' | 'stored'>,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  // Until the first look, requests may be coming.
  const isBusy = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(1);
  const { document, overlay, allowReference, cache } = settings;
  const order: CheckOrder = {
    settings: { document, overlay, allowReference },
    cacheFolder: cache ? console.cacheFolder : undefined,
    isBusy,
  };
  const worker = new Worker(new URL('./check-worker.cjs', import.meta.url), { workerData: order });
  worker.unref();
  let last = mock.requests;
  const look = setInterval(() => {
    const { requests, isPreparing } = mock;
    Atomics.store(isBusy, 0, requests === last && !isPreparing ? 0 : 1);
    Atomics.notify(isBusy, 0);
    last = requests;
  }, QUIET_MILLISECONDS).unref();
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', () => resolve(undefined));
    });
  } finally {
    clearInterval(look);
    signal.removeEventListener('abort', end);
  }
}

function logFindings({ findings, hidden }: CheckResult, log: Log): void {
  for (const { message, file, position, pointer, rule, severity, remedy } of findings) {
    const at = `${file}:${position.line}:${position.column}`;
    log.warn(message, { severity, rule, at, pointer, remedy });
  }
  if (hidden > 0) log.warn(`${hidden} more findings; run coldframe check to see them`);
}

/** Reads all files of a mock again, which takes a fraction of their check. */
async function readAll({ stamps }: CheckedMock['mock'], settings: CheckedMock['settings']) {
  const { document, overlay, allowReference } = settings;
  const digest = createHash('sha256');
  digest.update(JSON.stringify([identifyProgram(), document, overlay, allowReference]));
  let bytes = 0;
  for (const file of [...stamps.keys()].sort()) {
    // Folders are watched, too, and files that do not exist yet.
    const content = await readRegularFile(file).catch(() => undefined);
    digest.update(`\0${file}\0`).update(content?.bytes ?? '');
    bytes += content?.bytes.length ?? 0;
  }
  return { digest: digest.digest('hex'), bytes };
}

/** Returns undefined if a URL may give other content next time. */
function openKept(
  { document, overlay, allowReference, cache }: Settings,
  { cacheFolder }: CheckedMock['console'],
): KeptFiles<CheckResult> | undefined {
  const areFiles = [document, overlay, allowReference]
    .flat()
    .every((one) => typeof one === 'string' && !/^(?:\/[^=]*=)?https?:/i.test(one));
  if (!areFiles || !cache || cacheFolder === undefined) return undefined;
  return keepResults(openKeptFiles(cacheFolder, 'checks'));
}
