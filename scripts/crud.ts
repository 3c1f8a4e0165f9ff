// Walks through the collections of a folder of OpenAPI documents: creates one resource in each,
// reads it, finds it in the list, changes it, reads it again, deletes it, and reads it once more.
//
//   npx tsx scripts/crud.ts DIR [--only RE] [--quiet]

import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { countSteps, type DocumentWalks, steps, wrongs } from './crud/figures.ts';
import { walkDocument } from './crud/walk-document.ts';
import { findDocuments } from './sweep/find-documents.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, quiet: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Usage: npx tsx scripts/crud.ts DIR [--only RE] [--quiet]');
  process.exit(2);
}
const root = realpathSync(folder);
const only = new RegExp(values.only);
const all: DocumentWalks[] = [];
for (const document of findDocuments(folder).filter((one) => only.test(one))) {
  const walked = await walkDocument(document);
  all.push(walked);
  if (walked.walks.length === 0 && values.quiet) continue;
  console.log(describe(walked));
}
console.log(describe(sum(all)));
process.exitCode = all.every(({ walks }) => walks.flatMap(wrongs).length === 0) ? 0 : 1;

function describe({ document, fault, operations, meanings, walks }: DocumentWalks): string {
  const name = document === '' ? 'all' : relative(root, document);
  if (fault !== undefined) return `${name}: ${fault.split('\n')[0]?.slice(0, 150)}`;
  const counts = steps.map((step) => {
    const { done, possible } = countSteps(walks, step);
    return `${step} ${done}/${possible}`;
  });
  const head = `${name}: ${meanings} of ${operations} operations, ${walks.length} collections: ${counts.join(', ')}`;
  const told = document === '' ? [] : walks.flatMap(wrongs).map((line) => `    ${line}`);
  return [head, ...told].join('\n');
}

function sum(all: readonly DocumentWalks[]): DocumentWalks {
  const add = (count: (one: DocumentWalks) => number): number =>
    all.reduce((total, one) => total + count(one), 0);
  return {
    document: '',
    fault: undefined,
    operations: add(({ operations }) => operations),
    meanings: add(({ meanings }) => meanings),
    walks: all.flatMap(({ walks }) => walks),
  };
}
