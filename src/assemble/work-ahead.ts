import { setTimeout as sleep } from 'node:timers/promises';
import { createBusyMeter } from '../base/clock.ts';
import type { CoverageRecorder } from '../report/coverage/recorder.ts';
import type { Resources } from '../resources/meaning.ts';
import type { Rehearsal } from './rehearsal.ts';

/** The work that a mock does before the first request that needs it. */
export interface WorkAhead {
  /** Undefined where responses need no meanings. */
  readonly resources: Pick<Resources, 'inferNext'> | undefined;
  readonly createRehearsal: () => Pick<Rehearsal, 'next'>;
  /** Undefined where nothing is recorded. */
  readonly coverage: Pick<CoverageRecorder, 'planNext'> | undefined;
  /** Returns false when memory is scarce: what no request needs yet may not take the rest. */
  readonly hasRoom: () => boolean;
}

/** Milliseconds: what a start has to do comes first. */
const PAUSE = 50;

/** The time for which nothing may happen before the rehearsal begins or goes on; milliseconds. */
const QUIET = 500;
/** The time between two requests of the rehearsal, in which others are answered; milliseconds. */
const GAP = 20;
/** Operations whose coverage is planned at once: some milliseconds for large ones. */
const PLANS = 8;
/** The share of time in which something happens. */
const BUSY_SHARE = 0.1;

/**
 * Does what first requests need before they come. First it infers what operations mean: a part in
 * each turn of the event loop, so that no request waits for more than a part. Then it rehearses, a
 * request at a time, and plans what coverage counts, while there are no requests and memory is left.
 * An error ends it: the request that meets it again reports it.
 *
 * @param isCurrent returns false when the documents have been read again, or the mock closes
 */
export function workAhead(work: WorkAhead, isCurrent: () => boolean): void {
  const { resources } = work;
  const step = (): void => {
    if (!isCurrent()) return;
    try {
      if (resources?.inferNext() === true) setImmediate(step);
      else void rehearse(work, isCurrent).catch(() => {});
    } catch {
      // What is left of the work would meet the same error.
    }
  };
  setTimeout(step, PAUSE).unref();
}

async function rehearse(work: WorkAhead, isCurrent: () => boolean): Promise<void> {
  const busyShare = createBusyMeter();
  let rehearsal: Pick<Rehearsal, 'next'> | undefined;
  for (let pause = QUIET; ; ) {
    await sleep(pause, undefined, { ref: false });
    if (!isCurrent() || !work.hasRoom()) return;
    const isQuiet = busyShare() < BUSY_SHARE;
    pause = isQuiet ? GAP : QUIET;
    if (!isQuiet) continue;
    rehearsal ??= work.createRehearsal();
    if (!(await rehearsal.next()) && !planSome(work)) return;
    // The time of the rehearsal itself does not count.
    busyShare();
  }
}

/** Returns false if nothing is left to plan. */
function planSome({ coverage }: WorkAhead): boolean {
  let isLeft = coverage !== undefined;
  for (let count = 0; isLeft && count < PLANS; count++) isLeft = coverage?.planNext() === true;
  return isLeft;
}
