import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../base/json/parse.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { LazyText } from '../base/lazy-text.ts';
import { defaultDocument, defaultFixtures } from '../settings/settings.ts';

/** The digest of the plant store when the program was built; undefined if the sources run. */
declare const PLANT_STORE_DIGEST: string | undefined;

/** The text of its document then, and the value of that text as JSON. */
declare const PLANT_STORE_DOCUMENT: { readonly text: string; readonly json: string } | undefined;

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

/**
 * Returns the value of the plant store's document, if this is its text as it was built: a start then
 * needs no parser of YAML.
 */
export function knownValueOf({ bytes }: LazyText): JsonValue | undefined {
  if (typeof PLANT_STORE_DOCUMENT === 'undefined') return undefined;
  const { text, json } = PLANT_STORE_DOCUMENT;
  return bytes.equals(Buffer.from(text)) ? parseJson(json) : undefined;
}
