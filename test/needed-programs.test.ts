import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createFolder } from './support/folder.ts';
import { type Ended, startCommand } from './support/program.ts';

const script = fileURLToPath(new URL('../scripts/needed-programs.mjs', import.meta.url));

/** Runs the check on a machine that has these programs alone. */
async function check(t: ExecutionContext, programs: readonly string[]): Promise<Ended> {
  const folder = await createFolder(t, Object.fromEntries(programs.map((name) => [name, ''])));
  for (const name of programs) await chmod(join(folder, name), 0o755);
  const environment = { PATH: folder, CI: '' };
  return startCommand(t, process.execPath, [script], { environment }).ended;
}

const all = [
  'redis-server',
  'openssl',
  'bash',
  'curl',
  'google-chrome',
  'javac',
  'script',
  'strace',
];

test('the tests name the program that is missing, and how to install it', async (t) => {
  t.like(await check(t, all), { code: 0, stderr: '' });
  const { code, stderr } = await check(t, all.slice(1));
  t.is(code, 1);
  t.regex(stderr, /^The tests need redis-server\.\n/);
  t.regex(stderr, /sudo apt-get install redis-server\n.*brew install redis\n/);
});

test('a program without which tests are skipped is named, and the tests run', async (t) => {
  const { code, stderr } = await check(t, all.slice(0, -1));
  t.is(code, 0);
  t.regex(stderr, /^Tests are skipped that need strace\.\n/);
});
