import { execFileSync } from 'node:child_process';
import { becomes, openLines } from './lines.ts';
import { createPlant } from './plants.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

const MEBIBYTE = 2 ** 20;
const REQUESTS = 20;
/** More than idle connections need on both sides. */
const FILES_BESIDES = 200;

await conduct('13: thousands of idle connections', async (trial) => {
  const wanted = trial.isShort ? 2_000 : 10_000;
  const most = Number(execFileSync('bash', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }));
  const count = Math.min(wanted, most - FILES_BESIDES);
  if (count < wanted) trial.lack(`${wanted - count} connections: ${most} files may be open`);
  const limit = `ulimit -n ${count + FILES_BESIDES}; exec "$@"`;
  const { program, url } = await trial.startMock([], { through: ['bash', '-c', limit, '-'] });
  await createPlant(url, 0);
  const before = program.residentBytes();
  const lines = await openLines(url, count);
  trial.measured('connections open', lines.sockets.length - lines.ended());
  trial.expect(lines.refused === 0, 'none is refused');
  await askBetween(trial, url);
  await watchMemory(trial, program, before, lines.close);
});

/** Requests that are made while all the others are idle. */
async function askBetween(trial: Trial, url: string): Promise<void> {
  const times: number[] = [];
  let answered = 0;
  for (let id = 1; id <= REQUESTS; id++) {
    const began = performance.now();
    if ((await createPlant(url, id)) === 200) answered++;
    times.push(performance.now() - began);
  }
  times.sort((one, other) => one - other);
  const median = times[REQUESTS / 2] ?? 0;
  trial.measured('slowest request', `${Math.max(...times).toFixed(1)} ms`);
  trial.measured('half of the requests take at most', `${median.toFixed(1)} ms`);
  trial.expect(answered === REQUESTS, `${REQUESTS} requests are answered`);
  // One alone may wait for a busy machine.
  trial.expect(median < 250, 'half of them within 250 ms');
}

async function watchMemory(
  trial: Trial,
  program: Program,
  before: number,
  close: () => void,
): Promise<void> {
  const most = program.residentBytes();
  close();
  const isBack = await becomes(
    () => program.residentBytes() < Math.max(before * 1.5, before + 64 * MEBIBYTE),
    60_000,
  );
  const areClosed = await becomes(() => program.openFiles() < 50, 10_000);
  for (const [when, bytes] of [
    ['before', before],
    ['with them', most],
    ['after', program.residentBytes()],
  ] as const) {
    trial.measured(`memory ${when}`, `${(bytes / MEBIBYTE).toFixed(0)} MiB`);
  }
  trial.expect(most < 300 * MEBIBYTE, 'less than 300 MiB are resident');
  trial.expect(isBack, 'memory is given back within a minute');
  trial.expect(areClosed, `their files are closed: ${program.openFiles()} are open`);
}
