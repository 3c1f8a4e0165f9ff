import { createHash } from 'node:crypto';
import type { KeptOutlines } from '../document/read-document.ts';
import type { Outline } from '../document/source.ts';
import { readVersion } from '../settings/settings.ts';
import { openKeptFiles } from './kept-files.ts';

/** Returns the outlines in the user's cache folder; undefined without such a folder. */
export function keepOutlines(cacheFolder: string | undefined): KeptOutlines | undefined {
  const files = openKeptFiles<Outline>(cacheFolder, 'outlines');
  if (files === undefined) return undefined;
  return {
    of(bytes) {
      const digest = createHash('sha256').update(`${readVersion()}\0`).update(bytes).digest('hex');
      return {
        read: () => files.read(digest),
        keep: (outline) => void files.keep(digest, outline),
      };
    },
  };
}
