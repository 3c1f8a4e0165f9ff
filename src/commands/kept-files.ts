import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Results that the next start of the program need not find again. */
export interface KeptFiles<Result> {
  /** Returns the result with a name; undefined if none is kept. */
  read(name: string): Promise<Result | undefined>;
  keep(name: string, result: Result): Promise<void>;
}

/** How many results of a kind are kept. */
const MOST_KEPT = 100;

/** Returns the results of a kind in the user's cache folder; undefined without such a folder. */
export function openKeptFiles<Result>(
  cacheFolder: string | undefined,
  kind: string,
): KeptFiles<Result> | undefined {
  if (cacheFolder === undefined) return undefined;
  const folder = join(cacheFolder, 'coldframe', kind);
  return {
    async read(name) {
      try {
        return JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Result;
      } catch {
        // Nothing is kept, or it cannot be read.
        return undefined;
      }
    },
    async keep(name, result) {
      try {
        const file = join(folder, `${name}.json`);
        await mkdir(folder, { recursive: true });
        await writeFile(`${file}.tmp`, JSON.stringify(result));
        await rename(`${file}.tmp`, file);
        await removeOldest(folder);
      } catch {
        // A container may have no such folder, and its next start finds the result again.
      }
    },
  };
}

async function removeOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= MOST_KEPT) return;
  const aged = names.map(async (name) => ({
    name,
    at: (await stat(join(folder, name))).mtimeMs,
  }));
  const sorted = (await Promise.all(aged)).sort((left, right) => right.at - left.at);
  for (const { name } of sorted.slice(MOST_KEPT)) await rm(join(folder, name), { force: true });
}
