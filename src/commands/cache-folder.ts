import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Returns the folder that the system has for it (XDG Base Directory Specification on Linux). */
export function findCacheFolder({
  env: { XDG_CACHE_HOME, LOCALAPPDATA },
  platform,
}: Pick<NodeJS.Process, 'env' | 'platform'>): string | undefined {
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (platform === 'win32') return LOCALAPPDATA;
  const home = findHome();
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, platform === 'darwin' ? 'Library/Caches' : '.cache');
}

/** Returns undefined for a user that the system does not know, as in some containers. */
function findHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * Makes a folder, and those that it is in. The `recursive` of Node.js never ends where `mkdir` says
 * that a folder does not exist which does, as in `/proc`.
 *
 * @throws {Error} if it cannot be made
 */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || parent === folder) throw error;
    makeFolder(parent);
    mkdirSync(folder);
  }
}

/** Removes the files of a folder that were written first, beyond a number. */
export function removeOldest(folder: string, most: number): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length <= most) return;
  const aged = files.map((file) => ({ file, at: statSync(file).mtimeMs }));
  const sorted = aged.sort((left, right) => right.at - left.at);
  for (const { file } of sorted.slice(most)) rmSync(file, { force: true });
}
