import type { Clock } from '../base/clock.ts';
import type { KeptExchange } from './exchange.ts';
import type { Journal } from './keep/journal.ts';
import type { Wanted } from './verify.ts';

/** The requests to wait for. */
export interface Awaited extends Wanted {
  readonly count: number;
}

/** The state when the wait ended. */
export interface Waited {
  readonly isMet: boolean;
  readonly count: number;
}

/**
 * Waits until the session has enough requests, counting those in the journal. Ends earlier when the
 * session is dropped. Always removes its listener.
 *
 * @param milliseconds the longest wait
 * @param clock of the machine: that of a session may be frozen
 * @param signal ends the wait, for example when the client disconnects
 * @throws {Problem} TOO_MANY_LISTENERS
 */
export async function waitUntil(
  journal: Journal,
  awaited: Awaited,
  milliseconds: number,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<Waited> {
  let count = journal.count(awaited.pattern, awaited.status);
  const isMet = (): boolean => count >= awaited.count;
  if (isMet()) return { isMet: true, count };
  const end = new AbortController();
  const stop = (): void => end.abort();
  const off = journal.on({
    recorded(exchange) {
      if (!isWanted(journal, awaited, exchange)) return;
      count++;
      if (isMet()) stop();
    },
    cleared() {
      count = 0;
    },
    closed: stop,
  });
  try {
    signal?.addEventListener('abort', stop);
    if (signal?.aborted !== true) await clock.sleep(milliseconds, end.signal);
  } finally {
    off();
    signal?.removeEventListener('abort', stop);
  }
  return { isMet: isMet(), count };
}

function isWanted(journal: Journal, { pattern, status }: Wanted, exchange: KeptExchange): boolean {
  if (status !== undefined && exchange.status !== status) return false;
  return pattern.matches(journal.view(exchange));
}
