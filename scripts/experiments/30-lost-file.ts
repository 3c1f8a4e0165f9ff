import { copyFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import { conduct, type Trial } from './support.ts';

/** How long writes may still be confirmed after the loss; milliseconds. */
const LONGEST = 1_000;

type Harm = (file: string, other: string) => Promise<unknown>;

const harms: Readonly<Record<string, Harm>> = {
  'is deleted': (file) => rm(file),
  'is deleted with its log': async (file) => {
    for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`);
  },
  'is emptied': (file) => truncate(file, 0),
  'is moved away': (file) => rename(file, `${file}.away`),
  'is replaced by another': (file, other) => rename(other, file),
  'is overwritten by another': (file, other) => copyFile(other, file),
};

await conduct('30: the file is lost while it is in use', async (trial) => {
  const other = await fillFile(trial);
  for (const [what, harm] of Object.entries(harms)) await tryHarm(trial, what, harm, other);
});

/** Returns a file that another mock has left. */
async function fillFile(trial: Trial): Promise<string> {
  const file = join(await trial.createFolder(), 'filled.db');
  const { program, url } = await trial.startMock([gardens, '--store', `file:${file}`]);
  const ledger = new Ledger(1_000);
  const line = new Pipeline(url);
  for (let id = 1; id <= 100; id++) await ledger.create(line, id);
  line.close();
  await program.end();
  return file;
}

async function tryHarm(trial: Trial, what: string, harm: Harm, filled: string): Promise<void> {
  const folder = await trial.createFolder();
  const file = join(folder, 'plants.db');
  const other = join(folder, 'other.db');
  await copyFile(filled, other);
  const ledger = new Ledger(1_000);
  const { program, url } = await trial.startMock([gardens, '--store', `file:${file}`]);
  const line = new Pipeline(url);
  let lostAt = Number.POSITIVE_INFINITY;
  let confirmedLate = 0;
  let refused = 0;
  let isOver = false;
  const writing = (async () => {
    for (let id = 1_000; !isOver; id++) {
      const sentAt = performance.now();
      if (isSuccess(await ledger.create(line, id))) {
        if (sentAt > lostAt + LONGEST) confirmedLate++;
      } else if (sentAt > lostAt) refused++;
    }
  })();
  await sleep(300);
  await harm(file, other);
  lostAt = performance.now();
  await sleep(LONGEST + 300);
  isOver = true;
  await writing;
  line.close();
  trial.expect(confirmedLate === 0 && refused > 0, `it ${what}: writes are refused (${refused})`);
  const { status } = await fetch(`${url}/__admin/health/ready`);
  trial.expect(status === 503, `it ${what}: it is not ready: ${status}`);
  const alive = await fetch(`${url}/__admin/health/live`);
  trial.expect(alive.status === 200, `it ${what}: it is alive: ${alive.status}`);
  const { code } = await program.end();
  trial.expect(code === 0, `it ${what}: it ends with 0: ${code}`);
}
