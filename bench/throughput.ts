import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import {
  checkedRate,
  createLoadGenerator,
  type LoadGenerator,
  type LoadResult,
  type LoadSettings,
} from './load-generator.ts';
import { type CreateKind, createKinds, createRequests } from './plant-requests.ts';
import { checkAnswer, type RunningServer, withServer } from './server-process.ts';
import { baseServer, journalServers, type Server, type ServerName } from './servers.ts';
import { ratiosByRound, spreadOf } from './statistics.ts';
import { formatFigure, formatNumber, formatTable } from './table.ts';
import { isRunning, lastWords, type Workplace } from './workplace.ts';

export interface ThroughputSettings {
  readonly servers: readonly Server[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly report: (line: string) => void;
}

type Rates = Map<ServerName, Record<CreateKind, number[]>>;

/** Requests per second, measured in turns; the answer is the finished table. */
export async function measureThroughput(
  workplace: Workplace,
  settings: ThroughputSettings,
): Promise<string> {
  const pinned = canPin();
  const generator = createLoadGenerator(workplace, pinned ? pinTo(1) : []);
  announce(settings, generator, pinned);
  const rates: Rates = new Map(
    settings.servers.map(({ name }) => [name, { valid: [], invalid: [] }]),
  );
  for (let round = 1; round <= settings.rounds; round++) {
    for (const server of settings.servers) {
      const measured = await withServer(workplace, server, pinned ? pinTo(0) : [], (running) =>
        measureRound(running, generator, settings),
      );
      for (const kind of createKinds) {
        rates.get(server.name)?.[kind].push(measured[kind]);
      }
      settings.report(
        `round ${round}/${settings.rounds}  ${server.title}: ` +
          `valid ${formatNumber(measured.valid)}/s, invalid ${formatNumber(measured.invalid)}/s`,
      );
    }
  }
  return [throughputTable(settings.servers, rates), ...describeJournal(rates)].join('\n\n');
}

/** @returns what the journal costs, where both servers that tell took part */
function describeJournal(rates: Rates): readonly string[] {
  const [on, off] = journalServers.map((name) => rates.get(name));
  return createKinds.flatMap((kind) => {
    const ratio = spreadOf(ratiosByRound(on?.[kind] ?? [], off?.[kind]));
    if (ratio === undefined) return [];
    const cost = ((1 - ratio.median) * 100).toFixed(1);
    const range = [ratio.largest, ratio.smallest].map((one) => ((1 - one) * 100).toFixed(1));
    return `The journal costs a create that is ${kind} ${cost} % (${range.join(' to ')} by round).`;
  });
}

/** Until V8 has compiled what is hot: the rate still climbs during the first second. */
const warmUpSeconds = 2;

async function measureRound(
  running: RunningServer,
  generator: LoadGenerator,
  settings: ThroughputSettings,
): Promise<Record<CreateKind, number>> {
  const measure = async (kind: CreateKind) => {
    await checkAnswer(running, kind);
    const { fields } = running.server;
    const requests = createRequests(kind);
    const load = { port: running.port, requests, connections: settings.connections, fields };
    await putUnderLoad(running, generator, { ...load, seconds: warmUpSeconds });
    const result = await putUnderLoad(running, generator, { ...load, seconds: settings.seconds });
    return checkedRate(result, requests, running.server.title);
  };
  // One after the other: they share the server.
  const valid = await measure('valid');
  const invalid = await measure('invalid');
  return { valid, invalid };
}

async function putUnderLoad(
  { server, job }: RunningServer,
  generator: LoadGenerator,
  load: LoadSettings,
): Promise<LoadResult> {
  try {
    return await generator.run(load);
  } catch (cause) {
    // The generator can tell only that nobody answers; the server's last words tell why.
    const state = isRunning(job.child) ? 'still runs' : 'ended under the load';
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}\n${server.title} ${state}. ${lastWords(job)}`, { cause });
  }
}

function announce(settings: ThroughputSettings, generator: LoadGenerator, pinned: boolean): void {
  const { servers, rounds, seconds, connections, report } = settings;
  const total = servers.length * rounds * createKinds.length * (seconds + warmUpSeconds);
  report(
    `Throughput: ${rounds} rounds of ${seconds} s, ${connections} connections, ` +
      `${generator.title}, about ${total} s`,
  );
  if (generator.warning !== undefined) {
    report(`Warning: ${generator.warning}`);
  }
  if (!pinned) {
    report(
      'Warning: server and load generator share all CPUs, which makes the figures noisy: pinning ' +
        'takes two CPUs and taskset (Debian: apt-get install util-linux).',
    );
  }
}

function pinTo(cpu: number): readonly string[] {
  return ['taskset', '--cpu-list', String(cpu)];
}

/** Also false where CPU 0 or 1 exists but is not ours to use. */
function canPin(): boolean {
  return (
    availableParallelism() >= 2 &&
    [0, 1].every((cpu) => {
      const [taskset = '', ...rest] = pinTo(cpu);
      return spawnSync(taskset, [...rest, process.execPath, '--version']).status === 0;
    })
  );
}

function throughputTable(servers: readonly Server[], rates: Rates): string {
  const base = rates.get(baseServer);
  const header = [
    'Requests per second',
    ...['valid create', 'min–max', 'of floor'],
    ...['invalid create', 'min–max', 'of floor'],
  ];
  const rows = servers.map(({ name, title }) => [
    title,
    ...createKinds.flatMap((kind) => formatFigure(rates.get(name)?.[kind] ?? [], base?.[kind])),
  ]);
  return formatTable([header, ...rows]);
}
