import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, type Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

/** After which a client has been forgotten. */
const LONGEST_MILLISECONDS = 5_000;
const CLIENTS = 16;
/** Before the next worker is killed: with them, the last one has been replaced. */
const REQUESTS_BETWEEN = 500;
const START_MILLISECONDS = 1_000;

await conduct('31: workers are killed', async (trial) => {
  if (!trial.hasCommand('redis-server')) return;
  const redis = await trial.startRedis();
  const words = ['mock', '--no-watch', '--port', '0', '--store', redis.url, '--workers', '2'];
  await killDuringStart(trial, words, trial.isShort ? 3 : 8);
  await killUnderLoad(trial, words, trial.isShort ? 5 : 50);
});

/** Kills the first worker at a moment of its start; the next one takes its place. */
async function killDuringStart(trial: Trial, words: readonly string[], times: number) {
  let started = 0;
  for (let time = 0; time < times; time++) {
    const program = trial.start(words);
    const first = await firstWorker(program);
    await sleep((time * 400) / times);
    process.kill(first, 'SIGKILL');
    const status = await request(await program.url());
    const { code } = await program.end();
    if (status === 'answered' && code === 0) started++;
  }
  trial.expect(started === times, `it starts although its first worker is killed: ${started}`);
}

async function firstWorker(program: Program): Promise<number> {
  for (;;) {
    const [first] = childrenOf(program.pid);
    if (first !== undefined) return first;
    await sleep(5);
  }
}

/** Kills one worker after the other while clients connect, and at the end all at once. */
async function killUnderLoad(trial: Trial, words: readonly string[], times: number) {
  const program = trial.start(words);
  const url = await program.url();
  const results = new Map<string, number>();
  const count = (result: string): number => results.get(result) ?? 0;
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const result = await request(url);
      results.set(result, count(result) + 1);
      if (result === 'refused') await sleep(10);
    }
  });
  for (let killed = 0; killed < times; killed++) {
    const wanted = count('answered') + REQUESTS_BETWEEN;
    while (count('answered') < wanted) await sleep(5);
    await sleep(START_MILLISECONDS);
    const [oldest] = await bothWorkers(program);
    process.kill(oldest, 'SIGKILL');
  }
  for (const worker of await bothWorkers(program)) process.kill(worker, 'SIGKILL');
  const started = performance.now();
  while ((await request(url)) !== 'answered') await sleep(10);
  trial.measured('all killed: answers after', `${Math.round(performance.now() - started)} ms`);
  isOver = true;
  await Promise.all(clients);
  for (const [result, requests] of results) trial.measured(result, requests);
  const hanging = count('hanging');
  trial.expect(hanging === 0, `every client got an answer or an error: ${hanging} did not`);
  const broken = count('broken');
  trial.expect(
    broken <= (times + 2) * CLIENTS,
    `only connections of a killed worker broke: ${broken}`,
  );
  const { code } = await program.end();
  trial.expect(code === 0, `it ends with 0: ${code}`);
}

/** Waits until there are two workers that have taken the place of those that were killed. */
async function bothWorkers(program: Program): Promise<readonly [number, number]> {
  for (;;) {
    const [first, second] = childrenOf(program.pid);
    if (first !== undefined && second !== undefined) return [first, second];
    await sleep(5);
  }
}

/** Sends one request on a connection of its own. */
function request(url: string): Promise<'answered' | 'refused' | 'broken' | 'hanging'> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.setTimeout(LONGEST_MILLISECONDS, () => {
      resolve('hanging');
      socket.destroy();
    });
    socket.once('connect', () => {
      socket.write(
        'GET /__admin/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      );
    });
    socket.once('data', () => resolve('answered'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'ECONNREFUSED' ? 'refused' : 'broken');
    });
    socket.once('close', () => resolve('broken'));
  });
}
