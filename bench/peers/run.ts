// Coldframe beside other mock servers, with the plant store: the same valid create, in turns.
//
//   npm ci --prefix bench/peers && npm run build && tsx bench/peers/run.ts [--rounds 5] [--seconds 4]
//     [--svg FILE]
//
// Linux only. WireMock needs a Java runtime, and is left out without one.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkedRate, createLoadGenerator, type LoadGenerator } from '../load-generator.ts';
import { createHeaders, createPath, createRequests, sendCreate } from '../plant-requests.ts';
import { processorSeconds, residentMebibytes } from '../processor.ts';
import { type RunningServer, type Startable, withServer } from '../server-process.ts';
import { spreadOf } from '../statistics.ts';
import { formatNumber, formatTable } from '../table.ts';
import { Workplace } from '../workplace.ts';
import { drawBars } from './bars.ts';

const WARM_UP_SECONDS = 2;
const CONNECTIONS = 32;

const fromProject = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));
const peer = (path: string): string => fromProject(`bench/peers/node_modules/${path}`);

const DOCUMENT = fromProject('spec/plant-store.openapi.yaml');

/** Each as its documentation starts it, without what it writes about each request. */
const PEERS: readonly Startable[] = [
  {
    title: 'Coldframe',
    nodeArguments: (port) => [
      ...[fromProject('dist/main.js'), DOCUMENT, '-p', String(port)],
      ...['--log', 'silent'],
    ],
  },
  {
    title: 'Prism',
    nodeArguments: (port) => [fromProject('bench/prism.mjs'), String(port), DOCUMENT],
  },
  {
    title: 'Steady',
    nodeArguments: (port) => [
      ...[peer('.bin/steady'), DOCUMENT, '-p', String(port)],
      ...['--host', '127.0.0.1'],
    ],
  },
  {
    title: 'Mockoon',
    nodeArguments: (port) => [
      ...[peer('.bin/mockoon-cli'), 'start', '--data', DOCUMENT, '--port', String(port)],
      ...['--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '0'],
    ],
  },
  {
    title: 'WireMock, a stub',
    nodeArguments: (port) => [
      ...[peer('.bin/wiremock'), '--port', String(port), '--no-request-journal'],
      ...['--root-dir', fromProject('bench/peers/wiremock')],
    ],
  },
];

interface Figures {
  readonly rates: number[];
  /** Microseconds of processor time for a request. */
  readonly costs: number[];
  readonly firstAnswers: number[];
  readonly mebibytes: number[];
  /** Whether a invalid create is refused, and whether the response has the name that was sent. */
  refuses: boolean;
  shows: boolean;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      svg: { type: 'string' },
    },
  });
  const peers = PEERS.filter(({ title }) => !title.startsWith('WireMock') || hasJava());
  const all = new Map(peers.map((one) => [one, noFigures()]));
  const workplace = new Workplace();
  process.once('exit', () => workplace.clear());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1));
  }
  const load = createLoadGenerator(workplace, pinTo(1));
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [server, figures] of all) {
      await withServer(workplace, server, pinTo(0), (running) =>
        measure(running, load, figures, Number(values.seconds)),
      );
      console.error(`round ${round}/${values.rounds}  ${server.title}`);
    }
  }
  console.log(describe(all));
  if (values.svg !== undefined) {
    const bars = [...all].map(([{ title }, { rates }]) => ({ title, value: median(rates) }));
    writeFileSync(values.svg, drawBars('Valid creates per second, one core', bars));
  }
}

async function measure(
  { job, port, server, millisecondsToFirstAnswer }: RunningServer<Startable>,
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
}

/** The name is in no example of the document. */
async function showsWhatWasSent(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}${createPath}`, {
    method: 'POST',
    headers: createHeaders,
    body: JSON.stringify({ name: 'Bristlecone pine', id: 1 }),
  });
  return (await response.text()).includes('Bristlecone pine');
}

function describe(all: ReadonlyMap<Startable, Figures>): string {
  const header = [
    'Server',
    ...['creates/s', 'min–max', 'µs of processor', 'first answer, ms', 'MiB after'],
    ...['refuses an invalid one', 'shows what was sent'],
  ];
  const rows = [...all].map(([{ title }, figures]) => {
    const { rates, costs, firstAnswers, mebibytes } = figures;
    const spread = spreadOf(rates);
    return [
      title,
      formatNumber(median(rates)),
      `${formatNumber(spread?.smallest ?? 0)}–${formatNumber(spread?.largest ?? 0)}`,
      formatNumber(median(costs)),
      formatNumber(median(firstAnswers)),
      formatNumber(median(mebibytes)),
      figures.refuses ? 'yes' : 'no',
      figures.shows ? 'yes' : 'no',
    ];
  });
  return formatTable([header, ...rows]);
}

function noFigures(): Figures {
  return { rates: [], costs: [], firstAnswers: [], mebibytes: [], refuses: false, shows: false };
}

function median(values: readonly number[]): number {
  return spreadOf(values)?.median ?? 0;
}

function hasJava(): boolean {
  return spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;
}

/** The server has one core, and the load generator the other. */
function pinTo(cpu: number): readonly string[] {
  return ['taskset', '--cpu-list', String(cpu)];
}

await main();
