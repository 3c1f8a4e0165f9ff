import type { Contract } from '../contract/contract.ts';
import { isSame, type Stamps, stampAll } from '../document/read.ts';
import type { Log } from '../events/log.ts';

/** A mock whose files are watched. */
interface Watched {
  readonly contract: Contract;
  readonly stamps: Stamps;
  reload(): Promise<void>;
}

/**
 * Reloads a mock when its files change, and logs it.
 *
 * @param reloaded called after each reload
 * @returns a function that stops watching
 */
export function watchMock(mock: Watched, log: Log, reloaded: () => void = () => {}): () => void {
  return watchFiles(
    () => mock.stamps,
    async () => {
      if (await reloadMock(mock, log)) reloaded();
    },
  );
}

/** Reloads a mock and logs which operations came and went; returns false if it is not reloaded. */
export async function reloadMock(mock: Watched, log: Log): Promise<boolean> {
  const before = namesOf(mock.contract);
  try {
    await mock.reload();
    const after = namesOf(mock.contract);
    const added = [...after].filter((name) => !before.has(name)).map((name) => `+ ${name}`);
    const removed = [...before].filter((name) => !after.has(name)).map((name) => `− ${name}`);
    const changes = shorten([...added, ...removed]);
    log.info('reloaded', { ...(changes.length > 0 && { changes }), operations: after.size });
    return true;
  } catch (error) {
    log.error('not reloaded; the mock keeps serving the previous version', error);
    return false;
  }
}

/** Another document under the same name would be a line of a hundred kilobytes. */
const MOST_CHANGES_LOGGED = 20;

function shorten(changes: readonly string[]): readonly string[] {
  const hidden = changes.length - MOST_CHANGES_LOGGED;
  return hidden > 1 ? [...changes.slice(0, MOST_CHANGES_LOGGED), `… and ${hidden} more`] : changes;
}

function namesOf({ operations }: Contract): ReadonlySet<string> {
  return new Set(operations.map(({ method, path }) => `${method} ${path}`));
}

const POLL_MILLISECONDS = 100;
/** Files that do not change during this many polls are complete. */
const SETTLED_POLLS = 2;

/**
 * Watches files and folders by asking for their state: that works on every file system, in
 * containers too, through links that are turned (Kubernetes) and files that are replaced (editors).
 *
 * @param known the stamps of what was read last: whatever differs from them is a change, however
 *   long ago it came
 * @param changed called once the files have settled; it reads them, after which `known` gives
 *   their new stamps. What it did not take is not tried again until it changes once more
 * @returns a function that stops watching
 */
export function watchFiles(known: () => Stamps, changed: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let last: Stamps = known();
  let tried: Stamps = last;
  let settledPolls = 0;
  const poll = async (): Promise<void> => {
    const now = await stampAll(known().keys());
    settledPolls = isSame(now, last) ? settledPolls + 1 : 0;
    last = now;
    const isNews = !isSame(now, known()) && !isSame(now, tried);
    if (isNews && settledPolls >= SETTLED_POLLS && !isStopped) {
      tried = now;
      await changed();
    }
    schedule();
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(poll, POLL_MILLISECONDS);
    timer.unref();
  };
  schedule();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
