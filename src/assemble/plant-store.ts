import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { parseJson } from '../base/json/parse.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { LazyText } from '../base/lazy-text.ts';
import { defaultDocument, defaultFixtures } from '../settings/settings.ts';

/** The checksum of the plant store when the program was built; undefined if the sources run. */
declare const PLANT_STORE_CHECKSUM: number | undefined;

/** The text of its document then, and the value of that text as JSON. */
declare const PLANT_STORE_DOCUMENT: { readonly text: string; readonly json: string } | undefined;

/**
 * Returns a checksum of the document of the plant store and of its rules. For a digest, each start
 * would load Node's cryptography, which takes longer than all else that is done here.
 */
export function sumPlantStore(): number {
  const names = readdirSync(defaultFixtures).sort();
  const files = [defaultDocument, ...names.map((name) => join(defaultFixtures, name))];
  return files.reduce((sum, file) => crc32(readFileSync(file), sum), crc32(names.join('\n')));
}

/**
 * Returns true if nobody has edited the plant store since the program was built: its rules are
 * disabled then, and fit its document.
 */
export function isPlantStoreAsBuilt(): boolean {
  return typeof PLANT_STORE_CHECKSUM === 'number' && sumPlantStore() === PLANT_STORE_CHECKSUM;
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
