// Coldframe beside other mock servers, with the plant store: the same valid create, in turns.
// Prints a Markdown table, and under it on what and of what versions it was measured.
//
//   npm ci --prefix bench/peers && npm run build && npx tsx bench/peers/run.ts --help
//
// Linux only. WireMock needs a Java runtime, and is left out without one. Latency takes wrk.

import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { count, namesOf, output, readFlags } from '../flags.ts';
import {
  checkedRate,
  createLoadGenerator,
  type LoadGenerator,
  type LoadSettings,
} from '../load-generator.ts';
import { createHeaders, createPath, createRequests, sendCreate } from '../plant-requests.ts';
import { canPin, pinTo, processorSeconds, residentMebibytes } from '../processor.ts';
import { type RunningServer, withServer } from '../server-process.ts';
import { spreadOf } from '../statistics.ts';
import { formatFigure, formatTable } from '../table.ts';
import { openWorkplace } from '../workplace.ts';
import { drawBars } from './bars.ts';
import { PEERS, type Peer, versionOf } from './peers.ts';

const WARM_UP_SECONDS = 2;
const CONNECTIONS = 32;
const LATENCY_SECONDS = 2;

interface Figures {
  readonly rates: number[];
  /** Microseconds of processor time for a request. */
  readonly costs: number[];
  readonly firstAnswers: number[];
  readonly mebibytes: number[];
  /** Microseconds of one request after the other; none without wrk. */
  readonly medians: number[];
  readonly p99s: number[];
  /** Whether an invalid create is refused, and whether the response has the name that was sent. */
  refuses: boolean;
  shows: boolean;
}

async function main(): Promise<void> {
  const flags = readFlags('npx tsx bench/peers/run.ts', {
    only: namesOf(
      'servers',
      PEERS.map(({ name }) => name),
    ),
    rounds: count('turns that each server gets', 1_000, 5),
    seconds: count('length of one measurement', 600, 4),
    svg: output('where to draw the creates per second'),
  });
  const peers = PEERS.filter(({ name }) => flags.only.includes(name)).filter(canRun);
  const all = new Map(peers.map((one) => [one, noFigures()]));
  const workplace = openWorkplace();
  const load = createLoadGenerator(workplace, pinTo(1));
  for (let round = 1; round <= flags.rounds; round++) {
    for (const [server, figures] of all) {
      await withServer(workplace, server, pinTo(0), (running) =>
        measure(running, load, figures, flags.seconds),
      );
      console.error(`round ${round}/${flags.rounds}  ${server.title}`);
    }
  }
  console.log(describe(all));
  console.log(`\n${describeCircumstances(peers, load, flags)}`);
  if (flags.svg !== undefined) {
    const bars = [...all].map(([{ title }, { rates }]) => ({ title, value: median(rates) }));
    writeFileSync(flags.svg, drawBars('Valid creates per second, one core', bars));
  }
}

async function measure(
  { job, port, server, millisecondsToFirstAnswer }: RunningServer<Peer>,
  load: LoadGenerator,
  figures: Figures,
  seconds: number,
): Promise<void> {
  const pid = job.child.pid ?? 0;
  figures.firstAnswers.push(millisecondsToFirstAnswer);
  figures.refuses = (await sendCreate(port, 'invalid')).status >= 400;
  figures.shows = await showsWhatWasSent(port);
  const requests = createRequests('valid');
  const settings = { port, requests, connections: CONNECTIONS };
  await load.run({ ...settings, seconds: WARM_UP_SECONDS });
  const before = processorSeconds(pid);
  const result = await load.run({ ...settings, seconds });
  figures.costs.push(((processorSeconds(pid) - before) / result.requests) * 1_000_000);
  figures.rates.push(checkedRate(result, requests, server.title));
  figures.mebibytes.push(residentMebibytes(pid));
  await measureLatency(server, load, { ...settings, connections: 1 }, figures);
}

/** The last: what a server stores meanwhile must not change its other figures. */
async function measureLatency(
  { title }: Peer,
  load: LoadGenerator,
  settings: Omit<LoadSettings, 'seconds'>,
  { medians, p99s }: Figures,
): Promise<void> {
  const result = await load.run({ ...settings, seconds: LATENCY_SECONDS });
  checkedRate(result, settings.requests, title);
  if (result.p50 !== undefined) medians.push(result.p50);
  if (result.p99 !== undefined) p99s.push(result.p99);
}

/** The name is in no example of the document. */
async function showsWhatWasSent(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}${createPath}`, {
    method: 'POST',
    headers: createHeaders,
    body: JSON.stringify({ name: 'Wollemi pine', id: 1 }),
  });
  return (await response.text()).includes('Wollemi pine');
}

function describe(all: ReadonlyMap<Peer, Figures>): string {
  const header = [
    'Server',
    ...['creates/s', 'min–max', 'µs of processor', 'median latency, µs', 'p99 latency, µs'],
    ...['first answer, ms', 'MiB after'],
    ...['refuses an invalid one', 'shows what was sent'],
  ];
  const rows = [...all].map(([{ title }, figures]) => {
    const [rate, range] = formatFigure(figures.rates, undefined);
    const { costs, medians, p99s, firstAnswers, mebibytes } = figures;
    return [
      ...[title, rate, range],
      ...[costs, medians, p99s, firstAnswers, mebibytes].map(formatMedian),
      figures.refuses ? 'yes' : 'no',
      figures.shows ? 'yes' : 'no',
    ];
  });
  return formatTable([header, ...rows]);
}

/** Returns the load, the processor, the versions and the date of the measurement, with notes. */
function describeCircumstances(
  peers: readonly Peer[],
  load: LoadGenerator,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): string {
  const processor = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const date = new Date().toLocaleDateString('en-GB', day);
  const latency = `latency of one connection in ${LATENCY_SECONDS} s`;
  const warm = `after ${WARM_UP_SECONDS} s of warm-up`;
  const how = `Medians of ${rounds} × ${seconds} s with ${load.title} ${warm}, ${latency}`;
  const versions = peers.map(versionOf).join(', ');
  const notes = peers.flatMap(({ note }) => note ?? []);
  return [
    `${how}; ${processor}, Node ${process.versions.node}, ${date}: ${versions}.`,
    ...notes,
  ].join(' ');
}

function noFigures(): Figures {
  const none = { rates: [], costs: [], medians: [], p99s: [], firstAnswers: [], mebibytes: [] };
  return { ...none, refuses: false, shows: false };
}

function formatMedian(values: readonly number[]): string {
  return formatFigure(values, undefined)[0];
}

function median(values: readonly number[]): number {
  return spreadOf(values)?.median ?? 0;
}

/**
 * Returns false for a server without its runtime.
 *
 * @throws {Error} where nothing can be measured, or where packages are not installed
 */
function canRun({ title, packages, name }: Peer): boolean {
  if (!canPin()) throw new Error('this takes Linux, taskset (util-linux) and two CPUs');
  const missing = packages.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new Error(`${missing} is missing: npm ci --prefix bench/peers`);
  const lacksJava = name === 'wiremock' && spawnSync('java', ['-version']).status !== 0;
  if (lacksJava) console.error(`${title} is left out: it needs Java`);
  return !lacksJava;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
