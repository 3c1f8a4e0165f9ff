// Writes the compiled code of the program to a folder, for the image:
//
//   node scripts/compile-ahead.ts FOLDER USER
//
// Node.js finds the code by the version, by the number of the user and by the paths of the modules.
// It has what a start, a create and a look at the health need.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const [folder = '', user = ''] = process.argv.slice(2);
const cache = resolve(folder);
const isRoot = process.getuid?.() === 0;
const id = isRoot ? { uid: Number(user), gid: Number(user) } : {};
const environment = { ...process.env, NODE_COMPILE_CACHE: cache };

await mkdir(cache, { recursive: true });
if (isRoot) await chown(cache, Number(user), Number(user));
const mock = spawn(process.execPath, ['dist/main.js', 'mock', '--port', '0'], {
  env: environment,
  ...id,
});
try {
  const port = await readPort();
  await expectOk(
    fetch(`http://127.0.0.1:${port}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: '{"id":1,"name":"Fern"}',
    }),
  );
  const health = ['dist/main.js', 'health', '--port', port];
  const [code] = await once(spawn(process.execPath, health, { env: environment, ...id }), 'exit');
  if (code !== 0) throw new Error(`coldframe health ended with ${code}`);
} finally {
  // Node.js writes the code when it exits.
  mock.kill('SIGTERM');
  await once(mock, 'exit');
}
await hand(cache);

async function readPort(): Promise<string> {
  for await (const text of mock.stdout) {
    const [, port] = /"url":"http:\/\/[^"]*:(\d+)"/.exec(String(text)) ?? [];
    if (port !== undefined) return port;
  }
  throw new Error('the mock has not started');
}

async function expectOk(answer: Promise<Response>): Promise<void> {
  const { status } = await answer;
  if (status !== 200) throw new Error(`the mock answered ${status}`);
}

/** Lets the user read the folder, and nobody but root change it. */
async function hand(path: string, isFolder = true): Promise<void> {
  if (isRoot) await chown(path, 0, 0);
  await chmod(path, isFolder ? 0o755 : 0o644);
  if (!isFolder) return;
  for (const entry of await readdir(path, { withFileTypes: true })) {
    await hand(join(path, entry.name), entry.isDirectory());
  }
}
