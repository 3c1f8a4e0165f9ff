// The processor time that a create costs each server: steadier than the throughput where other work
// shares the machine. Linux only.
//
//   npm run build && npx tsx bench/cost.ts --help

import { count, namesOf, readFlags } from './flags.ts';
import { createLoadGenerator, type LoadGenerator, warmUp } from './load-generator.ts';
import { type CreateKind, createKinds, createRequests } from './plant-requests.ts';
import { processorSeconds } from './processor.ts';
import { type RunningServer, withServer } from './server-process.ts';
import {
  journalServers,
  type Server,
  type ServerName,
  selectServers,
  serversOf,
} from './servers.ts';
import { ratiosByRound, spreadOf } from './statistics.ts';
import { formatTable } from './table.ts';
import { isRunning, lastWords, openWorkplace } from './workplace.ts';

const CONNECTIONS = 32;

type Costs = ReadonlyMap<ServerName, Record<CreateKind, number[]>>;

async function main(): Promise<void> {
  const names = serversOf('throughput').map(({ name }) => name);
  const flags = readFlags('npx tsx bench/cost.ts', {
    only: namesOf('servers', names, ['floor', 'coldframe', ...journalServers]),
    rounds: count('turns that each server gets', 1_000, 7),
    seconds: count('length of one measurement', 600, 3),
  });
  const servers = selectServers('throughput', flags.only);
  const workplace = openWorkplace();
  const load = createLoadGenerator(workplace, []);
  const costs: Costs = new Map(servers.map(({ name }) => [name, { valid: [], invalid: [] }]));
  for (let round = 1; round <= flags.rounds; round++) {
    for (const server of servers) {
      await withServer(workplace, server, [], async (running) => {
        for (const kind of createKinds) {
          const cost = await measure(running, load, kind, flags.seconds);
          costs.get(server.name)?.[kind].push(cost);
        }
      });
    }
    console.error(`round ${round}/${flags.rounds}`);
  }
  console.log(describeCosts(servers, costs));
  for (const kind of createKinds) console.log(describeJournal(costs, kind));
}

/** @returns microseconds of processor time that the server takes for one request */
async function measure(
  running: RunningServer,
  load: LoadGenerator,
  kind: CreateKind,
  seconds: number,
): Promise<number> {
  const { port, server, job } = running;
  const pid = job.child.pid ?? 0;
  const requests = createRequests(kind);
  const settings = { port, requests, connections: CONNECTIONS, fields: server.fields };
  await warmUp(load, settings);
  if (!isRunning(job.child)) throw new Error(`${server.title} ended. ${lastWords(job)}`);
  const before = processorSeconds(pid);
  const answered = await load.run({ ...settings, seconds });
  return ((processorSeconds(pid) - before) / answered.requests) * 1_000_000;
}

function describeCosts(servers: readonly Server[], costs: Costs): string {
  const header = createKinds.flatMap((kind) => [`${kind} create`, 'min–max']);
  const rows = servers.map(({ name, title }) => [
    title,
    ...createKinds.flatMap((kind) => {
      const spread = spreadOf(costs.get(name)?.[kind] ?? []);
      if (spread === undefined) return ['', ''];
      const { median, smallest, largest } = spread;
      return [median.toFixed(1), `${smallest.toFixed(1)}–${largest.toFixed(1)}`];
    }),
  ]);
  return `\n${formatTable([['Microseconds of processor time', ...header], ...rows])}\n`;
}

function describeJournal(costs: Costs, kind: CreateKind): string {
  const [on = [], off] = journalServers.map((name) => costs.get(name)?.[kind]);
  const ratio = spreadOf(ratiosByRound(on, off));
  if (ratio === undefined) return '';
  const added = ((ratio.median - 1) * 100).toFixed(1);
  return `The journal adds ${added} % to a create that is ${kind}.`;
}

await main();
