import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../base/json/parse.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { Contract } from '../contract/contract.ts';
import { collectionPattern, isShared } from '../resources/collections.ts';
import type { Resources } from '../resources/meaning.ts';
import type { ResourceType } from '../resources/resource.ts';
import { createResources } from '../resources/resources.ts';
import { createFixtureSchema, type SeededPlace } from '../rules/schema/fixture-schema.ts';
import { packageFile } from '../settings/settings.ts';

/** The published schema of fixture files. */
const formatFile = join(dirname(packageFile), 'fixtures', 'fixtures.schema.json');

export async function loadFixtureSchema(
  contract: Contract,
  resources: Resources = createResources(contract),
): Promise<JsonObject> {
  const format = parseJson(await readFile(formatFile, 'utf8'));
  if (!isJsonObject(format)) throw new TypeError(`${formatFile} is no schema`);
  return createFixtureSchema(format, contract, resources.all.map(describePlace));
}

function describePlace(resource: ResourceType): SeededPlace {
  const pointers = [resource.schema, resource.writtenSchema].flatMap((one) => one?.pointer ?? []);
  const name = isShared(resource) ? resource.name : collectionPattern(resource);
  return { name, isOne: resource.kind === 'singleton', pointers };
}
