// Reads the lists of a folder of OpenAPI documents, each filled with generated resources: whole, in
// pages, and by each filter.
//
//   npx tsx scripts/lists.ts DIR [--only RE] [--populate N]

import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { walkDocumentLists } from './lists/walk-document-lists.ts';
import { findDocuments } from './sweep/find-documents.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    populate: { type: 'string', default: '12' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Usage: npx tsx scripts/lists.ts DIR [--only RE] [--populate N]');
  process.exit(2);
}
const root = realpathSync(folder);
const only = new RegExp(values.only);
const sum = { lists: 0, kept: 0, paged: 0, whole: 0, asked: 0, right: 0, wrong: 0 };
for (const document of findDocuments(folder).filter((one) => only.test(one))) {
  const { fault, walks } = await walkDocumentLists(document, Number(values.populate));
  const name = relative(root, document);
  if (fault !== undefined) console.log(`${name}: ${fault.split('\n')[0]?.slice(0, 160)}`);
  for (const walk of walks) {
    sum.lists++;
    if (walk.items !== undefined) sum.kept++;
    if (walk.pages !== undefined) sum.paged++;
    if (walk.pages === true) sum.whole++;
    sum.asked += walk.filters.asked;
    sum.right += walk.filters.right;
    sum.wrong += walk.wrong.length;
    for (const line of walk.wrong) console.log(`${name}: ${walk.operation}: ${line}`);
  }
}
console.log(
  `${sum.kept} of ${sum.lists} lists have resources; of ${sum.paged} in pages ${sum.whole} are ` +
    `whole; ${sum.right} of ${sum.asked} filters select what they say; ${sum.wrong} wrong`,
);
process.exitCode = sum.wrong === 0 ? 0 : 1;
