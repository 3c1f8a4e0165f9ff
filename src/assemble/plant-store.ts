import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDocument, defaultFixtures } from '../settings/settings.ts';

/** The digest of the plant store when the program was built; undefined if the sources run. */
declare const PLANT_STORE_DIGEST: string | undefined;

/** Returns a digest of the document of the plant store and of its rules. */
export function digestPlantStore(): string {
  const names = readdirSync(defaultFixtures).sort();
  const files = [defaultDocument, ...names.map((name) => join(defaultFixtures, name))];
  const digest = createHash('sha256').update(names.join('\n'));
  for (const file of files) digest.update('\0').update(readFileSync(file));
  return digest.digest('hex');
}

/**
 * Returns true if nobody has edited the plant store since the program was built: its rules are
 * disabled then, and fit its document.
 */
export function isPlantStoreAsBuilt(): boolean {
  return typeof PLANT_STORE_DIGEST === 'string' && digestPlantStore() === PLANT_STORE_DIGEST;
}
