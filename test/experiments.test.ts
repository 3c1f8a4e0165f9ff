import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { findExperiments } from '../scripts/experiments/find-experiments.ts';
import { createMock } from '../src/assemble/mock.ts';
import type { Log } from '../src/events/log.ts';
import { createFolder } from './support/folder.ts';
import { createPlant } from './support/plants.ts';
import { startReceiver } from './support/receiver.ts';

/** They take minutes whatever is left out of them: `tsx scripts/experiments.ts 26 32`. */
const LONG: readonly number[] = [26, 32];

/** Runs experiments one at a time, so that their times are meaningful. */
for (const { number, name, file } of findExperiments()) {
  if (LONG.includes(number)) continue;
  test.serial(`fault experiment ${number} holds: ${name.replaceAll('-', ' ')}`, async (t) => {
    t.timeout(240_000);
    const output = await runScript(t, file);
    for (const line of output.split('\n')) if (line.includes('left out:')) t.log(line.trim());
  });
}

/** Runs an experiment without what takes long; fails with all that it printed. */
async function runScript(t: ExecutionContext, file: string): Promise<string> {
  const child = spawn(process.execPath, [...process.execArgv, file, '--short'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  t.is(code, 0, output);
  return output;
}

const CALLING_BACK = (url: string): string => `
openapi: 3.1.0
info: { title: Calls back, version: '1' }
paths:
  /plants:
    post:
      operationId: createPlant
      responses:
        '204': { description: Taken }
      callbacks:
        told:
          ${url}/told:
            post:
              responses:
                '204': { description: Heard }
`;

/** A log as a user may write it: each of its methods goes wrong. */
function brokenLog(fail: () => void): Log {
  return { exchange: fail, info: fail, warn: fail, error: fail, flush: fail };
}

const failures: Readonly<Record<string, () => void>> = {
  throws: () => {
    throw new Error('a broken log');
  },
  rejects: async () => {
    await Promise.resolve();
    throw new Error('a broken log');
  },
};

for (const [failure, fail] of Object.entries(failures)) {
  test(`a log that ${failure} breaks no response`, async (t) => {
    const receiver = await startReceiver(t);
    const folder = await createFolder(t, { 'api.yaml': CALLING_BACK(receiver.url) });
    const mock = await createMock({
      document: `${folder}/api.yaml`,
      fixtures: [],
      log: brokenLog(fail),
    });
    t.teardown(() => mock.close());
    const { url } = await mock.listen({ port: 0 });
    for (let count = 0; count < 3; count++) {
      t.is((await fetch(`${url}/plants`, { method: 'POST' })).status, 204);
      t.is((await receiver.next()).target, '/told');
      t.is((await fetch(`${url}/nowhere`)).status, 404);
    }
    // A rejection that nobody handles would fail this test by itself.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

test('a failing clock affects only the request that waits for it', async (t) => {
  const mock = await createMock({
    fixture: ['slow'],
    clock: {
      now: () => 0,
      monotonic: () => 0,
      sleep: () => Promise.reject(new Error('a broken clock')),
    },
  });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  for (let count = 0; count < 3; count++) {
    const response = await fetch(`${url}/plants`, createPlant());
    t.is(response.status, 500);
    t.regex(await response.text(), /500/);
    t.is((await fetch(`${url}/__admin/health`)).status, 200);
  }
});
