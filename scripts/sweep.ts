// Sweeps a folder of OpenAPI documents: serves each, asks all that it declares, and holds every
// answer against the document with a judge that shares no code with the mock.
//
//   npm run sweep -- DIR [--jobs 2] [--json FILE] [--only RE] [--every N] [--seconds 120]

import { realpathSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type DocumentResult, isClean } from './sweep/figures.ts';
import { findDocuments } from './sweep/find-documents.ts';
import { formatSums, formatTable } from './sweep/print-table.ts';
import { sweepAll } from './sweep/sweep-all.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
    every: { type: 'string', default: '1' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Usage: npm run sweep -- DIR [--jobs N] [--json FILE] [--only RE] [--seconds N]');
  process.exit(2);
}
const only = new RegExp(values.only);
const documents = findDocuments(folder)
  .filter((document) => only.test(document))
  .filter((_, index) => index % Number(values.every) === 0);
const results: DocumentResult[] = await sweepAll(documents, {
  jobs: Number(values.jobs),
  seconds: Number(values.seconds),
  report: ({ document, seconds }) =>
    console.error(`${seconds.toFixed(1).padStart(6)} s  ${document}`),
});
console.log(formatTable(results, realpathSync(folder)));
console.log(`\n${formatSums(results)}`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 1));
process.exitCode = results.every(isClean) ? 0 : 1;
