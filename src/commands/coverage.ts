import { resolve } from 'node:path';
import type { Coverage } from '../client/reports.ts';
import {
  findLosses,
  MergeError,
  mergeCoverage,
  type NamedCoverage,
  readCoverageFile,
  writeCoverage,
} from '../report/coverage/coverage-file.ts';
import {
  formatCoverageHtml,
  formatCoverageJunit,
  formatCoverageMarkdown,
  formatCoverageText,
  formatLcov,
  type GateResult,
} from '../report/coverage/forms.ts';
import { type Gate, missGate, readGates } from '../report/coverage/missing.ts';
import { UsageError } from '../settings/options.ts';
import { type Invocation, reachRunning, report, writeOut } from './console.ts';

/**
 * Prints what clients have used of the documents: those of a running mock, or of merged reports.
 * Returns 1 below a gate or without a report.
 */
export async function runCoverage(given: Invocation): Promise<number> {
  const gates = readGatesOf(given);
  const files = given.from === undefined ? [] : [...given.from, ...given.operands];
  const { console, baseline, session } = given;
  if (files.length === 0 && given.operands.length > 0) {
    throw new UsageError(`coverage has no word "${given.operands[0]}"; name reports with --from`);
  }
  return report(console, async () => {
    const coverage =
      files.length === 0 ? await ask(given, session) : await mergeFiles(files, console.folder);
    const before = baseline === undefined ? undefined : await read(baseline, console.folder);
    const results = judge(coverage, gates, before?.coverage);
    const code = await writeOut(format(coverage, results, given), given);
    const missed = results.flatMap((one) => one.missed);
    for (const sentence of missed) console.writeError(`coldframe: ${sentence}\n`);
    return missed.length > 0 ? 1 : code;
  });
}

function readGatesOf({ min }: Invocation): readonly Gate[] {
  try {
    return readGates(min);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(`--min: ${error.message}`) : error;
  }
}

function ask(given: Invocation, session: string | undefined): Promise<Coverage> {
  const mock = reachRunning(given);
  return session === undefined ? mock.coverage() : mock.session(session).coverage();
}

async function mergeFiles(files: readonly string[], folder: string): Promise<Coverage> {
  const [first, ...others] = await Promise.all(files.map((file) => read(file, folder)));
  if (first === undefined) throw new MergeError('there is no report to merge');
  return mergeCoverage([first, ...others]);
}

async function read(name: string, folder: string): Promise<NamedCoverage> {
  return { name, coverage: await readCoverageFile(resolve(folder, name)) };
}

function judge(coverage: Coverage, gates: readonly Gate[], before: Coverage | undefined) {
  const results = gates.map((gate): GateResult => {
    const missed = missGate(gate, coverage.sums);
    return { name: `${gate.group} ${gate.percent} %`, missed: [missed ?? []].flat() };
  });
  if (before === undefined) return results;
  return [...results, { name: 'baseline', missed: findLosses(coverage, before) }];
}

function format(coverage: Coverage, results: readonly GateResult[], given: Invocation): string {
  const { console, showsAll, out } = given;
  switch (given.format) {
    case 'text':
      return formatCoverageText(coverage, {
        hasColor: console.hasColor && out === undefined,
        showsAll,
      });
    case 'json':
      return writeCoverage(coverage);
    case 'html':
      return formatCoverageHtml(coverage);
    case 'markdown':
      return formatCoverageMarkdown(
        coverage,
        results.flatMap(({ missed }) => missed),
      );
    case 'junit':
      return formatCoverageJunit(coverage, results);
    case 'lcov':
      return formatLcov(coverage);
    case 'sarif':
      throw new UsageError('coverage has no --format sarif; lcov marks lines of the document');
  }
}
