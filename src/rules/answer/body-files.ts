import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type Stamps, stampAll } from '../../document/read.ts';

/** Reads the bodies that fixtures name, and remembers which. */
export interface BodyFiles {
  /**
   * @param fixtureFile that names it
   * @param name relative to that file, in its folder or below it
   * @returns undefined where there is none, or none may be read
   */
  read(fixtureFile: string, name: string): Uint8Array | undefined;
  /** @returns the stamps of all that were asked for */
  stamp(): Promise<Stamps>;
}

const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

/** @param fixtureFiles that lie on this machine; what comes by the network names no files */
export function createBodyFiles(fixtureFiles: readonly string[]): BodyFiles {
  const known = new Set(fixtureFiles);
  const asked = new Set<string>();
  return {
    read(fixtureFile, name) {
      const folder = resolve(dirname(fixtureFile));
      const path = resolve(folder, name);
      if (!known.has(fixtureFile) || !path.startsWith(folder + sep)) return undefined;
      asked.add(path);
      try {
        const stats = statSync(path);
        // What is no file, such as a pipe, could be read for ever.
        return stats.isFile() && stats.size <= LARGEST_BODY_BYTES ? readFileSync(path) : undefined;
      } catch {
        return undefined;
      }
    },
    stamp: () => stampAll(asked),
  };
}
