import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { ExecutionContext } from 'ava';

/**
 * Makes a folder with these files in it; it is removed when the test ends.
 *
 * @param files texts by path below the folder
 * @returns the folder's path
 */
export async function createFolder(
  t: ExecutionContext,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coldframe-test-'));
  // A browser that was told to end may still be writing for a moment.
  t.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/**
 * Replaces a file at once, as editors do: on a busy machine, a file that is written in place may
 * stay empty for longer than the mock waits for it.
 */
export async function saveFile(path: string, text: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coldframe-save-'));
  const file = join(folder, basename(path));
  await writeFile(file, text);
  await rename(file, path);
  await rm(folder, { recursive: true });
}
