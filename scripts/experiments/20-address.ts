import { readFileSync } from 'node:fs';
import { createPlant, readIds } from './plants.ts';
import type { StartOptions } from './program.ts';
import { conduct, type Trial } from './support.ts';

const NOBODY = 65_534;

await conduct('20: an address that cannot be had', async (trial) => {
  const { url } = await trial.startMock();
  await createPlant(url, 1);
  const taken = new URL(url).port;
  await refuse(trial, 'a port that is taken', ['--port', taken], 'EADDRINUSE');
  trial.expect((await readIds(url)).join() === '1', 'whoever has it keeps it, and its state');
  await refuse(trial, "another machine's address", ['--host', '1.2.3.4'], 'EADDRNOTAVAIL');
  await refuse(
    trial,
    'a host that is none',
    ['--host', 'nowhere.invalid'],
    '(?:ENOTFOUND|EAI_AGAIN)',
  );
  await refuse(
    trial,
    'a host that no resolver takes',
    ['--host', 'a b'],
    '(?:ENOTFOUND|EAI_AGAIN)',
  );
  const first = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  if (process.getuid?.() !== 0 || first <= 80) {
    trial.lack('a port below 1024: this user may not change to one who may not');
    return;
  }
  await refuse(trial, 'a port below 1024', ['--port', '80'], 'EACCES', { user: NOBODY });
});

async function refuse(
  trial: Trial,
  what: string,
  words: readonly string[],
  cause: string,
  options: StartOptions = {},
): Promise<void> {
  const folder = await trial.createFolder();
  const program = trial.start(['mock', '--no-watch', '--port', '0', ...words], {
    ...options,
    folder: options.user === undefined ? folder : '/',
  });
  const { code } = await program.ended;
  const lines = program.stderr.split('\n').slice(0, -1);
  trial.measured(what, program.stderr.trim());
  const isOneLine = lines.length === 1 && new RegExp(cause).test(lines[0] ?? '');
  trial.expect(isOneLine, `${what}: one line on standard error names the cause`);
  trial.expect(code === 1, `${what}: the exit code is 1: ${code}`);
  trial.expect(program.stdout === '', `${what}: nothing on standard output says that it listens`);
}
