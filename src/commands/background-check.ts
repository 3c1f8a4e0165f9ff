import { findFindingsIdly } from '../check/check.ts';
import type { Finding } from '../check/finding.ts';
import type { Contract } from '../contract/contract.ts';
import type { Log } from '../log.ts';

/** Checks what is served while it is served, and logs what is wrong with it. */
export interface BackgroundCheck {
  /** Begins with another contract; what is under way is given up. */
  start(contract: Contract): void;
  stop(): void;
}

export function createBackgroundCheck(log: Log): BackgroundCheck {
  let current = new AbortController();
  return {
    start(contract) {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      logFindings(contract, log, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error('the document could not be checked', error);
      });
    },
    stop: () => current.abort(),
  };
}

/** A log is for what matters most; the command tells everything. */
const MOST_LOGGED = 20;

async function logFindings(contract: Contract, log: Log, signal: AbortSignal): Promise<void> {
  let count = 0;
  for await (const finding of findFindingsIdly(contract, signal)) {
    if (finding.severity === 'note') continue;
    count++;
    if (count <= MOST_LOGGED) tell(log, finding);
  }
  if (count > MOST_LOGGED && !signal.aborted) {
    log.warn(`and ${count - MOST_LOGGED} more, see coldframe check`);
  }
}

function tell(log: Log, { message, file, position, pointer, rule, severity, remedy }: Finding) {
  const { line, column } = position;
  log.warn(message, { severity, rule, at: `${file}:${line}:${column}`, pointer, remedy });
}
