import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import { createPlant } from './plants.ts';
import { childrenOf, type Program, residentBytes } from './program.ts';
import { conduct, type Trial } from './support.ts';

const REQUESTS = 2_000;
/** Each leaves a line of this length in the log: 160 MB in all. */
const LONG_REQUESTS = 20_000;
const LONG_TARGET = `/plants?note=${'n'.repeat(8_000)}`;
const STALLED = '"$@" | (head -n 1 > /dev/null; exec sleep 60 > /dev/null 2>&1)';
/** The memory that waiting output, the journal and a margin may take. */
const LARGEST_GROWTH_MIB = 30;

/** Where standard output goes, as a shell says it; `"$@"` is the program. */
const sinks: Readonly<Record<string, string>> = {
  'a reader that goes away': '"$@" | head -n 1 > /dev/null',
  'a full disk': '"$@" > /dev/full',
  'a full disk, standard error too': '"$@" > /dev/full 2>&1',
  'no output at all': '"$@" >&-',
};

await conduct('24: nobody takes the log', async (trial) => {
  for (const [name, command] of Object.entries(sinks)) await serve(trial, name, command);
  if (trial.isShort)
    trial.leaveOut('a reader that stands still, which takes some megabytes of log');
  else await stall(trial);
});

interface Piped {
  /** The shell. */
  readonly program: Program;
  /** Of the program itself. */
  readonly pid: number;
  readonly url: string;
}

async function startInto(trial: Trial, command: string): Promise<Piped> {
  const port = await findFreePort();
  const program = trial.start(['mock', '--no-watch', '--port', String(port)], {
    through: ['bash', '-c', `${command}; code=\${PIPESTATUS[0]}; exit $code`, 'bash'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(url);
  const pid = childrenOf(program.pid).find(isProgram);
  if (pid === undefined) throw new Error('the shell has started no program');
  return { program, pid, url };
}

function toMiB(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** Unread output waits in memory up to a limit, which half of the requests reach. */
async function stall(trial: Trial): Promise<void> {
  const name = 'a reader that stands still';
  const { pid, url } = await startInto(trial, STALLED);
  const before = residentBytes(pid);
  let halfway = before;
  let answered = 0;
  for (let count = 0; count < LONG_REQUESTS; count += 20) {
    if (count === LONG_REQUESTS / 2) halfway = residentBytes(pid);
    const batch = Array.from({ length: 20 }, () => fetch(url + LONG_TARGET));
    for (const response of await Promise.all(batch)) {
      await response.arrayBuffer();
      answered++;
    }
  }
  const after = residentBytes(pid);
  const growth = toMiB(after - halfway);
  trial.measured(`${name}: resident memory grew by`, `${toMiB(after - before)} MiB`);
  trial.measured(`${name}: of that in the second half`, `${growth} MiB`);
  trial.expect(answered === LONG_REQUESTS, `${name}: ${answered} requests are answered`);
  trial.expect(growth < LARGEST_GROWTH_MIB, `${name}: what waits for it has a bound`);
  const started = performance.now();
  process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}`) && performance.now() - started < 10_000) await sleep(20);
  const milliseconds = Math.round(performance.now() - started);
  trial.expect(milliseconds < 3_000, `${name}: the program ends in ${milliseconds} ms`);
}

async function serve(trial: Trial, name: string, command: string): Promise<void> {
  const { program, pid, url } = await startInto(trial, command);
  const before = residentBytes(pid);
  let answered = 0;
  for (let id = 0; id < REQUESTS; id += 20) {
    const batch = Array.from({ length: 20 }, (_, index) => createPlant(url, id + index));
    const statuses = await Promise.all(batch.map((one) => one.catch(() => 0)));
    answered += statuses.filter((status) => status === 200).length;
  }
  const growth = Math.round((residentBytes(pid) - before) / 1024 / 1024);
  trial.measured(`${name}: resident memory grew by`, `${growth} MiB`);
  trial.expect(answered === REQUESTS, `${name}: ${answered} of ${REQUESTS} requests are answered`);
  process.kill(pid, 'SIGTERM');
  const { code } = await program.ended;
  trial.expect(code === 0, `${name}: it ends with 0: ${code}`);
}

async function untilAnswered(url: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const isThere = await fetch(`${url}/__admin/health`).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await sleep(100);
  }
  throw new Error('it did not start');
}

function isProgram(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--no-watch');
}
