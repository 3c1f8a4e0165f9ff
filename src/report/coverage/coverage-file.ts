import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { tryParseJson } from '../../base/json/parse.ts';
import { type Coverage, coverageGroups } from '../../client/reports.ts';
import { readTextFile } from '../../document/read.ts';

export function writeCoverage(coverage: Coverage): string {
  return `${JSON.stringify(coverage, undefined, 1)}\n`;
}

/** Writes a report. The file appears complete, so that others can wait for it. */
export async function writeCoverageFile(file: string, coverage: Coverage): Promise<void> {
  const draft = `${file}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, writeCoverage(coverage));
  await rename(draft, file);
}

/**
 * Reads a report.
 *
 * @throws {Error} that names the file
 */
export async function readCoverageFile(file: string): Promise<Coverage> {
  const value = tryParseJson((await readTextFile(file, 'report')).text);
  if (!isCoverage(value)) throw new Error(`${file} is no coverage that Coldframe has written`);
  return value;
}

function isCoverage(value: unknown): value is Coverage {
  return (
    isObject(value) &&
    value['coverage'] === 1 &&
    isObject(value['sums']) &&
    isListOf(value['documents'], ({ file }) => typeof file === 'string') &&
    isListOf(value['operations'], ({ items }) => isListOf(items, isItem))
  );
}

function isItem({ group, name, covered, file, line, pointer }: Members): boolean {
  return (
    Object.hasOwn(coverageGroups, String(group)) &&
    [name, file, pointer].every((one) => typeof one === 'string') &&
    typeof covered === 'boolean' &&
    typeof line === 'number'
  );
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isListOf(value: unknown, test: (member: Members) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && test(one));
}
