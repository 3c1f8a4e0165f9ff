// Runs the generated tests of an SDK, unchanged, against the built program, and groups the failures
// by their cause.
//
//   npx tsx scripts/sdk-suite.ts SDK DOCUMENT [--url URL] [--json FILE] [--only RE] [-- FLAGS]
//
// SDK is the folder of an SDK with its packages installed: its tests are in tests/api-resources, and
// they take the address of the mock from TEST_API_BASE_URL. FLAGS are those of the mock. `--url`
// names a server that runs already, to compare.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { findFreePort } from './free-port.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    json: { type: 'string' },
    only: { type: 'string', default: 'tests/api-resources/' },
  },
});
const [sdk, document, ...flags] = positionals;
if (sdk === undefined || document === undefined) {
  console.error('Usage: npx tsx scripts/sdk-suite.ts SDK DOCUMENT [--url URL] [-- FLAGS]');
  process.exit(2);
}

const LONGEST_CAUSE = 1500;

interface TestResult {
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'pending' | 'todo';
  readonly failureMessages: readonly string[];
}

interface SuiteResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly TestResult[];
  }[];
}

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'sdk-suite-'));
try {
  const results = await (values.url === undefined ? runWithMock(document) : runTests(values.url));
  report(results);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results));
  process.exitCode = results.numFailedTests === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runWithMock(served: string): Promise<SuiteResults> {
  const port = await findFreePort();
  const words = [program, resolve(served), '--port', `${port}`, '--log', 'json', ...flags];
  const mock = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(mock, 'exit');
  try {
    // The first line of the log says that the server listens.
    await Promise.race([once(mock.stdout, 'data'), ended]);
    mock.stdout.resume();
    return await runTests(`http://127.0.0.1:${port}`);
  } finally {
    mock.kill();
    await ended;
  }
}

async function runTests(url: string): Promise<SuiteResults> {
  const output = join(folder, 'results.json');
  const words = ['jest', '--runInBand', '--json', '--outputFile', output, values.only];
  const tests = spawn('npx', words, {
    cwd: sdk,
    env: { ...process.env, TEST_API_BASE_URL: url, OPENAI_TEST_SUITE: 'generated' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  tests.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await once(tests, 'close');
  const text = await readFile(output, 'utf8').catch(() => {
    throw new Error(`the tests did not run:\n${errors}`);
  });
  return JSON.parse(text) as SuiteResults;
}

function report({ numPassedTests, numFailedTests, testResults }: SuiteResults): void {
  const causes = new Map<string, string[]>();
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    // A file that does not compile has no tests.
    const all =
      assertionResults.length > 0 ? failed : [{ fullName: name, failureMessages: [message] }];
    for (const { fullName, failureMessages } of all) {
      const cause = firstLineOf(failureMessages[0] ?? '');
      causes.set(cause, [...(causes.get(cause) ?? []), fullName]);
    }
  }
  console.log(`${numPassedTests} of ${numPassedTests + numFailedTests} tests pass`);
  for (const [cause, names] of [...causes].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`\n${names.length} × ${cause}`);
    for (const name of names) console.log(`    ${name}`);
  }
}

function firstLineOf(message: string): string {
  const plain = stripVTControlCharacters(message).trim();
  return plain.split('\n    at ')[0]?.slice(0, LONGEST_CAUSE) ?? plain;
}
