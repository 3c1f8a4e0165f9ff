// What a resource, a session and an entry of a journal take, in memory, in a file and in Redis, and
// how many commands of Redis a request is: the figures of docs/explain/scale.md. Linux only; redis-server.
//
//   npm run build && npx tsx bench/sizes.ts --help

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { count, readFlags } from './flags.ts';
import { type RunningServer, withServer } from './server-process.ts';
import { createFilling, createStateRequests, stateKinds } from './state-requests.ts';
import { createPlace, type Place, type StateServer, stateArguments } from './state-servers.ts';
import { formatNumber, formatTable } from './table.ts';
import { openWorkplace } from './workplace.ts';

const CONNECTIONS = 32;
/** Of each kind, to count the commands that it takes. */
const COUNTED = 500;

const { resources, sessions, requests } = readFlags('npx tsx bench/sizes.ts', {
  resources: count('resources to weigh', 10_000_000, 200_000),
  sessions: count('sessions to weigh', 1_000_000, 5_000),
  requests: count('requests in each session', 1_000, 10),
});

type StoreName = 'memory' | 'file' | 'redis';
type Running = RunningServer<{ readonly title: string }>;

/** A file has the resources alone: its sessions are in the memory of the process. */
type Weighed = 'resources' | 'sessions';

/** Bytes of one of each. */
interface Sizes {
  readonly resource: number;
  readonly session: number;
  readonly exchange: number;
}

const workplace = openWorkplace();
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const sizes = new Map<StoreName, Sizes>();
const commands: string[][] = [];
for (const store of ['memory', 'file', 'redis'] as const) {
  sizes.set(store, await measureStore(store));
}
agent.destroy();
const header = [
  'Bytes',
  'a resource',
  'a session with one request',
  'one more request in the journal',
];
const rows = [...sizes].map(([store, { resource, session, exchange }]) => [
  store,
  ...[resource, session, exchange].map(formatNumber),
]);
console.log(`\n${formatTable([header, ...rows])}\n`);
console.log(
  formatTable([['Redis, a request', 'scripts', 'commands in them', 'µs of Redis'], ...commands]),
);

async function measureStore(store: StoreName): Promise<Sizes> {
  const server: StateServer = { name: store, title: store, store, workers: 1, stored: 0 };
  const place = await createPlace(workplace, server);
  const memoryFile = join(workplace.directory, `memory-${store}`);
  const preload = join(workplace.directory, `memory-${store}.mjs`);
  writeFileSync(preload, tellMemory(memoryFile));
  const started = {
    title: store,
    nodeArguments: (port: number) => [
      ...['--expose-gc', '--import', pathToFileURL(preload).href],
      ...stateArguments(server, place.store, port),
      ...['--session-limit', String(sessions + 10), '--journal-limit', String(requests + 10)],
      ...['--journal-bytes', String(2 ** 31)],
    ],
  };
  try {
    return await withServer(workplace, started, [], async (running) => {
      const weigh = (what: Weighed): Promise<number> =>
        store === 'file' && what === 'resources'
          ? Promise.resolve(bytesOfFile(place))
          : bytesInMemory(store, running, place, memoryFile);
      const result = await measure(running, weigh);
      if (place.redis !== undefined) await countCommands(running, place);
      return result;
    });
  } finally {
    if (place.redis !== undefined) await workplace.stop(place.redis);
  }
}

async function measure(
  running: Running,
  weigh: (what: Weighed) => Promise<number>,
): Promise<Sizes> {
  const empty = await weigh('resources');
  for (const body of createFilling(resources)) await control(running, 'POST', '/state', body);
  const filled = await weigh('resources');
  await control(running, 'DELETE', '/state');
  const before = await weigh('sessions');
  await useSessions(running, 1);
  const open = await weigh('sessions');
  await useSessions(running, requests);
  const used = await weigh('sessions');
  return {
    resource: (filled - empty) / resources,
    session: (open - before) / sessions,
    exchange: (used - open) / sessions / requests,
  };
}

