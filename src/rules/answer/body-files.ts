import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type Stamps, stampAll } from '../../document/read.ts';

/** Reads the body files of rules, and remembers which. */
export interface BodyFiles {
  /**
   * @param fixtureFile that names the body file
   * @param name relative to the fixture file, in its folder or below it
   * @returns undefined if there is no such file, or it may not be read
   */
  read(fixtureFile: string, name: string): Uint8Array | undefined;
  /** Returns the stamps of all files that were requested. */
  stamp(): Promise<Stamps>;
}

const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

/** @param fixtureFiles the files on this machine; rules from the network cannot name files */
export function createBodyFiles(fixtureFiles: readonly string[]): BodyFiles {
  const known = new Set(fixtureFiles);
  const requested = new Set<string>();
  return {
    read(fixtureFile, name) {
      const folder = resolve(dirname(fixtureFile));
      const path = resolve(folder, name);
      if (!known.has(fixtureFile) || !path.startsWith(folder + sep)) return undefined;
      requested.add(path);
      try {
        const stats = statSync(path);
        // A pipe, for example, could be read for ever.
        return stats.isFile() && stats.size <= LARGEST_BODY_BYTES ? readFileSync(path) : undefined;
      } catch (error) {
        // An error of the file system has a code.
        if (error instanceof Error && 'code' in error) return undefined;
        throw error;
      }
    },
    stamp: () => stampAll(requested),
  };
}
