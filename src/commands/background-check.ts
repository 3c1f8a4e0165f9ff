import type { Clock } from '../base/clock.ts';
import { findFindingsIdly } from '../check/check.ts';
import type { Finding } from '../check/finding.ts';
import type { Contract } from '../contract/contract.ts';
import type { Log } from '../events/log.ts';

/** Creates a check of the served contract that runs between requests and logs its findings. */
export function createBackgroundCheck(log: Log, clock: Clock) {
  let current = new AbortController();
  return {
    /** Starts to check a contract; a running check is aborted. */
    start(contract: Contract): void {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      logFindings(contract, log, clock, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error('the document could not be checked', error);
      });
    },
    stop: () => current.abort(),
  };
}

/** Rests four times as long as it works, so that requests come first. */
const REST_FOR_WORK = 4;

/** Returns a function that rests in proportion to the work since its last call. */
function createPause(clock: Clock, signal: AbortSignal): () => Promise<void> {
  let resumed = clock.monotonic();
  return async () => {
    await clock.sleep((clock.monotonic() - resumed) * REST_FOR_WORK, signal);
    resumed = clock.monotonic();
  };
}

const MOST_LOGGED = 20;

async function logFindings(
  contract: Contract,
  log: Log,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for await (const finding of findFindingsIdly(contract, signal, createPause(clock, signal))) {
    if (finding.severity === 'error') errors.push(finding);
    if (finding.severity === 'warning') warnings.push(finding);
  }
  if (signal.aborted) return;
  const findings = [...errors, ...warnings];
  for (const finding of findings.slice(0, MOST_LOGGED)) logFinding(log, finding);
  const hidden = findings.length - MOST_LOGGED;
  if (hidden > 0) log.warn(`${hidden} more findings; run coldframe check to see them`);
}

function logFinding(
  log: Log,
  { message, file, position, pointer, rule, severity, remedy }: Finding,
) {
  const { line, column } = position;
  log.warn(message, { severity, rule, at: `${file}:${line}:${column}`, pointer, remedy });
}
