import { unwatchFile, watchFile } from 'node:fs';

const POLL_MILLISECONDS = 100;
/** A file that did not change for this long is taken to be whole. */
const SETTLED_MILLISECONDS = 200;

/**
 * Watches files and folders by asking for their state: that works on every file system, in
 * containers too, through links that are turned (Kubernetes) and files that are replaced (editors).
 *
 * @param paths what to watch; asked again after each change, as there may be new files
 * @param changed called once the files have settled; the next change waits until it is done
 * @returns stops watching
 */
export function watchFiles(
  paths: () => readonly string[],
  changed: () => Promise<void>,
): () => void {
  let watched: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const onChange = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // One after the other: an older reading must not overtake a newer one.
      running = running.then(settle);
    }, SETTLED_MILLISECONDS);
    timer.unref();
  };
  const begin = (): void => {
    watched = [...new Set(paths())];
    for (const path of watched) {
      watchFile(path, { interval: POLL_MILLISECONDS, persistent: false }, onChange);
    }
  };
  const end = (): void => {
    for (const path of watched) unwatchFile(path, onChange);
  };
  const settle = async (): Promise<void> => {
    if (isStopped) return;
    await changed();
    if (isStopped) return;
    end();
    begin();
  };
  begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    end();
  };
}
