import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { becomes, openLines } from './lines.ts';
import { createPlant } from './plants.ts';
import { conduct, type Trial } from './support.ts';

const MEBIBYTE = 2 ** 20;
/** The mock's own, src/serve/server.ts. */
const REQUEST_MILLISECONDS = 30_000;
/** As large as a file of a fixture may be, nearly. */
const ANSWER_MEBIBYTES = 15;

await conduct('16: bodies that come slowly, and clients that do not read', async (trial) => {
  await readNothing(trial);
  if (trial.isShort) trial.leaveOut('a body of one byte a second, which takes 30 s');
  else await sendSlowly(trial);
});

async function sendSlowly(trial: Trial): Promise<void> {
  const { program, url } = await trial.startMock();
  const began = performance.now();
  const head =
    'POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n' +
    'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
  const lines = await openLines(url, 20, head);
  const drip = setInterval(() => {
    for (const socket of lines.sockets) if (socket.writable) socket.write(' ');
  }, 1_000);
  const areClosed = await becomes(() => lines.ended() === 20, REQUEST_MILLISECONDS + 30_000);
  clearInterval(drip);
  const after = performance.now() - began;
  trial.measured('closed', `${lines.ended()} of 20, the last after ${(after / 1000).toFixed(1)} s`);
  trial.expect(areClosed, 'all are closed');
  trial.expect(lines.heard('HTTP/1.1 408 ') === 20, 'each is told 408');
  trial.expect((await createPlant(url, 1)) === 200, 'others are answered');
  trial.expect(program.isRunning, 'the program runs on');
}

/** A large answer is held once, however many do not read it. */
async function readNothing(trial: Trial): Promise<void> {
  const readers = trial.isShort ? 10 : 30;
  const folder = await trial.createFolder({
    'large.json': JSON.stringify({ error: 1, message: 'x'.repeat(ANSWER_MEBIBYTES * MEBIBYTE) }),
    'large.yaml':
      'rules:\n  - name: large\n    match: { operationId: createPlant }\n    enabled: false\n' +
      '    answer: { status: 400, bodyFile: large.json }\n',
  });
  const { program, url } = await trial.startMock(['--fixtures', join(folder, 'large.yaml')]);
  await createPlant(url, 1);
  const size = await fetchLarge(url);
  const before = program.residentBytes();
  const body = '{"id":1,"name":"Fern"}';
  const request =
    'POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n' +
    `Content-Type: application/json\r\nMock-Fixture: large\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const files = program.openFiles();
  const lines = await openLines(url, readers);
  for (const socket of lines.sockets) socket.pause().write(request);
  await sleep(3_000);
  const during = program.residentBytes();
  const status = await createPlant(url, 2);
  if (trial.isShort) trial.leaveOut('closing those that do not read, which takes 2 min');
  else {
    const areClosed = await becomes(() => program.openFiles() <= files, 180_000);
    trial.expect(areClosed, 'they are closed by the mock');
  }
  lines.close();
  const isBack = await becomes(() => program.openFiles() < 50, 10_000);
  trial.measured('the answer', `${(size / MEBIBYTE).toFixed(1)} MiB`);
  trial.measured('memory before', `${(before / MEBIBYTE).toFixed(0)} MiB`);
  trial.measured(
    `memory with ${readers} that do not read`,
    `${(during / MEBIBYTE).toFixed(0)} MiB`,
  );
  trial.expect(during - before < 2 * size + 32 * MEBIBYTE, 'it is not held once for each of them');
  trial.expect(status === 200, 'others are answered meanwhile');
  trial.expect(isBack, 'their connections end with them');
}

/** @returns how many bytes the large answer has */
async function fetchLarge(url: string): Promise<number> {
  const headers = {
    authorization: 'Bearer token',
    'content-type': 'application/json',
    'mock-fixture': 'large',
  };
  const init = { method: 'POST', headers, body: '{"id":1,"name":"Fern"}' };
  return (await (await fetch(`${url}/plants`, init)).arrayBuffer()).byteLength;
}
