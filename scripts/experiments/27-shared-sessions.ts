import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlant, readIds } from './plants.ts';
import { conduct, type Trial } from './support.ts';

const IDLE_SECONDS = 2;
const LIMIT = 10;

await conduct('27: two processes share the sessions of one file', async (trial) => {
  await tryIdleness(trial);
  await tryLimit(trial);
});

async function startTwo(trial: Trial, words: readonly string[]): Promise<[string, string]> {
  const folder = await trial.createFolder();
  const all = ['--store', `file:${join(folder, 'plants.db')}`, ...words];
  const first = await trial.startMock(all);
  const second = await trial.startMock(all);
  return [first.url, second.url];
}

/** One process uses a session all the time, the other looks for idle ones all the time. */
async function tryIdleness(trial: Trial): Promise<void> {
  const [first, second] = await startTwo(trial, ['--session-idle', String(IDLE_SECONDS)]);
  const fields = { 'mock-session': 'used' };
  let told = (await createPlant(second, 0, fields)) === 200 ? 1 : 0;
  const end = performance.now() + (trial.isShort ? 2 : 5) * IDLE_SECONDS * 1_000;
  for (let id = 1; performance.now() < end; id++) {
    if ((await createPlant(first, id, fields)) === 200) told++;
    await createPlant(second, id, { 'mock-session': `other-${id}` });
    await sleep(100);
  }
  for (const url of [first, second]) {
    const { length } = await readIds(url, fields);
    trial.expect(length === told, `a session in use keeps its ${told} plants: ${length}`);
  }
}

async function tryLimit(trial: Trial): Promise<void> {
  const urls = await startTwo(trial, ['--session-limit', String(LIMIT)]);
  const fields = { 'mock-session': 'used' };
  let told = 0;
  for (let id = 1; id <= 4 * LIMIT; id++) {
    if ((await createPlant(urls[0], id, fields)) === 200) told++;
    await createPlant(urls[id % 2] ?? '', id, { 'mock-session': `other-${id}` });
  }
  for (const url of urls) {
    const { length } = await readIds(url, fields);
    trial.expect(length === told, `the session used last keeps its ${told} plants: ${length}`);
    const response = await fetch(`${url}/__admin/sessions`);
    const { sessions } = (await response.json()) as { readonly sessions: readonly unknown[] };
    const count = sessions.length - 1;
    trial.expect(count === LIMIT, `both together have ${LIMIT} sessions: ${count}`);
  }
}
