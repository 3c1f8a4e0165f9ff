// What the first call of each operation of a document costs: the processor time of the process until
// its first response, then of each operation's first call, and the memory after all of them.
//
//   npm run build && tsx bench/first-calls.ts [--rounds 3] DOCUMENT...

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadContract } from '../src/assemble/load.ts';
import { ReadyRequests } from '../src/request/ready-request.ts';
import { spreadOf } from './statistics.ts';
import { formatNumber, formatTable } from './table.ts';
import { Workplace } from './workplace.ts';

/** Of one round. */
interface Measured {
  /** Milliseconds of processor time, from the start of the process. */
  readonly first: number;
  /** Milliseconds of processor time for each operation. */
  readonly calls: readonly number[];
  /** MiB. */
  readonly resident: number;
  /** The hash of all responses: equal in each round. */
  readonly responses: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
});
const workplace = new Workplace();
process.once('exit', () => workplace.clear());
const rows = [];
for (const document of positionals.map((path) => resolve(path))) {
  const file = await writeRequests(document);
  const rounds = Array.from({ length: Number(values.rounds) }, () => measure(document, file));
  rows.push(describe(document, rounds));
}
const header = ['Processor time, ms', 'operations', 'first response', 'median', 'p95', 'all calls'];
console.log(formatTable([[...header, 'MiB after all', 'responses'], ...rows]));

/** Writes a request to each operation for which one can be made, and returns the file. */
async function writeRequests(document: string): Promise<string> {
  const { contract } = await loadContract({ document });
  const ready = new ReadyRequests(contract, []);
  const requests = contract.operations.flatMap((operation) => {
    const { method } = operation;
    const found = ready.of(operation);
    if (found === undefined || method === 'TRACE') return [];
    return [{ method, target: found.target, fields: found.fields, body: found.body }];
  });
  const file = join(workplace.directory, `${basename(document)}.requests.json`);
  writeFileSync(file, JSON.stringify(requests));
  return file;
}

function measure(document: string, requests: string): Measured {
  const program = fileURLToPath(new URL('first-calls.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, document, requests], {
    encoding: 'utf8',
    cwd: workplace.directory,
  });
  if (status !== 0) throw new Error(`${document}: ${stderr}`);
  return JSON.parse(stdout) as Measured;
}

function describe(document: string, rounds: readonly Measured[]): readonly string[] {
  const median = (values: readonly number[]) => spreadOf(values)?.median ?? 0;
  const over = (read: (round: Measured) => number) => median(rounds.map(read));
  const later = (round: Measured) => round.calls.slice(1).sort((one, other) => one - other);
  const p95 = (round: Measured) => later(round)[Math.floor((round.calls.length - 1) * 0.95)] ?? 0;
  const sum = (round: Measured) => later(round).reduce((total, one) => total + one, 0);
  const responses = new Set(rounds.map((round) => round.responses.slice(0, 12)));
  return [
    basename(document),
    formatNumber(rounds[0]?.calls.length ?? 0),
    formatNumber(over(({ first }) => first)),
    over((round) => median(later(round))).toFixed(1),
    over(p95).toFixed(1),
    formatNumber(over(sum)),
    formatNumber(over(({ resident }) => resident)),
    [...responses].join(' '),
  ];
}
