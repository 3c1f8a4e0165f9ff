import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlant, slowFixture } from './plants.ts';
import { conduct, type Trial } from './support.ts';

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

await conduct('18: signals, once and twice, a closed input, a pause', async (trial) => {
  await Promise.all(signals.map((signal) => endOnce(trial, signal)));
  await Promise.all(signals.map((signal) => endTwice(trial, signal)));
  await closeInput(trial);
  await pause(trial);
});

async function endOnce(trial: Trial, signal: NodeJS.Signals): Promise<void> {
  const { program } = await trial.startMock();
  const started = performance.now();
  const { code } = await program.end(signal);
  const milliseconds = Math.round(performance.now() - started);
  trial.measured(`${signal}, with nothing under way: ended after`, `${milliseconds} ms`);
  trial.expect(code === 0 && milliseconds < 2_000, `${signal} ends it with 0: ${code}`);
}

async function endTwice(trial: Trial, signal: (typeof signals)[number]): Promise<void> {
  const folder = await trial.createFolder({ 'slow.yaml': slowFixture('endless', 60_000) });
  const { program, url } = await trial.startMock(['--fixtures', join(folder, 'slow.yaml')]);
  const underway = createPlant(url, 1, { 'mock-fixture': 'endless' }).catch(() => 0);
  await sleep(200);
  program.child.kill(signal);
  await program.logged('closing');
  await sleep(100);
  trial.expect(program.isRunning, `after one ${signal} it waits for a request under way`);
  const started = performance.now();
  const { code } = await program.end(signal);
  const milliseconds = Math.round(performance.now() - started);
  await underway;
  trial.measured(`second ${signal}: ended after`, `${milliseconds} ms`);
  const wanted = 128 + constants.signals[signal];
  trial.expect(code === wanted, `the second ${signal} ends it at once with ${wanted}: ${code}`);
  trial.expect(milliseconds < 1_000, 'and does not wait');
}

async function closeInput(trial: Trial): Promise<void> {
  const { program, url } = await trial.startMock([], { hasInput: true });
  program.child.stdin?.end();
  await sleep(300);
  trial.expect((await createPlant(url, 1)) === 200, 'a closed standard input changes nothing');
}

async function pause(trial: Trial): Promise<void> {
  const { program, url } = await trial.startMock();
  trial.expect((await createPlant(url, 1)) === 200, 'it answers before the pause');
  program.child.kill('SIGSTOP');
  const waiting = createPlant(url, 2);
  await sleep(1_500);
  const resumed = performance.now();
  program.child.kill('SIGCONT');
  const status = await waiting;
  trial.measured('answered after the pause in', `${Math.round(performance.now() - resumed)} ms`);
  trial.expect(status === 200, 'a request sent while it was stopped is answered when it goes on');
  trial.expect((await createPlant(url, 3)) === 200, 'and so are those after it');
  const { code } = await program.end();
  trial.expect(code === 0, `it still ends with 0: ${code}`);
}
