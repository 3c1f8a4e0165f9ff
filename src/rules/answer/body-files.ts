import { readFileSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type Stamps, stampAll } from '../../document/read.ts';

/** The name of the file of rules that clients add. */
export const BODY_FILE = '(body).json';

const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

/** Returns a reader of body files, each in or below the folder of its fixture file. */
export function createBodyFiles(folders: ReadonlyMap<string, string>) {
  const requested = new Set<string>();
  return {
    read(fixtureFile: string, name: string): Uint8Array | undefined {
      const named = folders.get(fixtureFile);
      if (named === undefined) return undefined;
      const folder = resolve(named);
      const path = resolve(folder, name);
      if (!path.startsWith(folder + sep)) return undefined;
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
    stamp: (): Promise<Stamps> => stampAll(requested),
  };
}
