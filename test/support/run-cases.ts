import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext, TestFn } from 'ava';
import type { MockOptions } from '../../src/index.ts';
import { type CaseFile, type Exchange, parseCaseFile, type Transport } from './case-file.ts';
import { findDifferences } from './compare-answer.ts';
import type { Outcome } from './outcome.ts';
import { prepareOptions, type RunningMock } from './running-mock.ts';

/** Starts what cases are about: a mock, or several that are to be as one. */
export type StartMock = (
  t: ExecutionContext,
  options: MockOptions,
  transport: Transport,
) => Promise<RunningMock>;

const folder = fileURLToPath(new URL('../cases/', import.meta.url));

/** Where the cases are, below test/cases/. */
export const caseNames: readonly string[] = readdirSync(folder, {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && entry.name !== 'README.md')
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length).replace(/^\//, ''))
  .sort();

/** @returns the text of a case file */
export function readCase(name: string): string {
  return readFileSync(folder + name, 'utf8');
}

/** Makes a test of every case and every way to send its requests. */
export function registerCases(test: TestFn, start: StartMock) {
  for (const name of caseNames) registerCase(test, name, start);
}

function registerCase(test: TestFn, name: string, start: StartMock): void {
  const topic = name.slice(0, Math.max(name.lastIndexOf('/'), 0));
  let file: CaseFile;
  try {
    if (!name.endsWith('.case')) throw new Error('only .case files are read');
    file = parseCaseFile(readCase(name));
  } catch (error) {
    test(`${name} is a case file`, (t) => t.fail((error as Error).message));
    return;
  }
  for (const transport of file.transports) {
    test(`${topic}: ${file.title} (${transport})`, (t) =>
      runCase(t, name, file, (options) => start(t, options, transport)));
  }
}

async function runCase(
  t: ExecutionContext,
  name: string,
  file: CaseFile,
  start: (options: MockOptions) => Promise<RunningMock>,
): Promise<void> {
  const options = await prepareOptions(t, file);
  const outcomes: Outcome[] = [];
  let mock = await start(options);
  for (const step of file.steps) {
    if (step.kind === 'restart') mock = await start(options);
    else outcomes.push(await runExchange(t, name, step, mock, outcomes));
  }
}

async function runExchange(
  t: ExecutionContext,
  name: string,
  { line, request, expected }: Exchange,
  mock: RunningMock,
  earlier: readonly Outcome[],
): Promise<Outcome> {
  const outcome = await mock.send(request, expected);
  t.deepEqual(findDifferences(expected, outcome, earlier), [], `test/cases/${name}:${line}`);
  return outcome;
}
