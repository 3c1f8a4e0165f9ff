import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { loadContract } from '../../src/assemble/load.ts';
import { describeOperation } from '../../src/resources/describe.ts';
import { createDrafts, mayMean } from '../../src/resources/infer/drafts.ts';
import { arrangeFamilies } from '../../src/resources/infer/families.ts';
import type { Resources } from '../../src/resources/meaning.ts';
import { NO_OVERRIDES } from '../../src/resources/override/overrides.ts';
import { createResources } from '../../src/resources/resources.ts';
import { publicDocuments, testWithPublicDocuments } from '../support/public-documents.ts';

const ownDocuments = ['inference/', '../../spec/'].flatMap((folder) => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path).flatMap((name) => (name.endsWith('.yaml') ? path + name : []));
});

async function read(document: string) {
  const { contract } = await loadContract({ document });
  const families = arrangeFamilies(contract, NO_OVERRIDES);
  return { contract, families, drafts: createDrafts(families) };
}

async function compare(t: ExecutionContext, document: string): Promise<void> {
  const { contract, families, drafts } = await read(document);
  // The last operation comes first, so that none has been read for another before.
  const without = contract.operations
    .toReversed()
    .filter((operation) => !mayMean(operation, families, drafts));
  const whole = createResources((await read(document)).contract).explain();
  const inferred = whole.filter(({ meaning }) => meaning?.source === 'inferred');
  const meant = new Set(inferred.map(({ operation }) => operation.pointer));
  const missed = without.filter(({ pointer }) => meant.has(pointer));
  t.deepEqual(
    missed.map(({ id }) => id),
    [],
  );
}

function describe(resources: Resources) {
  return resources.explain().map(describeOperation);
}

async function inferInParts(t: ExecutionContext, document: string): Promise<void> {
  const { contract } = await read(document);
  const whole = describe(createResources(contract));
  const inParts = createResources(contract);
  let parts = 0;
  while (inParts.inferNext()) parts += 1;
  t.deepEqual(describe(inParts), whole);
  const interrupted = createResources(contract);
  for (let part = 0; part < parts / 2; part++) interrupted.inferNext();
  t.deepEqual(describe(interrupted), whole);
  t.false(interrupted.inferNext());
}

for (const document of ownDocuments) {
  const name = basename(document);
  test(`${name}: inferred in parts, its operations mean the same`, inferInParts, document);
  test(`${name}: what its own paths give no meaning has none at all`, compare, document);
}
for (const [name, document] of Object.entries(publicDocuments)) {
  testWithPublicDocuments(`${name}: what its own paths give no meaning has none at all`, (t) =>
    compare(t, document),
  );
}

test('most operations without a meaning are known by their own paths', async (t) => {
  const [document = ''] = ownDocuments.filter((one) => one.endsWith('control-api.openapi.yaml'));
  const { contract, families, drafts } = await read(document);
  const without = createResources(contract)
    .explain()
    .filter(({ meaning }) => meaning === undefined);
  const known = without.filter(({ operation }) => !mayMean(operation, families, drafts));
  t.true(known.length > without.length / 2, `${known.length} of ${without.length}`);
});
