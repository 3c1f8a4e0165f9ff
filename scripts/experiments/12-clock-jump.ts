import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLine, plantRequest, readIds, slowFixture } from './plants.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

const JUMPS = ['+0d', '-400d', '+3650d', '+0d'];
const DELAY_MILLISECONDS = 300;
/** A busy machine is late; a timer that stalls is later than that. */
const LATEST_MILLISECONDS = DELAY_MILLISECONDS + 3_000;
const SESSION = { 'mock-session': 'jump' };

await conduct('12: the clock jumps by years, back and forth', async (trial) => {
  const library = findLibrary();
  if (library === undefined) {
    trial.lack('libfaketime is not installed (Debian: apt-get install libfaketime)');
    return;
  }
  const folder = await trial.createFolder({ 'slow.yaml': slowFixture('wait', DELAY_MILLISECONDS) });
  const time = join(folder, 'time');
  await writeFile(time, JUMPS[0] ?? '');
  const { program, url } = await trial.startMock(['--fixtures', join(folder, 'slow.yaml')], {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: time,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  });
  const numbers: number[] = [];
  for (const [index, jump] of JUMPS.entries()) {
    const line = await openLine(url);
    line.socket.write('GET /__admin/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n');
    const underway = timeOf(() => create(url, 10 + index, { 'mock-fixture': 'wait' }));
    await sleep(DELAY_MILLISECONDS / 3);
    await writeFile(time, jump);
    watch(trial, jump, await underway, 'under way when it came');
    watch(
      trial,
      jump,
      await timeOf(() => create(url, 20 + index, { 'mock-fixture': 'wait' })),
      'after it',
    );
    numbers.push(await create(url, 30 + index, SESSION));
    line.socket.write('\r\n');
    await line.closed;
    trial.expect(
      line.received().startsWith('HTTP/1.1 200'),
      `${jump}: a request that was half sent when it came is answered`,
    );
  }
  await judge(trial, url, program, numbers);
});

async function judge(
  trial: Trial,
  url: string,
  program: Program,
  numbers: readonly number[],
): Promise<void> {
  const times = program.log
    .filter(({ event }) => event === 'request')
    .map((line) => Number(line['time']));
  const years = (Math.max(...times) - Math.min(...times)) / (365.25 * 86_400_000);
  trial.measured('years between the earliest and the latest line of the log', years.toFixed(1));
  trial.expect(years > 10, 'the program has seen the clock jump');
  const kept = await readIds(url);
  const wanted = JUMPS.flatMap((_, index) => [10 + index, 20 + index]);
  trial.expect(
    wanted.every((id) => kept.filter((one) => one === id).length === 1),
    `each of ${wanted.length} plants is in the store once`,
  );
  const inSession = await readIds(url, SESSION);
  trial.expect(
    JUMPS.every((_, index) => inSession.includes(30 + index)),
    'a session that was in use is not taken for idle',
  );
  trial.expect(
    numbers.every((number, index) => number > (numbers[index - 1] ?? 0)),
    `the numbers of requests rise: ${numbers.join(', ')}`,
  );
}

function watch(trial: Trial, jump: string, milliseconds: number, which: string): void {
  trial.measured(`${jump}: a wait of ${DELAY_MILLISECONDS} ms, ${which}`, `${milliseconds} ms`);
  trial.expect(
    milliseconds >= DELAY_MILLISECONDS * 0.95 && milliseconds < LATEST_MILLISECONDS,
    `${jump}: it is neither cut short nor stalled`,
  );
}

/** @returns the number that the request had in its session */
async function create(
  url: string,
  id: number,
  fields: Readonly<Record<string, string>>,
): Promise<number> {
  const request = plantRequest(id);
  const headers = { ...(request.headers as Record<string, string>), ...fields };
  const response = await fetch(`${url}/plants`, { ...request, headers });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  return Number(response.headers.get('mock-request-id'));
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return Math.round(performance.now() - started);
}

function findLibrary(): string | undefined {
  const folders = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'));
  return ['/usr/lib/faketime', ...folders]
    .map((folder) => join(folder, 'libfaketime.so.1'))
    .find((file) => existsSync(file));
}
