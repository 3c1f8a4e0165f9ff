import { platform } from 'node:os';
import {
  checkedRate,
  createLoadGenerator,
  type LoadGenerator,
  WARM_UP_SECONDS,
  warmUp,
} from './load-generator.ts';
import { type CreateKind, createKinds, createRequests } from './plant-requests.ts';
import { canPin, pinTo, processorSeconds } from './processor.ts';
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

/** Of one kind of create, in each round. */
interface Figures {
  readonly perSecond: number[];
  readonly perProcessorSecond: number[];
}

type Measured = ReadonlyMap<ServerName, Readonly<Record<CreateKind, Figures>>>;

/** Requests per second, and per second of processor time, measured in turns; two finished tables. */
export async function measureThroughput(
  workplace: Workplace,
  settings: ThroughputSettings,
): Promise<string> {
  const pinned = canPin();
  const generator = createLoadGenerator(workplace, pinned ? pinTo(1) : []);
  announce(settings, generator, pinned);
  const measured: Measured = new Map(
    settings.servers.map(({ name }) => [name, { valid: noFigures(), invalid: noFigures() }]),
  );
  for (let round = 1; round <= settings.rounds; round++) {
    for (const server of settings.servers) {
      const figures = measured.get(server.name);
      if (figures === undefined) continue;
      await withServer(workplace, server, pinned ? pinTo(0) : [], (running) =>
        measureRound(running, generator, settings, figures),
      );
      const [valid = 0, invalid = 0] = createKinds.map((kind) => figures[kind].perSecond.at(-1));
      settings.report(
        `round ${round}/${settings.rounds}  ${server.title}: ` +
          `valid ${formatNumber(valid)}/s, invalid ${formatNumber(invalid)}/s`,
      );
    }
  }
  return [
    throughputTable('Requests per second', 'perSecond', settings.servers, measured),
    throughputTable('Per processor second', 'perProcessorSecond', settings.servers, measured),
    ...describeJournal(measured),
  ].join('\n\n');
}

function noFigures(): Figures {
  return { perSecond: [], perProcessorSecond: [] };
}

/** @returns what the journal costs, where both servers that tell took part */
function describeJournal(measured: Measured): readonly string[] {
  const [on, off] = journalServers.map((name) => measured.get(name));
  return createKinds.flatMap((kind) => {
    const ratio = spreadOf(ratiosByRound(on?.[kind].perSecond ?? [], off?.[kind].perSecond));
    if (ratio === undefined) return [];
    const cost = ((1 - ratio.median) * 100).toFixed(1);
    const range = [ratio.largest, ratio.smallest].map((one) => ((1 - one) * 100).toFixed(1));
    return `The journal costs a create that is ${kind} ${cost} % (${range.join(' to ')} by round).`;
  });
}

async function measureRound(
  running: RunningServer,
  generator: LoadGenerator,
  settings: ThroughputSettings,
  figures: Readonly<Record<CreateKind, Figures>>,
): Promise<void> {
  // One after the other: they share the server.
  for (const kind of createKinds) {
    await checkAnswer(running, kind);
    const { fields } = running.server;
    const requests = createRequests(kind);
    const load = { port: running.port, requests, connections: settings.connections, fields };
    const { result, taken } = await underLoad(running, async () => {
      await warmUp(generator, load);
      const before = processorSecondsOf(running);
      const result = await generator.run({ ...load, seconds: settings.seconds });
      return { result, taken: processorSecondsOf(running) - before };
    });
    const rate = checkedRate(result, requests, running.server.title);
    figures[kind].perSecond.push(rate);
    if (taken > 0) figures[kind].perProcessorSecond.push((rate * result.seconds) / taken);
  }
}

/** Returns the processor time of a server in seconds; 0 where the system does not say. */
function processorSecondsOf({ job }: RunningServer): number {
  return platform() === 'linux' ? processorSeconds(job.child.pid ?? 0) : 0;
}

async function underLoad<Result>(
  { server, job }: RunningServer,
  measure: () => Promise<Result>,
): Promise<Result> {
  try {
    return await measure();
  } catch (cause) {
    // The generator can tell only that nobody answers; the server's last words tell why.
    const state = isRunning(job.child) ? 'still runs' : 'ended under the load';
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${reason}\n${server.title} ${state}. ${lastWords(job)}`, { cause });
  }
}

function announce(settings: ThroughputSettings, generator: LoadGenerator, pinned: boolean): void {
  const { servers, rounds, seconds, connections, report } = settings;
  const least = servers.length * rounds * createKinds.length * (seconds + WARM_UP_SECONDS);
  report(
    `Throughput: ${rounds} rounds of ${seconds} s, ${connections} connections, ` +
      `${generator.title}, at least ${least} s`,
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

function throughputTable(
  title: string,
  figure: keyof Figures,
  servers: readonly Server[],
  measured: Measured,
): string {
  const base = measured.get(baseServer);
  const header = [
    title,
    ...['valid create', 'min–max', 'of floor'],
    ...['invalid create', 'min–max', 'of floor'],
  ];
  const rows = servers.map(({ name, title }) => [
    title,
    ...createKinds.flatMap((kind) =>
      formatFigure(measured.get(name)?.[kind][figure] ?? [], base?.[kind][figure]),
    ),
  ]);
  return formatTable([header, ...rows]);
}
