import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Job, Workplace } from './workplace.ts';

/** Coldframe with a store of one kind, which holds so much, or the floor. */
export interface StateServer {
  readonly name: string;
  readonly title: string;
  /** The floor begins empty: the creates, which are measured first, fill it. */
  readonly store: 'floor' | 'none' | 'memory' | 'file' | 'redis';
  readonly workers: number;
  readonly stored: number;
}

/** Every ratio is to this one, which remembers nothing. */
export const statelessServer = 'stateless';

const SIZES = [10, 1_000, 1_000_000];

/** In the order in which they take turns. */
export const stateServers: readonly StateServer[] = [
  {
    name: 'floor',
    title: 'floor (bare Hono, Ajv, Map)',
    store: 'floor',
    workers: 1,
    stored: 1_000,
  },
  { name: statelessServer, title: '--mode example', store: 'none', workers: 1, stored: 1_000 },
  ...SIZES.map((stored) => withStore('memory', stored)),
  ...SIZES.map((stored) => withStore('file', stored)),
  ...SIZES.map((stored) => withStore('redis', stored)),
  { ...withStore('redis', 1_000, 3), name: 'workers', title: 'redis, 1,000 stored, 3 workers' },
];

function withStore(store: 'memory' | 'file' | 'redis', stored: number, workers = 1): StateServer {
  const title = `${store}, ${stored.toLocaleString('en-GB')} stored`;
  return { name: `${store}-${stored}`, title, store, workers, stored };
}

const executable = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const floor = fileURLToPath(new URL('floor.mjs', import.meta.url));
const document = fileURLToPath(new URL('plants.openapi.yaml', import.meta.url));
/** More than a million plants take. */
const LARGEST_STATE_BYTES = 2 * 1024 * 1024 * 1024;

/** @param place of the store, as --store takes it; empty for none */
export function stateArguments(
  server: StateServer,
  place: string,
  port: number,
): readonly string[] {
  if (server.store === 'floor') return [floor, String(port)];
  return [
    ...[executable, 'mock', document, '-p', String(port), '--no-watch', '--verboseLevel', 'silent'],
    ...['--state-limit', String(LARGEST_STATE_BYTES)],
    ...(server.store === 'none' ? ['--mode', 'example'] : ['--store', place]),
    ...(server.workers > 1 ? ['--workers', String(server.workers)] : []),
  ];
}

/** A store, empty, and what keeps it. */
export interface Place {
  readonly store: string;
  readonly redis: Job | undefined;
}

let stores = 0;

export async function createPlace(workplace: Workplace, { store }: StateServer): Promise<Place> {
  const name = join(workplace.directory, `store-${stores++}`);
  if (store === 'file') return { store: `file:${name}.db`, redis: undefined };
  if (store !== 'redis') return { store, redis: undefined };
  const socket = `${name}.sock`;
  const kept = ['--appendonly', 'yes', '--appenddirname', `${name.split('/').at(-1)}`];
  const redis = workplace.start([
    ...['redis-server', '--port', '0', '--unixsocket', socket, '--dir', workplace.directory],
    ...[...kept, '--appendfsync', 'everysec', '--save', ''],
  ]);
  for (let waited = 0; waited < 500; waited++) {
    const { stdout } = spawnSync('redis-cli', ['-s', socket, 'PING'], { encoding: 'utf8' });
    if (stdout?.trim() === 'PONG') return { store: `redis+unix://${socket}`, redis };
    await sleep(20);
  }
  throw new Error('redis-server does not answer (Debian: apt-get install redis-server)');
}
