// Whether memory stays flat over a million requests of all kinds, with sessions that end, and what
// 10,000 live sessions take.
//
//   npm run build && npx tsx bench/memory.ts --help

import { Agent, request } from 'node:http';
import { count, readFlags } from './flags.ts';
import { checkedRate, createLoadGenerator } from './load-generator.ts';
import { createBody, createHeaders, createPath } from './plant-requests.ts';
import { residentMebibytes } from './processor.ts';
import type { Requests } from './requests.ts';
import { type RunningServer, withServer } from './server-process.ts';
import { selectServers } from './servers.ts';
import { createStateRequests, stateKinds } from './state-requests.ts';
import { stateArguments, stateServers } from './state-servers.ts';
import { type Point, slopeOf } from './statistics.ts';
import { formatNumber } from './table.ts';
import { openWorkplace } from './workplace.ts';

/** Memory that a million requests may leave behind on a warm server. */
const LARGEST_GROWTH_MIB = 10;
const LARGEST_SESSIONS_MIB = 200;
const LOAD_SECONDS = 2;
const CONNECTIONS = 32;

const flags = readFlags('npx tsx bench/memory.ts', {
  requests: count('requests to send after the warm-up', 1_000_000_000, 1_000_000),
  sessions: count('live sessions', 1_000_000, 10_000),
});
const workplace = openWorkplace();
const [server] = selectServers('throughput', ['coldframe-silent']);
const [memory] = stateServers.filter(({ name }) => name === 'memory-1000');
if (server === undefined || memory === undefined) throw new Error('there is no such server');
const mixed = {
  title: 'requests of all kinds',
  nodeArguments: (port: number) => [
    ...stateArguments(memory, 'memory', port),
    // Each request in a session ends the one that was used longest ago.
    ...['--session-limit', '1000'],
  ],
};
const isFlat = await withServer(workplace, mixed, [], (running) =>
  watchLoad(running, flags.requests),
);
const isSmall = await withServer(workplace, server, [], (running) =>
  fillSessions(running, flags.sessions),
);
process.exitCode = isFlat && isSmall ? 0 : 1;

/** The first ones store what the others read. */
function createMixture(): readonly Requests[] {
  const kinds = stateKinds.map((kind) => createStateRequests(kind, memory?.stored ?? 0));
  const [create, read] = kinds;
  if (create === undefined || read === undefined) throw new Error('there are no requests');
  const sessions = { title: 'in sessions', path: `/__session/s-$ID${create.path}`, ids: 10_000 };
  return [
    ...kinds,
    { ...create, title: 'invalid', body: '{"id":"$ID"}', areRefused: true },
    { ...read, title: 'unknown', path: '/gardens/$ID', areRefused: true },
    { ...create, ...sessions, step: 1 },
  ];
}

/** @returns whether memory is flat over so many requests, and half as many to warm up */
async function watchLoad(running: RunningServer<typeof mixed>, wanted: number): Promise<boolean> {
  const generator = createLoadGenerator(workplace, []);
  const warmUp = wanted / 2;
  const points: Point[] = [];
  const { port } = running;
  let sent = 0;
  console.log(`${running.server.title}, ${generator.title}: requests, MiB resident`);
  while (sent < warmUp + wanted) {
    for (const requests of createMixture()) {
      const load = { port, requests, connections: CONNECTIONS, seconds: LOAD_SECONDS };
      const result = await generator.run(load);
      checkedRate(result, requests, running.server.title);
      sent += result.requests;
    }
    const resident = residentMebibytes(running.job.child.pid ?? 0);
    console.log(`${formatNumber(sent).padStart(12)} ${resident.toFixed(1).padStart(8)}`);
    if (sent > warmUp) points.push({ x: sent / 1_000_000, y: resident });
  }
  const growth = slopeOf(points);
  const isFlat = growth < LARGEST_GROWTH_MIB;
  console.log(`${growth.toFixed(1)} MiB a million requests: ${isFlat ? 'flat' : 'NOT FLAT'}\n`);
  return isFlat;
}

/** Makes sessions, each with a state and a journal of its own. @returns whether they are small */
async function fillSessions(running: RunningServer, count: number): Promise<boolean> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const before = residentMebibytes(running.job.child.pid ?? 0);
  let next = 0;
  const fill = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      await createInSession(running, agent, number);
      if ((number + 1) % (count / 10) === 0)
        report(number + 1, residentMebibytes(running.job.child.pid ?? 0));
    }
  };
  console.log('live sessions, MiB resident');
  report(0, before);
  await Promise.all(Array.from({ length: CONNECTIONS }, fill));
  const alive = await countKept(running, agent, count);
  agent.destroy();
  const resident = residentMebibytes(running.job.child.pid ?? 0);
  const isSmall = resident < LARGEST_SESSIONS_MIB && alive === count;
  console.log(
    `${formatNumber(alive)} of ${formatNumber(count)} sessions are alive, ` +
      `${resident.toFixed(1)} MiB resident, ${(resident - before).toFixed(1)} of them theirs: ` +
      (isSmall ? 'small' : 'NOT SMALL'),
  );
  return isSmall;
}

function report(sessions: number, mebibytes: number): void {
  console.log(`${formatNumber(sessions).padStart(12)} ${mebibytes.toFixed(1).padStart(8)}`);
}

async function createInSession(
  { port }: RunningServer,
  agent: Agent,
  number: number,
): Promise<void> {
  const body = createBody('valid', number);
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const headers = { ...createHeaders, ...length, 'mock-session': `session-${number}` };
  const { status } = await send(agent, { port, path: createPath, method: 'POST', headers }, body);
  if (status !== 200) throw new Error(`session ${number}: ${status}`);
}

/** How many sessions still have what was created in them: asked of a hundred, of all in all. */
async function countKept({ port }: RunningServer, agent: Agent, count: number): Promise<number> {
  let kept = 0;
  const step = Math.max(1, Math.floor(count / 100));
  for (let number = 0; number < count; number += step) {
    const headers = { 'mock-session': `session-${number}` };
    const path = '/__admin/state/plants';
    const { text } = await send(agent, { port, path, method: 'GET', headers });
    if (text.includes(`"id":${number}`)) kept += step;
  }
  return Math.min(kept, count);
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

function send(
  agent: Agent,
  options: {
    readonly port: number;
    readonly path: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  },
  body = '',
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', agent, ...options });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    outgoing.end(body);
  });
}
