import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type Stamps, stampAll } from '../../document/read.ts';

const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Returns a reader of the body files of rules, in the folder of a fixture file or below it.
 *
 * @param fixtureFiles the files on this machine; rules from the network cannot name files
 */
export function createBodyFiles(fixtureFiles: readonly string[]) {
  const known = new Set(fixtureFiles);
  const requested = new Set<string>();
  return {
    read(fixtureFile: string, name: string): Uint8Array | undefined {
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
    /** Returns the stamps of all files that were requested. */
    stamp: (): Promise<Stamps> => stampAll(requested),
  };
}
