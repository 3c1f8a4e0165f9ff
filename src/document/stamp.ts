import { stat } from 'node:fs/promises';

/** What a file or folder was when it was read: another stamp, another content. */
export type Stamps = ReadonlyMap<string, string>;

/** @returns the stamp of a path as it is now; one that is not there has a stamp too */
export async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // Reading the path reports why it cannot be read.
    return 'missing';
  }
}

/** @returns the stamps of these paths as they are now */
export async function stampAll(paths: Iterable<string>): Promise<Stamps> {
  const list = [...new Set(paths)];
  return new Map(await Promise.all(list.map(async (path) => [path, await stampOf(path)] as const)));
}

export function isSame(left: Stamps, right: Stamps): boolean {
  return left.size === right.size && [...left].every(([path, stamp]) => right.get(path) === stamp);
}
