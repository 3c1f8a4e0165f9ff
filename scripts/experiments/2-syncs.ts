import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSuccess, Ledger } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import { childrenOf } from './program.ts';
import { conduct, type Trial } from './support.ts';

const CREATES = 100;

await conduct('2: what was told is on the disk, not only on its way', async (trial) => {
  if (!trial.hasCommand('strace')) return;
  const folder = await trial.createFolder();
  const trace = join(folder, 'trace');
  // Each line of the trace is written when the call is over.
  const through = ['strace', '-f', '-qq', '-e', 'trace=fsync,fdatasync,msync', '-o', trace];
  const store = `file:${join(folder, 'plants.db')}`;
  const { program, url } = await trial.startMock(['--store', store], { through });
  // strace passes no signal on.
  const [mock] = childrenOf(program.pid);
  if (mock === undefined) throw new Error('strace has started nothing');
  trial.atEnd(() => endMock(mock));
  await oneByOne(trial, url, trace);
  await atOnce(trial, url, trace);
  process.kill(mock);
  const { code } = await program.ended;
  trial.expect(code === 0, `it ends with 0: ${code}`);
});

async function oneByOne(trial: Trial, url: string, trace: string): Promise<void> {
  const ledger = new Ledger();
  const line = new Pipeline(url);
  let synced = countSyncs(trace);
  let unsynced = 0;
  const before = synced;
  for (let id = 1; id <= CREATES; id++) {
    const reply = await ledger.create(line, id);
    if (!isSuccess(reply)) throw new Error(`create ${id}: ${reply?.status} ${reply?.body}`);
    const now = countSyncs(trace);
    if (now <= synced) unsynced++;
    synced = now;
  }
  line.close();
  trial.measured(`syncs of ${CREATES} creates, one after the other`, synced - before);
  trial.expect(unsynced === 0, `each was synced before it was told: ${unsynced} were not`);
}

async function atOnce(trial: Trial, url: string, trace: string): Promise<void> {
  const ledger = new Ledger();
  const line = new Pipeline(url);
  const before = countSyncs(trace);
  const ids = Array.from({ length: CREATES }, (_, index) => CREATES + 1 + index);
  const replies = await Promise.all(ids.map((id) => ledger.create(line, id)));
  const syncs = countSyncs(trace) - before;
  line.close();
  trial.measured(`syncs of ${CREATES} creates at once`, syncs);
  trial.expect(replies.every(isSuccess), 'all of them are taken');
  trial.expect(syncs >= 1, 'they are synced before they are told, several by one sync');
}

function countSyncs(trace: string): number {
  if (!existsSync(trace)) return 0;
  return readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => /(?:fsync|fdatasync|msync).*= 0$/.test(line)).length;
}

/** Where the trial broke off, it runs still. */
function endMock(mock: number): void {
  if (existsSync(`/proc/${mock}`)) process.kill(mock, 'SIGKILL');
}
