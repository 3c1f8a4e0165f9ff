import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomes } from './lines.ts';
import { createPlant, openLine, plantRequest, slowFixture } from './plants.ts';
import { conduct, type Trial } from './support.ts';

const SLOW_MILLISECONDS = 1_500;
/** The mock's own, src/serve/server.ts. */
const DRAIN_MILLISECONDS = 10_000;

await conduct('17: SIGTERM with requests under way', async (trial) => {
  await Promise.all([drain(trial), trial.isShort ? undefined : cutOff(trial)]);
  if (trial.isShort) trial.leaveOut('the deadline for what does not end, which takes 10 s');
});

async function drain(trial: Trial): Promise<void> {
  const folder = await trial.createFolder({ 'slow.yaml': slowFixture('slow', SLOW_MILLISECONDS) });
  const { program, url } = await trial.startMock(['--fixtures', join(folder, 'slow.yaml')]);
  const idle = await openLine(url);
  idle.socket.write('GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const unused = await openLine(url);
  const events = await openLine(url);
  events.socket.write('GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  // What the first request of a kind has to load is loaded, so that none of the others is late.
  await Promise.all([
    createPlant(url, 98),
    becomes(() => events.received().startsWith('HTTP/1.1 200'), 10_000),
  ]);
  const waiting = await openLine(url);
  const wait = '{"match":{"operationId":"createPlant"},"count":50,"milliseconds":60000}';
  waiting.socket.write(
    'POST /__admin/journal/wait HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${wait.length}\r\n\r\n${wait}`,
  );
  const underway = Array.from({ length: 20 }, (_, id) =>
    createPlant(url, id, { 'mock-fixture': 'slow' }).catch(() => 0),
  );
  await sleep(SLOW_MILLISECONDS / 3);
  const hasEvents = /^HTTP\/1\.1 200/.test(events.received());
  const started = performance.now();
  const since = (): number => Math.round(performance.now() - started);
  program.child.kill('SIGTERM');
  const idleClosed = idle.closed.then(since);
  const eventsClosed = events.closed.then(since);
  await unused.closed;
  const isRefused = await fetch(`${url}/plants`, plantRequest(99)).then(
    () => false,
    () => true,
  );
  const statuses = await Promise.all(underway);
  const answered = since();
  const { code } = await program.ended;
  trial.measured('idle connection closed after', `${await idleClosed} ms`);
  trial.measured('last request under way answered after', `${answered} ms`);
  trial.measured('ended after', `${since()} ms`);
  trial.expect((await idleClosed) < 500, 'an idle connection is closed at once');
  trial.expect(
    statuses.every((status) => status === 200),
    `${statuses.length} requests under way are answered`,
  );
  trial.expect(isRefused, 'a new connection is refused');
  trial.expect(code === 0, `the exit code is 0: ${code}`);
  trial.expect(since() < SLOW_MILLISECONDS + 1_000, 'it ends when the last answer is given');
  trial.measured('stream of events closed after', `${await eventsClosed} ms`);
  trial.expect(hasEvents && (await eventsClosed) < 1_000, 'a stream of events is closed at once');
  const requests = program.log.filter((line) => line['operation'] === 'createPlant').length;
  trial.expect(requests === statuses.length + 1, `the log tells of all ${requests} of them`);
}

/** Requests that do not finish are closed at the deadline. */
async function cutOff(trial: Trial): Promise<void> {
  const folder = await trial.createFolder({ 'slow.yaml': slowFixture('endless', 600_000) });
  const { program, url } = await trial.startMock(['--fixtures', join(folder, 'slow.yaml')]);
  const endless = createPlant(url, 1, { 'mock-fixture': 'endless' }).catch(() => 'cut off');
  const half = await openLine(url);
  half.socket.write('POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  await sleep(300);
  const started = performance.now();
  const { code } = await program.end();
  const milliseconds = Math.round(performance.now() - started);
  trial.measured('with a request that does not end: ended after', `${milliseconds} ms`);
  trial.expect((await endless) === 'cut off', 'a request that does not end is cut off');
  trial.expect(
    milliseconds < DRAIN_MILLISECONDS + 1_500 && code === 0,
    `it ends at the deadline, with 0: ${code}`,
  );
}
