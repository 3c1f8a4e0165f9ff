import { checkedRate, createLoadGenerator, type LoadGenerator, warmUp } from './load-generator.ts';
import { createRequests } from './plant-requests.ts';
import { canPin, pinTo } from './processor.ts';
import { checkAnswer, type RunningServer, withServer } from './server-process.ts';
import { baseServer, type Server } from './servers.ts';
import { medianOf } from './statistics.ts';
import { formatFigure, formatTable } from './table.ts';
import type { Workplace } from './workplace.ts';

interface LatencySettings {
  readonly servers: readonly Server[];
  readonly rounds: number;
  readonly report: (line: string) => void;
}

const CONNECTIONS = [1, 8, 32, 256] as const;
/** The load for which a server's capacity is known. */
const USUAL_CONNECTIONS = 32;
/** Of the steady load: so many that each waits much longer than a response takes. */
const STEADY_CONNECTIONS = 128;
const STEADY_SHARE = 0.7;
const SECONDS = 1;
/** A host that stops or slows this machine spoils some windows; their median is the figure. */
const WINDOWS = 5;
const WINDOW_SECONDS = 2;

/** The rows, and what the ratio to the floor may be. */
const loads = [
  ...CONNECTIONS.map((connections) => ({ title: `median -c${connections}`, aim: 1.1 })),
  { title: 'p99 at 70 % load', aim: 1.5 },
  { title: 'p99 at 70 % of the floor’s', aim: 1.5 },
] as const;

/** Microseconds in each round, by load. */
type Figures = readonly number[][];

/**
 * Measures how long a valid create takes: with so many connections that send as fast as they can, the
 * server on a core of its own; and with a steady load of a share of what the server can do, on all
 * cores. On one core, a request would wait for the threads of V8 that collect garbage and compile.
 *
 * @returns a finished table
 */
export async function measureLatency(
  workplace: Workplace,
  { servers, rounds, report }: LatencySettings,
): Promise<string> {
  const pinned = canPin();
  const generator = createLoadGenerator(workplace, pinned ? pinTo(1) : []);
  const unpinned = createLoadGenerator(workplace, []);
  if (generator.title !== 'wrk') return 'Latency is measured by wrk, which is not installed.';
  const seconds = WINDOWS * (CONNECTIONS.length * SECONDS + 2 * WINDOW_SECONDS);
  report(`Latency: ${rounds} rounds of ${seconds} s for each server`);
  const measured = new Map(
    servers.map(({ name }): [string, Figures] => [name, loads.map(() => [])]),
  );
  for (let round = 1; round <= rounds; round++) {
    // The floor comes first.
    let base: number | undefined;
    for (const server of servers) {
      const { medians, capacity } = await withServer(
        workplace,
        server,
        pinned ? pinTo(0) : [],
        (running) => measureMedians(running, generator),
      );
      base ??= capacity;
      const steady = [capacity, Math.min(base, capacity)];
      const percentiles = await withServer(workplace, server, [], (running) =>
        measurePercentiles(running, unpinned, steady),
      );
      const taken = [...medians, ...percentiles];
      for (const [index, figure] of taken.entries())
        measured.get(server.name)?.[index]?.push(figure);
      report(`round ${round}/${rounds}  ${server.title}: ${taken.map(Math.round).join(', ')} µs`);
    }
  }
  return describe(servers, measured);
}

/** Returns the medians, and the requests per second with the usual connections. */
async function measureMedians(running: RunningServer, generator: LoadGenerator) {
  const { requests, load, name } = await prepare(running, generator);
  const medians: number[] = [];
  let capacity = 0;
  for (const connections of CONNECTIONS) {
    const windows: number[] = [];
    const rates: number[] = [];
    while (windows.length < WINDOWS) {
      const result = await generator.run({ ...load, connections, seconds: SECONDS });
      rates.push(checkedRate(result, requests, name));
      windows.push(result.p50 ?? 0);
    }
    medians.push(medianOf(windows));
    if (connections === USUAL_CONNECTIONS) capacity = medianOf(rates);
  }
  return { medians, capacity };
}

/** Returns the 99th percentile under a share of each rate: the median of some windows. */
async function measurePercentiles(
  running: RunningServer,
  generator: LoadGenerator,
  rates: readonly number[],
): Promise<number[]> {
  const { requests, load, name } = await prepare(running, generator);
  const percentiles: number[] = [];
  for (const rate of rates) {
    const steady = { connections: STEADY_CONNECTIONS, rate: rate * STEADY_SHARE };
    const windows: number[] = [];
    while (windows.length < WINDOWS) {
      const result = await generator.run({ ...load, ...steady, seconds: WINDOW_SECONDS });
      const share = checkedRate(result, requests, name) / rate;
      if (share > STEADY_SHARE + 0.1) throw new Error(`the load was ${share} of the capacity`);
      windows.push(result.p99 ?? 0);
    }
    percentiles.push(medianOf(windows));
  }
  return percentiles;
}

/** Returns what to send to a server that answers right and is warm. */
async function prepare(running: RunningServer, generator: LoadGenerator) {
  await checkAnswer(running, 'valid');
  const requests = createRequests('valid');
  const { port, server } = running;
  const load = { port, requests, fields: server.fields };
  await warmUp(generator, { ...load, connections: USUAL_CONNECTIONS });
  return { requests, load, name: server.title };
}

function describe(servers: readonly Server[], measured: ReadonlyMap<string, Figures>): string {
  const base = measured.get(baseServer);
  const header = servers.flatMap(({ title }) => [title, 'min–max', 'of floor']);
  const rows = loads.map(({ title, aim }, index) => [
    title,
    ...servers.flatMap(({ name }) =>
      formatFigure(measured.get(name)?.[index] ?? [], base?.[index]),
    ),
    `≤ ${aim}`,
  ]);
  return formatTable([['Valid create, µs', ...header, 'aim'], ...rows]);
}
