import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createPlant } from './plants.ts';
import { childrenOf } from './program.ts';
import { conduct } from './support.ts';

const through = ['unshare', '--pid', '--fork', '--mount-proc'];

await conduct('19: as the first process of a container', async (trial) => {
  const [command = '', ...words] = through;
  if (spawnSync(command, [...words, 'true']).status !== 0) {
    trial.lack('this user may not make a namespace of processes (unshare)');
    return;
  }
  const { program, url } = await trial.startMock([], { through });
  const [pid] = childrenOf(program.pid);
  if (pid === undefined) throw new Error('unshare has no child');
  trial.expect(/^NSpid:\s+\d+\s+1$/m.test(statusOf(pid)), 'it is process 1 of its namespace');
  trial.expect((await createPlant(url, 1)) === 200, 'it answers');
  trial.expect(childrenOf(pid).length === 0, 'it has started no process');
  trial.expect(zombiesBelow(pid).length === 0, 'and left no zombie');
  const started = performance.now();
  process.kill(pid, 'SIGTERM');
  const { code } = await program.ended;
  const milliseconds = Math.round(performance.now() - started);
  trial.measured('ended after', `${milliseconds} ms`);
  trial.expect(
    code === 0 && milliseconds < 1_000,
    `SIGTERM ends it within a second with 0: ${code}`,
  );
});

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, 'utf8');
}

/** The processes that have ended and whose parent, this one, has not asked how. */
function zombiesBelow(parent: number): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const status = statusOf(Number(name));
      return status.includes(`PPid:\t${parent}\n`) && /^State:\s+Z/m.test(status);
    } catch {
      // It was gone before it could be asked.
      return false;
    }
  });
}
