import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from '../assemble/load.ts';
import { systemClock } from '../base/clock.ts';
import { findFindingsIdly } from '../check/check.ts';
import type { Finding } from '../check/finding.ts';
import type { Settings } from '../settings/settings.ts';
import { openKeptDocuments } from './kept-documents.ts';

/** The documents to check. */
export interface CheckOrder {
  readonly settings: Pick<Settings, 'document' | 'overlay' | 'allowReference'>;
  /** Where the values of the documents are kept; undefined to keep none. */
  readonly cacheFolder: string | undefined;
  /** The one number is 1 while requests come. */
  readonly isBusy: Int32Array;
}

/** The findings that the log shows. */
export interface CheckResult {
  /** Errors, then warnings; at most {@link MOST_LOGGED}. */
  readonly findings: readonly Finding[];
  /** The number of further ones. */
  readonly hidden: number;
}

const MOST_LOGGED = 20;
/** A step of the check is made at least this often, so that it ends also while requests come. */
const LONGEST_WAIT_MILLISECONDS = 1_000;

/** Checks documents, and returns what the log shows. */
async function check({ settings, cacheFolder, isBusy }: CheckOrder): Promise<CheckResult> {
  const { contract } = await loadContract(settings, openKeptDocuments(cacheFolder, true));
  const pause = async (): Promise<void> => {
    await setImmediate();
    const end = systemClock.monotonic() + LONGEST_WAIT_MILLISECONDS;
    // A notification ends a wait even where requests still come.
    while (Atomics.wait(isBusy, 0, 1, end - systemClock.monotonic()) === 'ok');
  };
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for await (const finding of findFindingsIdly(contract, new AbortController().signal, pause)) {
    if (finding.severity === 'error') errors.push(finding);
    if (finding.severity === 'warning') warnings.push(finding);
  }
  const all = [...errors, ...warnings];
  const findings = all.slice(0, MOST_LOGGED);
  return { findings, hidden: all.length - findings.length };
}

void check(workerData as CheckOrder).then((result) => parentPort?.postMessage(result));
