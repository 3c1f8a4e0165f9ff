import type { Clock } from '../base/clock.ts';
import { findFindingsIdly } from '../check/check.ts';
import type { Finding } from '../check/finding.ts';
import type { Contract } from '../contract/contract.ts';
import type { Log } from '../events/log.ts';

/** Rests four times as long as it works, so that requests come first. */
const REST_FOR_WORK = 4;
const MOST_LOGGED = 20;

/** Creates a check of the served contract that runs between requests and logs its findings. */
export function createBackgroundCheck(log: Log, clock: Clock) {
  let current = new AbortController();
  const logFindings = async (contract: Contract, signal: AbortSignal): Promise<void> => {
    let resumed = clock.monotonic();
    const pause = async (): Promise<void> => {
      await clock.sleep((clock.monotonic() - resumed) * REST_FOR_WORK, signal);
      resumed = clock.monotonic();
    };
    const errors: Finding[] = [];
    const warnings: Finding[] = [];
    for await (const finding of findFindingsIdly(contract, signal, pause)) {
      if (finding.severity === 'error') errors.push(finding);
      if (finding.severity === 'warning') warnings.push(finding);
    }
    if (signal.aborted) return;
    const findings = [...errors, ...warnings];
    for (const finding of findings.slice(0, MOST_LOGGED)) {
      const { message, file, position, pointer, rule, severity, remedy } = finding;
      const at = `${file}:${position.line}:${position.column}`;
      log.warn(message, { severity, rule, at, pointer, remedy });
    }
    const hidden = findings.length - MOST_LOGGED;
    if (hidden > 0) log.warn(`${hidden} more findings; run coldframe check to see them`);
  };
  return {
    /** Aborts a running check. */
    start(contract: Contract): void {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      logFindings(contract, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error('the document could not be checked', error);
      });
    },
    stop: () => current.abort(),
  };
}
