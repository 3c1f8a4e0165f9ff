import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the package that nothing else has. */
export const PLANT_STORE = 'spec/plant-store.openapi.yaml';

/**
 * Returns the folder of the package: above the library, or above the sources and the files of the
 * program. In a bundle of others it is resolved by the package's name, which takes Node.js 2 ms.
 */
function findPackage(): string {
  const near = ['..', '../..'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  const found = near.find((folder) => existsSync(join(folder, PLANT_STORE)));
  return found ?? dirname(createRequire(import.meta.url).resolve('coldframe/package.json'));
}

export const packageFolder = findPackage();
