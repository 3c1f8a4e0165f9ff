import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processorSeconds } from '../../bench/processor.ts';
import type { RedisServer } from '../../test/support/redis-server.ts';
import { gardens } from './gardens.ts';
import { Ledger, readCollection } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

/** Of requests that are under way at once, on so many connections. */
const CROWD = 10_000;
const SHORT_CROWD = 2_000;
const CONNECTIONS = 100;
/** Who is killed, in turns. */
const WHOM = ['both', 'mock', 'redis'];
const LONGEST_RESTART_MILLISECONDS = 1_000;

await conduct(
  '1: kill -9 while it writes',
  async (trial) => {
    const folder = await trial.createFolder();
    const file = ['--store', `file:${join(folder, 'plants.db')}`];
    await killWriter(trial, file, trial.isShort ? 4 : 50);
    const rounds = trial.isShort ? 2 : 20;
    await killCrowd(trial, 'file', ['--store', `file:${join(folder, 'crowd.db')}`], rounds);
    if (!trial.hasCommand('redis-server')) return;
    const redis = await trial.startRedis();
    await killCrowd(trial, 'redis', ['--store', redis.url], trial.isShort ? 3 : 20, redis);
  },
  1_200_000,
);

/** One writer, killed at any moment, again and again on the same store. */
async function killWriter(trial: Trial, store: readonly string[], rounds: number): Promise<void> {
  const ledger = new Ledger();
  const starts: number[] = [];
  let slowest = 0;
  let next = 1;
  let mock = await start(trial, store);
  for (let round = 0; round < rounds; round++) {
    const line = new Pipeline(mock.url);
    await ledger.create(line, next++);
    const kill = sleep(150 + Math.random() * 500).then(() => mock.program.end('SIGKILL'));
    while (!line.isOver) {
      const id = next++;
      const reply = await ledger.create(line, id);
      if (reply !== undefined && id % 5 === 0) await ledger.delete(line, id);
    }
    await kill;
    const started = performance.now();
    mock = await start(trial, store);
    slowest = Math.max(slowest, performance.now() - started);
    // What it takes of a processor: a busy machine lets it wait besides.
    starts.push(processorSeconds(mock.program.pid) * 1_000);
  }
  trial.measured('created', ledger.created.size);
  ledger.judge(trial, await readCollection(mock.url), `${rounds} times killed`);
  const longest = Math.max(...starts);
  trial.measured('longest start', `${Math.round(slowest)} ms, ${Math.round(longest)} of them busy`);
  trial.expect(longest < LONGEST_RESTART_MILLISECONDS, 'it starts again within a second');
  await mock.program.end();
}

/** Thousands of creates at once; in the middle of them the mock is killed, or what it writes to. */
async function killCrowd(
  trial: Trial,
  name: string,
  store: readonly string[],
  rounds: number,
  redis?: RedisServer,
): Promise<void> {
  const size = trial.isShort ? SHORT_CROWD : CROWD;
  const ledger = new Ledger();
  let inTheMiddle = 0;
  // Many answers come at once, so that now and then all are there before it is dead.
  for (let round = 0; inTheMiddle < rounds && round < 3 * rounds; round++) {
    const { program, url } = await start(trial, store);
    const whom = redis === undefined ? 'mock' : (WHOM[inTheMiddle % WHOM.length] ?? 'both');
    await sendCrowd(url, ledger, round * size, size, () => kill(whom, program, redis));
    if (whom === 'redis') trial.expect(program.isRunning, 'the mock outlives its Redis');
    await program.end('SIGKILL');
    const restarted = await start(trial, store);
    const when = `${name}, ${whom} killed after ${ledger.created.size} of ${size}`;
    ledger.judge(trial, await readCollection(restarted.url), when);
    if (ledger.created.size < size) inTheMiddle++;
    await fetch(`${restarted.url}/__admin/state`, { method: 'DELETE' });
    ledger.forget();
    await restarted.program.end();
  }
  trial.expect(inTheMiddle === rounds, `${name}: killed ${inTheMiddle} times in the middle`);
}

/** Sends them all at once, and kills when some were answered. */
async function sendCrowd(
  url: string,
  ledger: Ledger,
  first: number,
  size: number,
  kill: () => Promise<void>,
): Promise<void> {
  const lines = Array.from({ length: CONNECTIONS }, () => new Pipeline(url));
  const deadAfter = Math.ceil(size * (0.05 + Math.random() * 0.55));
  let killed: Promise<void> | undefined;
  const replies = Array.from({ length: size }, async (_, index) => {
    const line = lines[index % lines.length];
    if (line === undefined) return;
    await ledger.create(line, first + index);
    if (ledger.created.size >= deadAfter) killed ??= kill();
  });
  await Promise.all(replies);
  await killed;
  for (const line of lines) line.close();
}

async function kill(whom: string, program: Program, redis: RedisServer | undefined): Promise<void> {
  const ends: Promise<unknown>[] = [];
  if (whom !== 'redis') ends.push(program.end('SIGKILL'));
  if (whom !== 'mock' && redis !== undefined) ends.push(redis.kill());
  await Promise.all(ends);
  if (whom === 'mock' || redis === undefined) return;
  await redis.start();
}

function start(
  trial: Trial,
  store: readonly string[],
): Promise<{ readonly program: Program; readonly url: string }> {
  return trial.startMock([gardens, ...store]);
}
