import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { createUniqueName } from '../base/random.ts';
import { readVersion } from '../settings/settings.ts';
import { makeFolder, removeOldest } from './cache-folder.ts';

/** The digest of the sources when the program was built; undefined if the sources run. */
declare const PROGRAM_DIGEST: string | undefined;

/** Returns a text that differs between programs, which may find different results. */
export function identifyProgram(): string {
  return typeof PROGRAM_DIGEST === 'string' ? PROGRAM_DIGEST : readVersion();
}

/** Files that the next start of the program need not make again. */
export interface KeptFiles<Content> {
  /** Returns true if the name of a kept file begins with a text. */
  has(start: string): Promise<boolean>;
  /** Returns the content of a file; undefined if it is not kept. */
  read(name: string): Promise<Content | undefined>;
  keep(name: string, content: Content): Promise<void>;
}

/** How many files of a kind are kept. */
const MOST_KEPT = 100;

/** Returns the files of a kind in the user's cache folder, the newest of which are kept. */
export function openKeptFiles(
  cacheFolder: string,
  kind: string,
  mostKept = MOST_KEPT,
): KeptFiles<Buffer> {
  const folder = join(cacheFolder, 'coldframe', kind);
  const pathOf = (name: string): string => join(folder, name);
  return {
    has: async (start) =>
      (await readdir(folder).catch(() => [])).some((name) => name.startsWith(start)),
    // Most files are not kept yet.
    read: (name) => readFile(pathOf(name)).catch(() => undefined),
    async keep(name, content) {
      // Another process may write the same file at this moment.
      const draft = `${pathOf(name)}.${createUniqueName()}.tmp`;
      try {
        makeFolder(folder);
        await writeFile(draft, content);
        await rename(draft, pathOf(name));
        removeOldest(folder, mostKept);
      } catch {
        // A container may have no such folder, and its next start makes the file again.
        await rm(draft, { force: true }).catch(() => {});
      }
    },
  };
}

const CHECKSUM_BYTES = 4;

/** Returns files that count as not kept where they are damaged, or have the content of another. */
export function withChecksum(files: KeptFiles<Buffer>): KeptFiles<Buffer> {
  return {
    has: files.has,
    async read(name) {
      const file = await files.read(name);
      if (file === undefined || file.length < CHECKSUM_BYTES) return undefined;
      const content = file.subarray(CHECKSUM_BYTES);
      return file.readUInt32BE(0) === sumOf(name, content) ? content : undefined;
    },
    async keep(name, content) {
      const checksum = Buffer.alloc(CHECKSUM_BYTES);
      checksum.writeUInt32BE(sumOf(name, content));
      await files.keep(name, Buffer.concat([checksum, content]));
    },
  };
}

function sumOf(name: string, content: Buffer): number {
  return crc32(content, crc32(name));
}

/** Returns results that are kept as JSON. */
export function keepResults<Result>(files: KeptFiles<Buffer>): KeptFiles<Result> {
  const checked = withChecksum(files);
  return {
    has: checked.has,
    async read(name) {
      const content = await checked.read(name);
      return content && (JSON.parse(content.toString()) as Result);
    },
    keep: (name, result) => checked.keep(name, Buffer.from(JSON.stringify(result))),
  };
}
