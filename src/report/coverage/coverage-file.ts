import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { tryParseJson } from '../../base/json/parse.ts';
import { packageFolder } from '../../base/package-folder.ts';
import { listFirst } from '../../base/words.ts';
import type { Coverage, CoveredItem, CoveredOperation } from '../../client/reports.ts';
import { readTextFile } from '../../document/read.ts';
import { createAjv } from '../../schema/ajv.ts';
import { compilePattern } from '../../schema/pattern/pattern.ts';
import { titleOf } from './missing.ts';
import { sumUp } from './recorder.ts';

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

const require = createRequire(import.meta.url);

/**
 * Reads a report, which must fit the published schema.
 *
 * @throws {Error} that names the file
 */
export async function readCoverageFile(file: string): Promise<Coverage> {
  const value: unknown = tryParseJson((await readTextFile(file, 'report')).text);
  const schema = require(join(packageFolder, 'fixtures/coverage.schema.json')) as object;
  if (createAjv(false, compilePattern).compile<Coverage>(schema)(value)) return value;
  throw new Error(`${file} is no coverage that Coldframe has written`);
}

export interface NamedCoverage {
  readonly name: string;
  readonly coverage: Coverage;
}

/** The reports are not of one document. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
}

/**
 * Returns the coverage of several runs of the same documents together. The order makes no
 * difference: an item is covered if one of the runs has used it.
 *
 * @throws {MergeError} that says what has changed between two of them
 */
export function mergeCoverage(all: readonly [NamedCoverage, ...NamedCoverage[]]): Coverage {
  const [first, ...others] = all;
  for (const other of others) refuseChanges(first, other);
  const known = others.map(({ coverage }) => indexItems(coverage.operations));
  const operations = first.coverage.operations.map((operation) => ({
    ...operation,
    items: operation.items.map((item): CoveredItem => {
      const same = known.map((items) => items.get(keyOf(operation, item)));
      return [item, ...same].find((one) => one?.covered) ?? item;
    }),
  }));
  return { ...first.coverage, sums: sumUp(operations), operations };
}

const MOST_LISTED = 10;

function refuseChanges(one: NamedCoverage, other: NamedCoverage): void {
  const changes = [...listChanges(one, other)];
  if (changes.length === 0) return;
  const listed = listFirst(changes, MOST_LISTED, (change) => change).join('\n  ');
  throw new MergeError(
    `${one.name} and ${other.name} are not of the same document:\n  ${listed}\n` +
      'Merge only reports of one version of it.',
  );
}

function* listChanges(one: NamedCoverage, other: NamedCoverage): Generator<string> {
  const documentsOf = ({ coverage }: NamedCoverage): string =>
    coverage.documents
      .map(({ file, title, version }) => `${file} (${title} ${version})`)
      .join(', ');
  if (documentsOf(one) !== documentsOf(other)) {
    yield `${one.name} is of ${documentsOf(one)}, ${other.name} of ${documentsOf(other)}`;
  }
  const [left, right] = [one, other].map(({ coverage }) => indexItems(coverage.operations));
  for (const [key, item] of left ?? []) {
    const found = right?.get(key);
    if (found === undefined) yield `${key} is only in ${one.name}`;
    else if (found.line !== item.line || found.file !== item.file) {
      yield `${key} is at ${item.file}:${item.line} and at ${found.file}:${found.line}`;
    } else if (found.pointer !== item.pointer) {
      yield `${key} is ${item.pointer} and ${found.pointer}`;
    }
  }
  for (const key of right?.keys() ?? []) {
    if (left?.has(key) !== true) yield `${key} is only in ${other.name}`;
  }
}

function indexItems(operations: readonly CoveredOperation[]): ReadonlyMap<string, CoveredItem> {
  return new Map(
    operations.flatMap((operation) =>
      operation.items.map((item) => [keyOf(operation, item), item] as const),
    ),
  );
}

function keyOf(operation: CoveredOperation, { group, name }: CoveredItem): string {
  return [titleOf(operation), group, name].join(' ').trim();
}

/** Returns a sentence for each item that an earlier run covers and this one does not. */
export function findLosses(coverage: Coverage, baseline: Coverage): readonly string[] {
  const before = indexItems(baseline.operations);
  return [...indexItems(coverage.operations)]
    .filter(([key, { covered }]) => !covered && before.get(key)?.covered === true)
    .map(([key, { file, line }]) => `${key} was covered before (${file}:${line})`);
}
