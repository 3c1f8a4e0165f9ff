// What the stores cost: creates, reads, lists and replaces a second with 10, 1,000 and 1,000,000
// resources stored, and the processor time of each. Linux only; redis-server where Redis takes part.
//
//   npm run build && npx tsx bench/state.ts --help

import { count, namesOf, readFlags } from './flags.ts';
import { checkedRate, createLoadGenerator, type LoadGenerator, warmUp } from './load-generator.ts';
import { ownProcessorSeconds, pinTo, processorSeconds, residentMebibytes } from './processor.ts';
import { type RunningServer, withServer } from './server-process.ts';
import {
  createFilling,
  createStateRequests,
  type StateKind,
  stateKinds,
} from './state-requests.ts';
import {
  createPlace,
  type Place,
  type StateServer,
  stateArguments,
  statelessServer,
  stateServers,
} from './state-servers.ts';
import { spreadOf } from './statistics.ts';
import { formatFigure, formatTable } from './table.ts';
import { type Job, openWorkplace } from './workplace.ts';

const CONNECTIONS = 32;

/** Of one kind of request, in one round. */
interface Figures {
  readonly rate: number;
  /** Processor microseconds of a request: of the server, and of Redis. */
  readonly server: number;
  readonly redis: number;
}

type Measured = ReadonlyMap<string, Record<StateKind, Figures[]>>;

const flags = readFlags('npx tsx bench/state.ts', {
  only: namesOf(
    'servers',
    stateServers.map(({ name }) => name),
  ),
  rounds: count('turns that each server gets', 1_000, 3),
  seconds: count('length of one measurement', 600, 4),
});
const servers = stateServers.filter(({ name }) => flags.only.includes(name));
const workplace = openWorkplace();
const load = createLoadGenerator(workplace, pinTo(1));
const measured: Measured = new Map(
  servers.map(({ name }) => [name, { create: [], read: [], list: [], replace: [] }]),
);
const resident = new Map<string, number[]>();
for (let round = 1; round <= flags.rounds; round++) {
  for (const server of servers) {
    await measureServer(server, load, flags.seconds);
    console.error(`round ${round}/${flags.rounds}  ${server.title}`);
  }
}
console.log(`${describeRates()}\n\n${describeCosts()}\n`);

async function measureServer(
  server: StateServer,
  generator: LoadGenerator,
  seconds: number,
): Promise<void> {
  const place = await createPlace(workplace, server);
  const started = {
    title: server.title,
    nodeArguments: (port: number) => stateArguments(server, place.store, port),
  };
  try {
    // Workers are for as many processors as there are.
    const pinning = server.workers > 1 ? [] : pinTo(0);
    await withServer(workplace, started, pinning, async (running) => {
      if (server.store !== 'none' && server.store !== 'floor') await fill(running, server.stored);
      for (const kind of stateKinds) {
        const figures = await measure(running, place, generator, { server, kind, seconds });
        measured.get(server.name)?.[kind].push(figures);
      }
      const mebibytes = residentMebibytes(pidOf(running.job));
      resident.set(server.name, [...(resident.get(server.name) ?? []), mebibytes]);
    });
  } finally {
    if (place.redis !== undefined) await workplace.stop(place.redis);
  }
}

/** Begins anew, and puts so many there. */
async function fill({ port, server }: RunningServer<{ readonly title: string }>, stored: number) {
  const send = async (method: string, body: string): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/__admin/state`, {
      method,
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${server.title}: ${response.status} ${text}`);
  };
  await send('PUT', '{}');
  for (const body of createFilling(stored)) await send('POST', body);
}

interface Measurement {
  readonly server: StateServer;
  readonly kind: StateKind;
  readonly seconds: number;
}

async function measure(
  { port, job }: RunningServer<unknown>,
  { redis }: Place,
  generator: LoadGenerator,
  { server, kind, seconds }: Measurement,
): Promise<Figures> {
  const requests = createStateRequests(kind, server.stored);
  const settings = { port, requests, connections: CONNECTIONS };
  await warmUp(generator, settings);
  // A child of Redis writes its file anew: its time would be missing once it has ended.
  const spent = (): readonly number[] => [
    processorSeconds(pidOf(job)),
    redis === undefined ? 0 : ownProcessorSeconds(pidOf(redis)),
  ];
  const before = spent();
  const result = await generator.run({ ...settings, seconds });
  const [own = 0, others = 0] = spent().map(
    (seconds, index) => ((seconds - (before[index] ?? 0)) / result.requests) * 1_000_000,
  );
  return { rate: checkedRate(result, requests, server.title), server: own, redis: others };
}

function pidOf({ child }: Job): number {
  if (child.pid === undefined) throw new Error('a process was not started');
  return child.pid;
}

function describeRates(): string {
  const base = measured.get(statelessServer);
  const header = stateKinds.flatMap((kind) => [kind, 'min–max', 'of stateless']);
  const rows = servers.map(({ name, title }) => [
    title,
    ...stateKinds.flatMap((kind) => {
      const rates = (one: typeof base) => one?.[kind].map(({ rate }) => rate);
      return formatFigure(rates(measured.get(name)) ?? [], rates(base));
    }),
  ]);
  return formatTable([['Requests per second', ...header], ...rows]);
}

function describeCosts(): string {
  const rows = servers.map(({ name, title }) => [
    title,
    ...stateKinds.map((kind) => {
      const figures = measured.get(name)?.[kind] ?? [];
      const own = spreadOf(figures.map(({ server }) => server))?.median ?? 0;
      const redis = spreadOf(figures.map((one) => one.redis))?.median ?? 0;
      return redis === 0 ? own.toFixed(1) : `${own.toFixed(1)} + ${redis.toFixed(1)}`;
    }),
    (spreadOf(resident.get(name) ?? [])?.median ?? 0).toFixed(0),
  ]);
  const header = ['Processor µs a request (+ of Redis)', ...stateKinds, 'MiB resident'];
  return formatTable([header, ...rows]);
}
