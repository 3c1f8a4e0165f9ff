import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { loadContract } from '../../src/assemble/load.ts';
import { toJson } from '../../src/base/json/stringify.ts';
import { Decimal } from '../../src/base/json/value.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { readMeanings, writeMeanings } from '../../src/resources/kept-meanings.ts';
import type { Inferred, Meaning } from '../../src/resources/meaning.ts';
import type { ResourceType } from '../../src/resources/resource.ts';
import { createResources } from '../../src/resources/resources.ts';
import { publicDocuments, testWithPublicDocuments } from '../support/public-documents.ts';

const ownDocuments = ['inference/', '../../spec/'].flatMap((folder) => {
  const path = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(path).flatMap((name) => (name.endsWith('.yaml') ? path + name : []));
});

function write(contract: Contract, inferred: Inferred): Buffer {
  const parts = writeMeanings(contract, inferred);
  for (let part = parts.next(); ; part = parts.next()) if (part.done) return part.value;
}

function factsOfType({ schema, writtenSchema, ...type }: ResourceType) {
  const { serverSet } = type;
  const facts = { ...type, serverSet };
  return [schema?.pointer, writtenSchema?.pointer, requireData(facts)];
}

function factsOf(meaning: Meaning | undefined): unknown {
  if (meaning === undefined) return undefined;
  const { operation, type, ...facts } = meaning;
  const users = meaning.kind === 'login' ? meaning.users : undefined;
  const renamed = 'given' in meaning && meaning.given?.renamed;
  return [
    operation.id,
    factsOfType(type),
    users && factsOfType(users),
    renamed ? [...renamed] : [],
    requireData({ ...facts, users: undefined }),
  ];
}

/** Returns a value as JSON. Fails for an object that is more than its members. */
function requireData(value: object): unknown {
  for (const member of Object.values(value)) {
    if (typeof member !== 'object' || member === null) continue;
    if (member instanceof Map || member instanceof Decimal) continue;
    const kind = Object.getPrototypeOf(member);
    if (kind !== Object.prototype && kind !== Array.prototype) {
      throw new TypeError(`${kind?.constructor?.name} is no data`);
    }
    requireData(member);
  }
  return toJson(value);
}

/** Returns what is known of each operation, of each type, and of all together. */
function describe({ operations }: Contract, meanings: Inferred) {
  const { all } = meanings;
  const ofName = ({ name }: ResourceType) => [
    meanings.find(name)?.path,
    meanings.meaningsOf(name).map(({ operation }) => operation.id),
  ];
  return [
    ...operations.map((one) => factsOf(meanings.meaningOf(one))),
    ...operations.map((one) => meanings.explanationOf(one).reason),
    ...all.map(factsOfType),
    ...all.map(ofName),
    meanings.meanings().map(({ operation }) => operation.id),
    factsOf(meanings.caller()),
    [meanings.find('no such name'), meanings.meaningsOf('no such name')],
  ].map((facts) => toJson(facts ?? null));
}

async function compare(t: ExecutionContext, document: string): Promise<void> {
  const { contract } = await loadContract({ document });
  const resources = createResources(contract);
  const next = (await loadContract({ document })).contract;
  const kept = readMeanings(next, write(contract, resources));
  const before = describe(contract, resources);
  const after = describe(next, kept);
  t.is(after.length, before.length);
  for (const [index, facts] of after.entries()) {
    if (!isDeepStrictEqual(facts, before[index])) t.deepEqual(facts, before[index]);
  }
  // Facts about a type are found by its identity.
  const [type] = kept.all;
  t.is(kept.find(type?.name ?? ''), type);
  for (const one of kept.all) t.true(kept.meaningsOf(one.name).some((each) => each.type === one));
}

for (const document of ownDocuments) {
  test(`${basename(document)}: kept meanings are those that were inferred`, compare, document);
}
const { ec2, stripe } = publicDocuments;
for (const [name, document] of Object.entries({ ec2, stripe })) {
  testWithPublicDocuments(`${name}: kept meanings are those that were inferred`, (t) =>
    compare(t, document),
  );
}
