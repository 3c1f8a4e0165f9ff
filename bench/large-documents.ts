import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';
import { documentPaths } from '../test/support/document-paths.ts';
import { isInstalled } from './installed.ts';
import { sendCreate } from './plant-requests.ts';
import { processorSeconds, residentMebibytes } from './processor.ts';
import { findFreePort } from './server-process.ts';
import { medianOf } from './statistics.ts';
import { formatNumber, formatTable } from './table.ts';
import { isRunning, lastWords, type Workplace } from './workplace.ts';

interface LargeDocumentSettings {
  /** Paths of JSON documents; the usual ones where they are installed if there are none. */
  readonly documents: readonly string[];
  readonly rounds: number;
  readonly report: (line: string) => void;
}

/** A document, and what is asked first: for a resource, the meaning of all operations is inferred. */
interface Start {
  readonly document: string;
  readonly target: string;
}

const { ec2, github, graph } = documentPaths;
const usual: readonly Start[] = [
  { document: github, target: '/meta' },
  { document: github, target: '/repos/a/b' },
  { document: ec2, target: '/?Action=DescribeRegions' },
  { document: graph, target: '/users/$count' },
];

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const bare = fileURLToPath(new URL('bare-node.mjs', import.meta.url));

/** Of one start, until its first response. */
interface Measured {
  readonly milliseconds: number;
  /** Milliseconds of processor time. */
  readonly processor: number;
  /** MiB. */
  readonly resident: number;
}

const longestStart = 60_000;
const longestCheck = 180_000;
const pollInterval = 5;

/**
 * Measures the time from the start of the process to the first response with large documents, as
 * JSON and as YAML: the first start with the document, and one with what an earlier one has kept.
 */
export async function measureLargeDocuments(
  workplace: Workplace,
  { documents, rounds, report }: LargeDocumentSettings,
): Promise<string> {
  const named = documents.map((path) => ({ document: resolve(path), target: '/' }));
  const header = ['Start to first response', 'MB', 'bare ms'];
  for (const name of ['first', 'next']) header.push(`${name} ms`, 'of bare', 'cpu ms', 'MiB');
  const rows = [];
  for (const start of named.length > 0 ? named : usual) {
    if (!isInstalled(start.document, report)) continue;
    const yaml = { ...start, document: writeYaml(workplace, start.document) };
    for (const one of [start, yaml]) {
      const name = `${basename(one.document)}, GET ${one.target}`;
      report(`Start with ${name}: ${rounds} rounds`);
      try {
        rows.push([name, ...(await measureDocument(workplace, one, rounds))]);
      } catch (error) {
        if (named.length > 0) throw error;
        // The others have taken minutes.
        report(`${name} is not measured: ${String(error)}`);
        rows.push([`${name}: not measured`, ...header.slice(1).map(() => '–')]);
      }
    }
  }
  return formatTable([header, ...rows]);
}

async function measureDocument(workplace: Workplace, start: Start, rounds: number) {
  const cache = join(workplace.directory, `cache-${basename(start.document)}`);
  await fillCache(workplace, start, cache);
  const create = (port: number) => sendCreate(port, 'valid');
  const ask = async (port: number) => {
    const response = await fetch(`http://127.0.0.1:${port}${start.target}`);
    return response.arrayBuffer();
  };
  const all: { bare: Measured; first: Measured; next: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    const withCode = mkdtempSync(`${cache}-`);
    copyCode(cache, withCode);
    all.push({
      bare: await measure(workplace, (port) => [bare, String(port)], create, cache),
      first: await measure(workplace, (port) => mock(start, port), ask, withCode),
      next: await measure(workplace, (port) => mock(start, port), ask, cache),
    });
  }
  const cells = (name: 'first' | 'next') => [
    formatNumber(medianOf(all.map((one) => one[name].milliseconds))),
    medianOf(all.map((one) => one[name].milliseconds / one.bare.milliseconds)).toFixed(1),
    formatNumber(medianOf(all.map((one) => one[name].processor))),
    formatNumber(medianOf(all.map((one) => one[name].resident))),
  ];
  const megabytes = readFileSync(start.document).length / 1e6;
  return [
    formatNumber(megabytes),
    formatNumber(medianOf(all.map((one) => one.bare.milliseconds))),
    ...cells('first'),
    ...cells('next'),
  ];
}

/** Starts a mock, and waits until the check of its document has ended, which waits for inference. */
async function fillCache(workplace: Workplace, start: Start, cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const job = workplace.start(command(mock(start, await findFreePort()), cache));
  const deadline = performance.now() + longestCheck;
  const checks = join(cache, 'coldframe', 'checks');
  while (!existsSync(checks) || readdirSync(checks).every((name) => name.endsWith('.tmp'))) {
    if (!isRunning(job.child)) throw new Error(`The mock ended. ${lastWords(job)}`);
    if (performance.now() > deadline) throw new Error('The check of the document has not ended');
    await sleep(100);
  }
  await workplace.stop(job);
}

/** Copies what a mock of any document leaves in a cache folder: the program's compiled code. */
function copyCode(from: string, to: string): void {
  const code = join('coldframe', 'code');
  if (existsSync(join(from, code))) cpSync(join(from, code), join(to, code), { recursive: true });
}

async function measure(
  workplace: Workplace,
  argumentsOf: (port: number) => readonly string[],
  request: (port: number) => Promise<unknown>,
  cache: string,
): Promise<Measured> {
  const port = await findFreePort();
  const began = performance.now();
  const job = workplace.start(command(argumentsOf(port), cache));
  try {
    while (!(await isAnswered(request(port)))) {
      if (!isRunning(job.child)) throw new Error(`The server ended. ${lastWords(job)}`);
      if (performance.now() - began > longestStart) throw new Error('The server does not answer');
      await sleep(pollInterval);
    }
    const milliseconds = performance.now() - began;
    const { pid = 0 } = job.child;
    const processor = processorSeconds(pid) * 1_000;
    return { milliseconds, processor, resident: residentMebibytes(pid) };
  } finally {
    await workplace.stop(job);
  }
}

function mock({ document }: Start, port: number): readonly string[] {
  return [program, 'mock', document, '-p', String(port)];
}

/** Returns the command of a node with a cache folder of its own. */
function command(words: readonly string[], cache: string): readonly string[] {
  return ['env', `XDG_CACHE_HOME=${cache}`, process.execPath, ...words];
}

/** Returns false while the server does not listen yet. */
async function isAnswered(response: Promise<unknown>): Promise<boolean> {
  try {
    await response;
    return true;
  } catch {
    return false;
  }
}

/** Writes a JSON document as YAML, once, and returns its path. */
function writeYaml(workplace: Workplace, document: string): string {
  const file = join(workplace.directory, basename(document).replace(/json$/, 'yaml'));
  if (!existsSync(file)) {
    const value: unknown = JSON.parse(readFileSync(document, 'utf8'));
    writeFileSync(file, dump(value, { noRefs: true, lineWidth: -1 }));
  }
  return file;
}
