// What the stores cost by themselves: operations a second with so many stored, room a resource.
// Each store at each size runs in a process of its own.
//
//   npx tsx bench/stores.ts --help

import { spawnSync } from 'node:child_process';
import { mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../src/base/json/value.ts';
import { RedisConnection } from '../src/redis/connection.ts';
import { RedisStores } from '../src/redis/stores.ts';
import { FileStores } from '../src/state/file-stores.ts';
import { MemoryStores } from '../src/state/memory-stores.ts';
import type { Change, Store, Stores } from '../src/state/store.ts';
import { startRedis } from '../test/support/redis-server.ts';
import { namesOf, readFlags } from './flags.ts';
import { formatNumber, formatTable } from './table.ts';
import { openWorkplace } from './workplace.ts';

/** As many as a busy mock has requests at once. */
const IN_FLIGHT = 64;
const PREFILL_AT_ONCE = 1000;
const MILLISECONDS = 1500;

/** Figures of one store at one size. */
interface Figures {
  readonly create: number;
  readonly replace: number;
  readonly get: number;
  readonly list: number;
  /** Milliseconds. */
  readonly copy: number;
  /** Milliseconds, with all that is stored; undefined where it ends with the process. */
  readonly restart: number | undefined;
  readonly bytesEach: number;
}

interface Bench {
  readonly stores: Stores;
  /** Bytes that all of it takes. */
  room(): Promise<number>;
  restart?(): Promise<void>;
  end(): Promise<void>;
}

/** As the first word of a command line: one store at one size, whose figures are printed as JSON. */
const ONE = 'one';

const benches: Readonly<Record<string, (directory: string) => Promise<Bench>>> = {
  memory: async () => ({
    stores: new MemoryStores(),
    room: async () => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    },
    end: async () => {},
  }),
  file: async (directory) => {
    const path = join(await mkdtemp(join(directory, 'file-')), 'coldframe.db');
    const stores = new FileStores(path, { timeout: 5000 });
    return {
      stores,
      room: async () => (await stat(path)).size + (await stat(`${path}-wal`)).size,
      restart: async () => {
        await stores.close();
        await new FileStores(path, { timeout: 5000 }).close();
      },
      end: async () => {},
    };
  },
  redis: async () => {
    const ends: (() => Promise<void>)[] = [];
    const redis = await startRedis({ teardown: (end) => ends.push(end) });
    const connection = new RedisConnection(redis.url, 5000);
    await connection.settled;
    return {
      stores: new RedisStores(connection),
      room: async () => {
        const told = /used_memory:(\d+)/.exec(redis.command('INFO', 'memory'));
        return Number(told?.[1]);
      },
      end: async () => {
        await connection.close();
        for (const end of ends) await end();
      },
    };
  },
};

function plant(id: number): JsonObject {
  return { id, name: `plant ${id}`, tag: 'green' };
}

function put(id: number): Change {
  return { collection: 'plants', key: String(id), expected: 'any', resource: plant(id) };
}

async function measure(bench: Bench, size: number): Promise<Figures> {
  const store = await bench.stores.open('default');
  const before = await bench.room();
  for (let id = 0; id < size; id += PREFILL_AT_ONCE) {
    const count = Math.min(PREFILL_AT_ONCE, size - id);
    await store.commit(Array.from({ length: count }, (_, index) => put(id + index)));
  }
  const bytesEach = ((await bench.room()) - before) / size;
  const get = await rate((turn) => store.get('plants', String((turn * 7919) % size)));
  const list = await rate((turn) => listFrom(store, (turn * 7919) % size));
  const replace = await rate((turn) => store.commit([put((turn * 7919) % size)]));
  const create = await rate((turn) => store.commit([put(size + turn)]));
  const began = performance.now();
  await bench.stores.copy('default', 'default/copy');
  const copy = performance.now() - began;
  const restarting = performance.now();
  await bench.restart?.();
  const restart = bench.restart === undefined ? undefined : performance.now() - restarting;
  return { create, replace, get, list, copy, restart, bytesEach };
}

function listFrom(store: Store, offset: number): unknown {
  return store.list('plants', { offset: Math.min(offset, 1000), limit: 20 });
}

/** @returns operations a second, so many at once */
async function rate(operate: (turn: number) => unknown): Promise<number> {
  let turn = 0;
  const began = performance.now();
  const end = began + MILLISECONDS;
  const run = async (): Promise<void> => {
    while (performance.now() < end) await operate(turn++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, run));
  return turn / ((performance.now() - began) / 1000);
}

/** In a process of its own: what one has left must not be in the way of the next. */
function measureApart(name: string, size: string): Figures {
  const program = fileURLToPath(import.meta.url);
  const words = ['--expose-gc', '--import=tsx', program, ONE, name, size, workplace.directory];
  const { status, signal, stdout } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (signal !== null) process.exit(1);
  if (status !== 0) throw new Error(`the ${name} store with ${size} failed`);
  return JSON.parse(stdout) as Figures;
}

function describe(name: string, size: string, figures: Figures): string[] {
  const { create, replace, get, list, copy, restart, bytesEach } = figures;
  return [
    name,
    formatNumber(Number(size)),
    ...[create, replace, get, list].map(formatNumber),
    copy.toFixed(1),
    restart === undefined ? '–' : restart.toFixed(0),
    Number(size) < 1000 ? '–' : formatNumber(bytesEach),
  ];
}

const [first, name = '', size = '', directory = ''] = process.argv.slice(2);
if (first === ONE) {
  const bench = await benches[name]?.(directory);
  if (bench === undefined) throw new Error(`there is no store ${name}`);
  console.log(JSON.stringify(await measure(bench, Number(size))));
  await bench.end();
  process.exit();
}
const flags = readFlags('npx tsx bench/stores.ts', {
  stores: namesOf('stores', Object.keys(benches)),
  sizes: namesOf('how many resources are stored', ['10', '1000', '100000', '1000000']),
});
const workplace = openWorkplace();
const rows = flags.stores.flatMap((store) =>
  flags.sizes.map((stored) => {
    console.error(`${store}, ${stored}`);
    return describe(store, stored, measureApart(store, stored));
  }),
);
const header = ['Store', 'stored', 'create/s', 'replace/s', 'get/s', 'list of 20/s', 'copy ms'];
console.log(formatTable([[...header, 'restart ms', 'bytes each'], ...rows]));
