import { join } from 'node:path';
import { createPlant, readIds } from './plants.ts';
import { conduct, type Trial } from './support.ts';

await conduct('4: nothing may be written', async (trial) => {
  const disk = await trial.mountMemory(['-o', 'ro']);
  if (disk === undefined) return;
  await refuse(trial, join(disk, 'plants.db'), disk);
  await refuse(trial, '/proc/plants.db', '/proc/plants.db');
  const root = 'mount --make-rprivate / && mount -o remount,bind,ro / && exec "$@"';
  const { program, url } = await trial.startMock([], {
    through: ['unshare', '--mount', 'sh', '-c', root, 'sh'],
    folder: '/',
  });
  trial.expect((await createPlant(url, 1)) === 200, 'in memory it serves where all is read-only');
  trial.expect((await readIds(url)).join() === '1', 'and remembers');
  const { code } = await program.end();
  trial.expect(code === 0, `and ends with 0: ${code}`);
});

/** A store that cannot be opened: no start, and no other store in its place. */
async function refuse(trial: Trial, file: string, names: string): Promise<void> {
  const program = trial.start(['mock', '--no-watch', '--port', '0', '--store', `file:${file}`]);
  const isServed = await program.url().then(
    () => true,
    () => false,
  );
  trial.expect(!isServed, `${file}: it does not serve`);
  const { code } = await program.end();
  const lines = program.stderr.split('\n').filter((line) => line !== '');
  trial.measured(file, program.stderr.trim());
  trial.expect(
    lines.length === 1 && program.stderr.includes(names),
    'one line on standard error names the path',
  );
  trial.expect(code === 1, `the exit code is 1: ${code}`);
}
