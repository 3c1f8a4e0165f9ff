// Says of a folder of OpenAPI documents what share of their operations is understood: what each
// does to the state, as `coldframe explain` has it.
//
//   tsx scripts/inference.ts DIR [--least 3]
//   tsx scripts/inference.ts DIR --sample 100 [--seed TEXT]
//
// With --sample it prints operations to judge by eye, each of another document.

import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { loadContract } from '../src/assemble/load.ts';
import { createRandom } from '../src/base/random.ts';
import { createResources } from '../src/resources/resources.ts';
import { describeSample } from './inference/sample.ts';
import { findDocuments } from './sweep/find-documents.ts';

interface Row {
  readonly document: string;
  readonly operations: number;
  readonly understood: number;
  /** Of those that may change something: all but GET, HEAD, OPTIONS and TRACE. */
  readonly changes: number;
  readonly changesUnderstood: number;
  readonly resources: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    least: { type: 'string', default: '1' },
    sample: { type: 'string' },
    seed: { type: 'string', default: 'sample' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error(
    'Usage: tsx scripts/inference.ts DIR [--least OPERATIONS] [--sample N --seed TEXT]',
  );
  process.exit(2);
}
if (values.sample !== undefined) {
  const random = createRandom(values.seed);
  console.log(await describeSample(findDocuments(folder), Number(values.sample), random));
  process.exit();
}
const READING = /^(?:GET|HEAD|OPTIONS|TRACE)$/;
const rows: Row[] = [];
for (const document of findDocuments(folder)) {
  const row = await measure(document, relative(realpathSync(folder), realpathSync(document)));
  if (row !== undefined && row.operations >= Number(values.least)) rows.push(row);
}
console.log(formatTable(rows));

/** @returns undefined for a document that cannot be served */
async function measure(document: string, name: string): Promise<Row | undefined> {
  try {
    const { contract } = await loadContract({ document });
    const resources = createResources(contract);
    const all = resources.explain();
    const changes = all.filter(({ operation }) => !READING.test(operation.method));
    const isUnderstood = ({ meaning }: (typeof all)[number]): boolean => meaning !== undefined;
    return {
      document: name,
      operations: all.length,
      understood: all.filter(isUnderstood).length,
      changes: changes.length,
      changesUnderstood: changes.filter(isUnderstood).length,
      resources: resources.all.length,
    };
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    return undefined;
  }
}

function formatTable(all: readonly Row[]): string {
  const sum = all.reduce<Row>(
    (whole, row) => ({
      document: 'All',
      operations: whole.operations + row.operations,
      understood: whole.understood + row.understood,
      changes: whole.changes + row.changes,
      changesUnderstood: whole.changesUnderstood + row.changesUnderstood,
      resources: whole.resources + row.resources,
    }),
    {
      document: 'All',
      operations: 0,
      understood: 0,
      changes: 0,
      changesUnderstood: 0,
      resources: 0,
    },
  );
  return [
    '| Document | Operations | Understood | | Changing | Understood | | Resources |',
    '| --- | --: | --: | --: | --: | --: | --: | --: |',
    ...[...all, sum].map(formatRow),
  ].join('\n');
}

function formatRow(row: Row): string {
  const cells = [
    row.document,
    row.operations,
    row.understood,
    share(row.understood, row.operations),
    row.changes,
    row.changesUnderstood,
    share(row.changesUnderstood, row.changes),
    row.resources,
  ];
  return `| ${cells.join(' | ')} |`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;
}