/** Sends so many requests in each session; they read, so that they leave no resources. */
async function useSessions({ port }: Running, times: number): Promise<void> {
  let next = 0;
  const use = async (): Promise<void> => {
    while (next < sessions * times) {
      const fields = { authorization: 'Bearer bench', 'mock-session': `s-${next++ % sessions}` };
      await send({ port, method: 'GET', path: '/plants/1', fields });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, use));
}

/** On SIGUSR2 the mock collects its garbage and writes what is left. */
function tellMemory(file: string): string {
  return [
    "import { renameSync, writeFileSync } from 'node:fs';",
    "process.on('SIGUSR2', () => {",
    '  gc(); gc();',
    '  const { heapUsed, external } = process.memoryUsage();',
    `  writeFileSync('${file}.new', String(heapUsed + external));`,
    `  renameSync('${file}.new', '${file}');`,
    '});',
  ].join('\n');
}

async function bytesInMemory(
  store: StoreName,
  { job }: Running,
  place: Place,
  memoryFile: string,
): Promise<number> {
  if (store === 'redis') {
    // It frees large collections in the background.
    while (!askRedis(place, 'INFO', 'memory').includes('lazyfree_pending_objects:0')) {
      await sleep(20);
    }
    return Number(/used_memory:(\d+)/.exec(askRedis(place, 'INFO', 'memory'))?.[1]);
  }
  const before = existsSync(memoryFile) ? statSync(memoryFile).ino : 0;
  job.child.kill('SIGUSR2');
  while (!existsSync(memoryFile) || statSync(memoryFile).ino === before) await sleep(20);
  return Number(readFileSync(memoryFile, 'utf8'));
}

function bytesOfFile({ store }: Place): number {
  const file = store.replace('file:', '');
  return [file, `${file}-wal`].reduce(
    (sum, one) => sum + (existsSync(one) ? statSync(one).size : 0),
    0,
  );
}

/** Counts what a request of each kind makes Redis do. */
async function countCommands({ port }: Running, place: Place): Promise<void> {
  await control({ port }, 'POST', '/state', createFilling(1_000).next().value ?? '');
  for (const kind of stateKinds) {
    const { method, path, body, fields } = createStateRequests(kind, 1_000);
    askRedis(place, 'CONFIG', 'RESETSTAT');
    for (let id = 1; id <= COUNTED; id++) {
      const [target, content] = [path, body].map((text) => text.replaceAll('$ID', String(id)));
      await send({ port, method, path: target ?? '', body: content ?? '', fields });
    }
    const stats = [
      ...askRedis(place, 'INFO', 'commandstats').matchAll(/cmdstat_(\S+?):calls=(\d+),usec=(\d+)/g),
    ];
    const scripts = stats.filter(([, name]) => name === 'evalsha');
    const others = stats.filter(([, name = '']) => !/^(?:evalsha|config|info|client)/.test(name));
    const sum = (found: readonly RegExpMatchArray[], member: number): string =>
      (found.reduce((total, one) => total + Number(one[member]), 0) / COUNTED).toFixed(1);
    commands.push([kind, sum(scripts, 2), sum(others, 2), sum(scripts, 3)]);
  }
}

function askRedis({ store }: Place, ...words: readonly string[]): string {
  const socket = store.replace('redis+unix://', '');
  return spawnSync('redis-cli', ['-s', socket, ...words], { encoding: 'utf8' }).stdout;
}

function control(
  { port }: Pick<Running, 'port'>,
  method: string,
  path: string,
  body = '',
): Promise<void> {
  const fields = { 'content-type': 'application/json' };
  return send({ port, method, path: `/__admin${path}`, body, fields });
}

interface Sending {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly fields: Readonly<Record<string, string>>;
}

function send({ port, method, path, body = '', fields }: Sending): Promise<void> {
  const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const headers = { ...fields, ...length };
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('error', reject);
      incoming.on('end', () => {
        if ((incoming.statusCode ?? 0) < 300) resolve();
        else reject(new Error(`${method} ${path}: ${incoming.statusCode}`));
      });
    });
    outgoing.end(body);
  });
}
