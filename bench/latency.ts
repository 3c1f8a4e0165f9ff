import { checkedRate, createLoadGenerator, type LoadGenerator, warmUp } from './load-generator.ts';
import { createRequests } from './plant-requests.ts';
import { checkAnswer, type RunningServer, withServer } from './server-process.ts';
import { baseServer, type Server } from './servers.ts';
import { formatFigure, formatTable } from './table.ts';
import { canPin, pinTo } from './throughput.ts';
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
const STEADY_SECONDS = 4;

/** The rows, and what the ratio to the floor may be. */
const loads = [
  ...CONNECTIONS.map((connections) => ({ title: `median -c${connections}`, aim: 1.1 })),
  { title: 'p99 at 70 % load', aim: 1.5 },
  { title: 'p99 at 70 % of the floor’s', aim: 1.5 },
] as const;

/** Microseconds in each round, by load. */
type Figures = readonly number[][];

/**
 * Measures how long a valid create takes: with so many connections that send as fast as they can, and
 * with a steady load of a share of what the server can do. In turns; a finished table.
 */
export async function measureLatency(
  workplace: Workplace,
  { servers, rounds, report }: LatencySettings,
): Promise<string> {
  const pinned = canPin();
  const generator = createLoadGenerator(workplace, pinned ? pinTo(1) : []);
  if (generator.title !== 'wrk') return 'Latency is measured by wrk, which is not installed.';
  report(`Latency: ${rounds} rounds of ${CONNECTIONS.length * SECONDS + 2 * STEADY_SECONDS} s`);
  const measured = new Map(
    servers.map(({ name }): [string, Figures] => [name, loads.map(() => [])]),
  );
  for (let round = 1; round <= rounds; round++) {
    // The floor comes first.
    let base: number | undefined;
    for (const server of servers) {
      const { taken, capacity } = await withServer(
        workplace,
        server,
        pinned ? pinTo(0) : [],
        (running) => measureRound(running, generator, base),
      );
      base ??= capacity;
      for (const [index, figure] of taken.entries())
        measured.get(server.name)?.[index]?.push(figure);
      report(`round ${round}/${rounds}  ${server.title}: ${taken.map(Math.round).join(', ')} µs`);
    }
  }
  return describe(servers, measured);
}

/** @param base what the floor can do in this round, requests per second; undefined for the floor */
async function measureRound(
  running: RunningServer,
  generator: LoadGenerator,
  base: number | undefined,
) {
  await checkAnswer(running, 'valid');
  const requests = createRequests('valid');
  const { port, server } = running;
  const load = { port, requests, fields: server.fields };
  await warmUp(generator, { ...load, connections: USUAL_CONNECTIONS });
  const figures: number[] = [];
  let capacity = 0;
  for (const connections of CONNECTIONS) {
    const result = await generator.run({ ...load, connections, seconds: SECONDS });
    const rate = checkedRate(result, requests, server.title);
    if (connections === USUAL_CONNECTIONS) capacity = rate;
    figures.push(result.p50 ?? 0);
  }
  for (const load of [capacity, Math.min(base ?? capacity, capacity)]) {
    figures.push(await measureSteady(running, generator, load));
  }
  return { taken: figures, capacity };
}

/** Returns the 99th percentile under a share of a load. */
async function measureSteady(
  { port, server }: RunningServer,
  generator: LoadGenerator,
  load: number,
): Promise<number> {
  const requests = createRequests('valid');
  const steady = { connections: STEADY_CONNECTIONS, rate: load * STEADY_SHARE };
  const given = { port, requests, fields: server.fields, ...steady, seconds: STEADY_SECONDS };
  const result = await generator.run(given);
  const share = checkedRate(result, requests, server.title) / load;
  if (share > STEADY_SHARE + 0.1) throw new Error(`the steady load was ${share} of the capacity`);
  return result.p99 ?? 0;
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
