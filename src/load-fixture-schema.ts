import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Contract } from './contract/contract.ts';
import { packageFile } from './defaults.ts';
import { createFixtureSchema } from './fixtures/fixture-schema.ts';
import { parseJson } from './json/parse.ts';
import { isJsonObject, type JsonObject } from './json/value.ts';

/** The published schema of fixture files. */
const formatFile = join(dirname(packageFile), 'fixtures', 'fixtures.schema.json');

/** @returns the schema of fixture files for the operations of one contract */
export async function loadFixtureSchema(contract: Contract): Promise<JsonObject> {
  const format = parseJson(await readFile(formatFile, 'utf8'));
  if (!isJsonObject(format)) throw new TypeError(`${formatFile} is no schema`);
  return createFixtureSchema(format, contract);
}
