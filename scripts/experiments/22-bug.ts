import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createPlant, slowFixture } from './plants.ts';
import { conduct, type Trial } from './support.ts';

/** Code that fails outside of any request; it runs when the program receives SIGUSR2. */
const bugs: Readonly<Record<string, string>> = {
  'an exception in a timer': "setTimeout(() => { throw new Error('planted bug') }, 0)",
  'a rejection that nobody handles': "Promise.reject(new Error('planted bug'))",
  'an exception that is no Error': "setImmediate(() => { throw 'planted bug' })",
};

await conduct('22: a bug outside of any request', async (trial) => {
  await Promise.all(Object.entries(bugs).map(([name, code]) => plant(trial, name, code)));
});

async function plant(trial: Trial, name: string, code: string): Promise<void> {
  const folder = await trial.createFolder({
    'slow.yaml': slowFixture('slow', 1_000),
    'bug.mjs': `process.on('SIGUSR2', () => { ${code} })\n`,
  });
  const { program, url } = await trial.startMock(['--fixtures', join(folder, 'slow.yaml')], {
    nodeFlags: ['--import', pathToFileURL(join(folder, 'bug.mjs')).href],
  });
  trial.expect((await createPlant(url, 1)) === 200, `${name}: it answers before`);
  const underway = createPlant(url, 2, { 'mock-fixture': 'slow' }).catch(() => 0);
  await sleep(300);
  const started = performance.now();
  program.child.kill('SIGUSR2');
  const { code: exitCode } = await program.ended;
  trial.measured(`${name}: ended after`, `${Math.round(performance.now() - started)} ms`);
  trial.expect((await underway) === 200, `${name}: a request under way is answered`);
  trial.expect(exitCode === 1, `${name}: the exit code is 1: ${exitCode}`);
  const told = program.log.filter(({ message }) => String(message).includes('planted bug'));
  trial.expect(told.length === 1, `${name}: the log tells of it once: ${told.length}`);
  trial.expect(
    program.stderr.split('planted bug').length === 2,
    `${name}: standard error tells of it once`,
  );
}
