import type { Resources } from '../resources/meaning.ts';

/** Milliseconds: what a start has to do comes first. */
const PAUSE = 50;

/**
 * Infers what operations mean before the first request that needs it: a part in each turn of the
 * event loop, so that no request waits for more than a part. An error stops it: the request that
 * meets it again reports it.
 *
 * @param current returns the resources of the document as it is now
 */
export function inferAhead(current: () => Resources, closing: AbortSignal): void {
  const resources = current();
  const step = (): void => {
    if (closing.aborted || current() !== resources) return;
    if (hasMore(resources)) setImmediate(step);
  };
  setTimeout(step, PAUSE).unref();
}

function hasMore(resources: Resources): boolean {
  try {
    return resources.inferNext();
  } catch {
    return false;
  }
}
