import { writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadContract } from '../src/assemble/load.ts';
import { ReadyRequests } from '../src/request/ready-request.ts';
import { documentPaths } from '../test/support/document-paths.ts';
import { isInstalled } from './installed.ts';
import { medianOf } from './statistics.ts';
import { formatNumber, formatTable } from './table.ts';
import type { Workplace } from './workplace.ts';

interface FirstCallSettings {
  /** Paths of documents; the usual ones where they are installed if there are none. */
  readonly documents: readonly string[];
  readonly rounds: number;
  readonly report: (line: string) => void;
}

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

const usual = [documentPaths.stripe, documentPaths.github, documentPaths.openai];

/** Those that `main.ts` sets. */
const PROGRAM = [
  '--heap-growing-percent=100',
  '--interrupt-budget=600000',
  '--no-parallel-scavenge',
];

/** Who runs the mock, with the flags that V8 has there, and when the calls come. */
const USERS = [
  { user: 'library', flags: [], when: 'at once' },
  { user: 'program', flags: PROGRAM, when: 'at once' },
  { user: 'program, rehearsed', flags: PROGRAM, when: 'ahead' },
] as const;

const columns = [
  ['operations', ''],
  ['first response', ''],
  ['median', '4'],
  ['p95', '12'],
  ['all calls', ''],
  ['MiB after all', '250'],
  ['responses', ''],
];

/**
 * Measures the first call of each operation in process: processor time until the first response,
 * then of each operation's first call, and the memory after all of them.
 */
export async function measureFirstCalls(
  workplace: Workplace,
  { documents, rounds, report }: FirstCallSettings,
): Promise<string> {
  const paths = documents.length > 0 ? documents.map((path) => resolve(path)) : usual;
  const rows = [];
  for (const document of paths) {
    if (!isInstalled(document, report)) continue;
    report(`First calls of ${basename(document)}: ${rounds} rounds`);
    const file = await writeRequests(workplace, document);
    for (const one of USERS) {
      const all = Array.from({ length: rounds }, () => measure(workplace, document, file, one));
      rows.push(describe(`${basename(document)}, ${one.user}`, all));
    }
  }
  const header = ['First calls, ms of processor time', ...columns.map(([name = '']) => name)];
  const aims = ['aim', ...columns.map(([, aim]) => aim || '–')];
  return formatTable([header, ...rows, aims]);
}

/** Writes a request to each operation for which one can be made, and returns the file. */
async function writeRequests(workplace: Workplace, document: string): Promise<string> {
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

function measure(
  workplace: Workplace,
  document: string,
  requests: string,
  { flags, when }: (typeof USERS)[number],
): Measured {
  return workplace.runProgram('first-calls.mjs', [document, requests, when], flags) as Measured;
}

function describe(name: string, rounds: readonly Measured[]): readonly string[] {
  const over = (read: (round: Measured) => number) => medianOf(rounds.map(read));
  const later = (round: Measured) => round.calls.slice(1).sort((one, other) => one - other);
  const p95 = (round: Measured) => later(round)[Math.floor((round.calls.length - 1) * 0.95)] ?? 0;
  const sum = (round: Measured) => later(round).reduce((total, one) => total + one, 0);
  const responses = new Set(rounds.map((round) => round.responses.slice(0, 12)));
  return [
    name,
    formatNumber(rounds[0]?.calls.length ?? 0),
    formatNumber(over(({ first }) => first)),
    over((round) => medianOf(later(round))).toFixed(1),
    over(p95).toFixed(1),
    formatNumber(over(sum)),
    formatNumber(over(({ resident }) => resident)),
    [...responses].join(' '),
  ];
}
