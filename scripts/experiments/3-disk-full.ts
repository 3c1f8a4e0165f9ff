import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger, readCollection } from './ledger.ts';
import { Pipeline, type Reply } from './pipeline.ts';
import { conduct, type Trial } from './support.ts';

const DISK = '12m';
const FILLER_BYTES = 5 * 1024 * 1024;
const NAME_LENGTH = 4_000;
/** So many that the disk is full long before. */
const MOST_CREATES = 10_000;
const LONGEST_RECOVERY_MILLISECONDS = 5_000;

await conduct('3: the disk is full', async (trial) => {
  const disk = await trial.mountMemory(['-o', `size=${DISK}`]);
  if (disk === undefined) return;
  const filler = join(disk, 'filler');
  await writeFile(filler, Buffer.alloc(FILLER_BYTES, 1));
  const store = ['--store', `file:${join(disk, 'plants.db')}`];
  const { program, url } = await trial.startMock([gardens, ...store]);
  const ledger = new Ledger(NAME_LENGTH);
  const refusal = await fill(trial, url, ledger);
  describe(trial, refusal);
  await read(trial, url, ledger, 'while the disk is full');
  await rm(filler);
  await resume(trial, url, ledger);
  await read(trial, url, ledger, 'when there is room again');
  trial.expect(program.isRunning, 'it was not started again for that');
  const faults = program.log.filter(({ level }) => level === 'error').length;
  trial.expect(faults === 0 && program.stderr === '', 'the log tells of no bug');
  await program.end('SIGKILL');
  const { url: later } = await trial.startMock([gardens, ...store]);
  await read(trial, later, ledger, 'killed and started again');
});

/** Creates until it is refused for want of room. @returns the refusal */
async function fill(trial: Trial, url: string, ledger: Ledger): Promise<Reply | undefined> {
  const line = new Pipeline(url);
  let refusal: Reply | undefined;
  for (let id = 1; id <= MOST_CREATES && refusal === undefined; id++) {
    const reply = await ledger.create(line, id);
    if (reply === undefined) break;
    if (!isSuccess(reply)) refusal = reply;
  }
  line.close();
  trial.measured('created until the disk was full', ledger.created.size);
  return refusal;
}

function describe(trial: Trial, refusal: Reply | undefined): void {
  const { status, body } = refusal ?? { status: 0, body: 'none' };
  trial.measured('the refusal', `${status} ${body}`);
  trial.expect([503, 507].includes(status), 'what does not fit is refused with 507 or 503');
  trial.expect(/"error":50[37],"message":"./.test(body), 'and says why, as the document declares');
}

/** Writes are taken again soon after there is room. */
async function resume(trial: Trial, url: string, ledger: Ledger): Promise<void> {
  const line = new Pipeline(url);
  const started = performance.now();
  let reply: Reply | undefined;
  let id = MOST_CREATES;
  do {
    await sleep(50);
    reply = await ledger.create(line, ++id);
  } while (!isSuccess(reply) && performance.now() - started < LONGEST_RECOVERY_MILLISECONDS);
  trial.measured('takes again after', `${Math.round(performance.now() - started)} ms`);
  for (let more = 0; more < 100; more++) reply = await ledger.create(line, ++id);
  line.close();
  trial.expect(isSuccess(reply), 'it takes again when there is room');
}

async function read(trial: Trial, url: string, ledger: Ledger, when: string): Promise<void> {
  const line = new Pipeline(url);
  const id = [...ledger.created].at(-1);
  const { status } = (await line.send(`/plants/${id}`)) ?? {};
  line.close();
  trial.expect(status === 200, `${when}: what is stored is read: ${status}`);
  ledger.judge(trial, await readCollection(url), when);
}
